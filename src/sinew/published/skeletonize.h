// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Skeletons by published methods, to compare with those of `rig`.
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
    reeb,       ///< level sets of the distance through the interior (Lazarus and Verroust 1999)
    thinning,   ///< layer-by-layer thinning of the interior (Palagyi and Kuba 1998)
    au,         ///< constrained Laplacian contraction (Au et al. 2008)
    pinocchio,  ///< a template embedded in a packing of spheres (Baran and Popovic 2007)
};
std::string_view name_of(SkeletonMethod method);

/// How the outline of the silhouette method is traced (Xie 2009, 3.2).
enum class OutlineMethod : std::uint8_t {
    search,            ///< nearest vertices by angle, then connected along edges; for extended poses
    linkage,           ///< along edges, restricted by the vertex normal
    linkage_modified,  ///< along edges, by the unrolled fan; exact on convex bodies
};

struct SkeletonizeOptions {
    std::optional<SkeletonMethod> method;  ///< if not set, the method of `rig`, with the stages below
    std::optional<OutlineMethod> outline;  ///< for the silhouette method
    double radius_scale = 1;               ///< for OutlineMethod::search: factor for the search radius
    bool depth_by_outlines = false;        ///< depth from the outline of each part in a side view
    rig::SkeletonizeOptions rig;           ///< all other options; `pinocchio` uses its template

    /// True when an option is set that `rig::skeletonize` does not support.
    bool any() const { return method || outline || depth_by_outlines; }
};

/// \param mesh any mesh with triangles
/// \param options the method, or stages of the silhouette method
/// \param monitor receives progress and warnings; can cancel
/// \return as rig::skeletonize; `method_name` is the name of the method
/// \throws Error when the mesh has no extent, or `pinocchio` has no template or finds no embedding
rig::SkeletonizeResult skeletonize(const geometry::Mesh& mesh, const SkeletonizeOptions& options,
                                   Monitor& monitor = silent());

}  // namespace sinew::published
