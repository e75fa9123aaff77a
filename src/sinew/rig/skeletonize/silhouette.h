#pragma once
/// \file
/// The outline of a body in a view, with the depth of every point of it: a 3D silhouette (Xie 2009, chapter
/// 3).

#include <optional>

#include "sinew/base/monitor.h"
#include "sinew/rig/skeletonize/silhouette_surface.h"

namespace sinew::rig {

enum class SilhouetteVariant {
    search,            ///< A: nearest vertices by angle, then joined along edges. For extended poses.
    linkage,           ///< B: along edges, guarded by the vertex normal. Kept for comparison.
    linkage_modified,  ///< C: along edges, by the unrolled fan. Exact on convex bodies.
    walk,              ///< D: the outer boundary of all projected edges. Exact on any.
    raster,            ///< E: the contour of a picture
};
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

struct OutlineOptions {
    SilhouetteVariant variant = SilhouetteVariant::walk;
    bool fall_back = true;       ///< take the walk, then the picture, when the result does not hold
    double radius_scale = 1;     ///< of A: multiplies the reach of a search
    bool shortest_paths = true;  ///< of A: join by A* instead of greedily
    bool literal_start = false;  ///< of A: the first step as the source words it, in the wrong sense
    bool holes = true;
    double least_hole = 5e-4;   ///< part of the shadow below which a hole is closed
    double least_piece = 1e-4;  ///< part of the largest shadow below which another is dropped
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

/// The outline by the variant that was asked for; when it does not hold, by the walk, then by the picture,
/// with the warning `silhouette-fallback`.
Silhouette find_silhouette(const WeldedSurface& surface, const Projection& projection,
                           const OutlineOptions& options = {}, Monitor& monitor = silent());

/// One variant, as it comes. An empty result means that it found no closed curve.
Silhouette trace_silhouette(const WeldedSurface& surface, const Projection& projection,
                            SilhouetteVariant variant, const OutlineOptions& options = {});
/// An outline against the mesh and its picture at 512 pixels.
OutlineCheck check(const Silhouette& silhouette, const WeldedSurface& surface, const Projection& projection);

/// Nodes about `spacing` apart: long sides are divided, short ones merged, corners that turn by more than 30
/// degrees are kept. The spacing is halved until the result is simple; depth is interpolated.
SilhouettePiece resampled(const SilhouettePiece& piece, double spacing);
/// The median side of the loops, at least 0.003 and at most 0.01 of the diagonal.
double resampling_step(const Silhouette& silhouette, double diagonal);

}  // namespace sinew::rig
