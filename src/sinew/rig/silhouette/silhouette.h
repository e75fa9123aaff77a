// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The outline of a body in a view, with the depth of every point of it: a 3D silhouette (Xie 2009, chapter
/// 3).

#include <functional>
#include <optional>

#include "sinew/base/monitor.h"
#include "sinew/rig/silhouette/silhouette_surface.h"
#include "sinew/rig/skeletonize.h"

namespace sinew::rig {

std::string_view name_of(SilhouetteVariant variant);

/// Where two edges of the mesh cross in the view.
struct EdgeCrossing {
    std::array<std::uint32_t, 2> a{}, b{};  ///< vertices of the edges
    double ta = 0, tb = 0;                  ///< along them
    double za = 0, zb = 0;                  ///< depths there
};

/// A point of the outline: a vertex of the mesh, a crossing, or neither (made by resampling or by a picture).
struct SilhouetteNode {
    Vec2d xy = Vec2d::Zero();
    double z = 0;
    int vertex = -1;
    std::optional<EdgeCrossing> crossing = {};
    double trust = 1;  ///< of the depth: 0 at a crossing
};

using SilhouetteLoop = std::vector<SilhouetteNode>;

/// A connected shadow: its outline anticlockwise and its holes clockwise.
struct SilhouettePiece {
    SilhouetteLoop outer;
    std::vector<SilhouetteLoop> holes;
};

/// All shadows that the view shows, the largest first.
struct Silhouette {
    SilhouetteVariant variant = SilhouetteVariant::walk;
    std::vector<SilhouettePiece> pieces;
};

/// What is wrong with an outline, measured.
struct OutlineCheck {
    bool closed = false;
    bool simple = false;
    double inside = 0;   ///< part of the vertices that lie in it
    double overlap = 0;  ///< intersection over union with the picture
    bool holds() const { return closed && simple && inside >= 0.999 && overlap >= 0.99; }
};

geometry::Loop2 points_of(const SilhouetteLoop& loop);
geometry::Polygon2 polygon_of(const SilhouettePiece& piece);

/// Traces an outline by a method of another module.
using OutlineTracer = std::function<Silhouette(const WeldedSurface&, const Projection&)>;

/// The outline by the requested variant; when that fails the check, by the walk, then by the picture, with
/// the warning `silhouette-fallback`.
/// \param other of SilhouetteVariant::other
Silhouette find_silhouette(const WeldedSurface& surface, const Projection& projection,
                           SilhouetteVariant variant = SilhouetteVariant::walk, Monitor& monitor = silent(),
                           const OutlineTracer& other = {});

/// An outline against the mesh and its picture at 512 pixels.
OutlineCheck check(const Silhouette& silhouette, const WeldedSurface& surface, const Projection& projection);

/// Nodes about `spacing` apart: long sides are divided, short ones merged, corners that turn by more than 30
/// degrees are kept. The spacing is halved until the result is simple; depth is interpolated.
SilhouettePiece resampled(const SilhouettePiece& piece, double spacing);
/// The median side of the loops, at least 0.003 and at most 0.01 of the diagonal.
double resampling_step(const Silhouette& silhouette, double diagonal);

/// The exact outer boundary of all projected edges; with the holes that a picture of the shadow shows, when
/// that is given. An empty result means that it found no closed curve.
Silhouette trace_walk(const WeldedSurface& surface, const Projection& projection,
                      const Mask* shadow = nullptr);
/// The contour of a picture.
Silhouette trace_raster(const WeldedSurface& surface, const Projection& projection);

/// The picture in which holes are looked for and outlines are checked.
Mask shadow_of(const WeldedSurface& surface, const Projection& projection);
OutlineCheck check(const Silhouette& silhouette, const WeldedSurface& surface, const Projection& projection,
                   const Mask& shadow);

/// Part of the shadow below which a hole is closed.
inline constexpr double min_hole = 5e-4;

/// Loops sorted into pieces: those with positive area are outlines, the others holes of the smallest outline
/// around them. Pieces and holes that are too small are left out; the largest piece comes first.
std::vector<SilhouettePiece> sort_into_pieces(std::vector<SilhouetteLoop> loops);

}  // namespace sinew::rig
