// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Skeletons by methods as they were published, to compare with those of `rig`.
///
/// \code
/// published::SkeletonizeOptions options;
/// options.method = published::SkeletonMethod::reeb;
/// const rig::SkeletonizeResult found = published::skeletonize(mesh, options);
/// \endcode

#include <optional>
#include <string_view>

#include "sinew/rig/skeletonize.h"

namespace sinew::published {

enum class SkeletonMethod : std::uint8_t {
    reeb,       ///< levels of the distance inside the body (Lazarus and Verroust 1999)
    thinning,   ///< the interior layer by layer (Palagyi and Kuba 1998)
    au,         ///< constrained Laplacian contraction (Au et al. 2008)
    pinocchio,  ///< a template embedded in a packing of spheres (Baran and Popovic 2007)
};
std::string_view name_of(SkeletonMethod method);

/// How the outline of the silhouette method is traced (Xie 2009, 3.2).
enum class OutlineMethod : std::uint8_t {
    search,            ///< nearest vertices by angle, then joined along edges. For extended poses.
    linkage,           ///< along edges, guarded by the vertex normal
    linkage_modified,  ///< along edges, by the unrolled fan. Exact on convex bodies.
};

struct SkeletonizeOptions {
    std::optional<SkeletonMethod> method;  ///< when not given, that of `rig`, with the stages below
    std::optional<OutlineMethod> outline;  ///< of the silhouette method
    double radius_scale = 1;               ///< of OutlineMethod::search: multiplies the reach of a search
    bool depth_by_outlines = false;        ///< depth from the outline of each part, seen from its side
    rig::SkeletonizeOptions rig;           ///< everything else; the template of `pinocchio`

    /// Whether anything is asked for that `rig::skeletonize` cannot do.
    bool any() const { return method || outline || depth_by_outlines; }
};

/// \param mesh any mesh with triangles
/// \param options the method, or stages of the silhouette method
/// \param monitor progress, warnings, cancelling
/// \return as rig::skeletonize; `method_name` is the name of the method
/// \throws Error when the mesh has no extent, when `pinocchio` has no template or finds no embedding.
rig::SkeletonizeResult skeletonize(const geometry::Mesh& mesh, const SkeletonizeOptions& options,
                                   Monitor& monitor = silent());

}  // namespace sinew::published
