// Variant D: the face outside everything, and the faces of the holes, of the exact arrangement of edges.

#include <algorithm>
#include <cmath>

#include "sinew/rig/skeletonize/silhouette_arrangement.h"
#include "sinew/rig/skeletonize/silhouette_trace.h"

namespace sinew::rig {
namespace {

using geometry::Polygon2;
using geometry::PolygonIndex;

constexpr std::size_t most_pieces = 64;

/// Cuts a closed walk wherever it comes back to a place it has been: what is left are simple loops. Ways out
/// and back along the same edge vanish.
std::vector<SilhouetteLoop> lobes(const std::vector<Arrangement::Place>& walk) {
    std::vector<SilhouetteLoop> out;
    std::vector<const Arrangement::Place*> stack;
    std::map<Arrangement::HalfEdge, std::size_t> position;
    const auto cut = [&](std::size_t from) {
        SilhouetteLoop loop;
        for (std::size_t i = from; i < stack.size(); ++i) {
            loop.push_back(stack[i]->node);
            position.erase(stack[i]->at);
        }
        stack.resize(from);
        if (loop.size() >= 3) out.push_back(std::move(loop));
    };
    for (const Arrangement::Place& place : walk) {
        const auto seen = position.find(place.at);
        if (seen != position.end()) cut(seen->second);
        position[place.at] = stack.size();
        stack.push_back(&place);
    }
    cut(0);
    return out;
}

/// The points that a new outline leaves to be explored.
void leave_out(const Arrangement& edges, const SilhouetteLoop& loop, double tolerance,
               std::vector<char>& left) {
    const PolygonIndex index(Polygon2{points_of(loop), {}});
    for (int p = 0; p < edges.point_count(); ++p) {
        char& flag = left[static_cast<std::size_t>(p)];
        if (flag == 0) continue;
        const Vec2d& at = edges.position(p);
        if (index.contains(at) || index.distance(at) <= tolerance) flag = 0;
    }
}

/// Outlines of all shadows that `left` has points of.
void trace_outlines(Arrangement& edges, double tolerance, std::vector<char> left,
                    std::vector<SilhouetteLoop>& loops) {
    for (std::size_t found = 0; found < most_pieces; ++found) {
        const int top = edges.topmost(left);
        if (top < 0) return;
        const auto walk = edges.face(edges.leave_top(top));
        for (const Arrangement::Place& place : walk) {
            if (place.at.edge < 0) left[static_cast<std::size_t>(place.at.stop)] = 0;
        }
        left[static_cast<std::size_t>(top)] = 0;
        for (SilhouetteLoop& loop : lobes(walk)) {
            if (!(geometry::signed_area(points_of(loop)) > tolerance * tolerance)) continue;
            leave_out(edges, loop, tolerance, left);
            loops.push_back(std::move(loop));
        }
    }
}

/// Holes that a picture of the shadow shows, and the shadows that stand free in them.
void trace_holes(Arrangement& edges, const Mask& mask, double least, double tolerance,
                 std::vector<SilhouetteLoop>& loops) {
    const double covered = mask.area() / (mask.pixel * mask.pixel);
    for (const MaskHole& hole : holes_of(mask, least * covered)) {
        const auto start = edges.side_below(mask.center(hole.deepest[0], hole.deepest[1]));
        if (!start) continue;
        std::vector<SilhouetteLoop> around = lobes(edges.face(*start));
        const auto size = [](const SilhouetteLoop& loop) { return -geometry::signed_area(points_of(loop)); };
        const auto largest = std::ranges::max_element(around, {}, size);
        if (largest == around.end() || !(size(*largest) > 0)) continue;
        std::vector<char> left(static_cast<std::size_t>(edges.point_count()), 0);
        auto inner = points_of(*largest);
        std::ranges::reverse(inner);
        const PolygonIndex index(Polygon2{inner, {}});
        for (int p = 0; p < edges.point_count(); ++p) {
            const Vec2d& at = edges.position(p);
            left[static_cast<std::size_t>(p)] = index.contains(at) && index.distance(at) > tolerance ? 1 : 0;
        }
        loops.push_back(*largest);
        trace_outlines(edges, tolerance, std::move(left), loops);
    }
}

}  // namespace

Silhouette trace_walk(const WeldedSurface& surface, const Projection& projection,
                      const OutlineOptions& options, const Mask* shadow) {
    Arrangement edges(surface, projection);
    if (edges.empty()) return {};
    const double tolerance = 1e-7 * surface.diagonal;
    std::vector<SilhouetteLoop> loops;
    trace_outlines(edges, tolerance, std::vector<char>(static_cast<std::size_t>(edges.point_count()), 1),
                   loops);
    if (options.holes) {
        const Mask mask = shadow != nullptr ? Mask() : shadow_of(surface, projection);
        trace_holes(edges, shadow != nullptr ? *shadow : mask, options.least_hole, tolerance, loops);
    }
    return {SilhouetteVariant::walk, sort_into_pieces(std::move(loops), options)};
}

}  // namespace sinew::rig
