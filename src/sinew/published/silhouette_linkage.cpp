// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <optional>

#include "sinew/published/silhouette_variants.h"
#include "sinew/rig/silhouette/silhouette.h"

namespace sinew::published {

double signed_clockwise(const Vec2d& u, const Vec2d& v) {
    return -std::atan2(geometry::cross2(u, v), u.dot(v));
}

std::vector<std::uint32_t> FanFinder::neighbors(std::uint32_t vertex) const {
    std::vector<std::uint32_t> out;
    for (const std::uint32_t t : around_[vertex]) {
        for (const std::uint32_t v : surface_.triangles[t]) {
            if (v != vertex) out.push_back(v);
        }
    }
    std::ranges::sort(out);
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

void FanFinder::unroll(std::uint32_t vertex, std::uint32_t start, std::vector<std::uint32_t>& used,
                       Fan& fan) const {
    const auto direction = [&](std::uint32_t v) { return Vec2d(projection_.xy[v] - projection_.xy[vertex]); };
    std::uint32_t at = start;
    double angle = 0;
    while (true) {
        bool stepped = false;
        for (const std::uint32_t t : around_[vertex]) {
            const Triangle& c = surface_.triangles[t];
            if (std::ranges::find(used, t) != used.end() || std::ranges::find(c, at) == c.end()) continue;
            used.push_back(t);
            const auto next =
                std::ranges::find_if(c, [&](std::uint32_t v) { return v != vertex && v != at; });
            angle += signed_clockwise(direction(at), direction(*next));
            at = *next;
            stepped = true;
            break;
        }
        if (!stepped) return;
        if (at == start) {
            fan.closed = true;
            fan.total = angle;
            fan.winding = static_cast<int>(std::lround(angle / (2 * math::pi)));
            return;
        }
        fan.neighbors.push_back(at);
        fan.angles.push_back(angle);
    }
}

Fan FanFinder::operator()(std::uint32_t vertex, std::uint32_t start) const {
    Fan fan;
    fan.neighbors.push_back(start);
    fan.angles.push_back(0);
    std::vector<std::uint32_t> used;
    unroll(vertex, start, used, fan);
    if (!fan.closed) unroll(vertex, start, used, fan);
    return fan;
}

// --------------------
// Variants B and C: outlines that follow the edges of the mesh (Xie 2009, 3.2.2). B is kept for comparison; C
// is exact on convex bodies.

namespace {

/// The neighbour of the start with the largest clockwise angle from +X: all other points lie below the start.
std::optional<std::uint32_t> second_vertex(const FanFinder& fans, const Projection& projection,
                                           std::uint32_t start) {
    std::optional<std::uint32_t> best;
    double largest = 0;
    for (const std::uint32_t v : fans.neighbors(start)) {
        const Vec2d offset = projection.xy[v] - projection.xy[start];
        if (!(offset.norm() > 0)) continue;
        const double angle = clockwise(Vec2d::UnitX(), offset);
        if (!best || angle > largest) {
            best = v;
            largest = angle;
        }
    }
    return best;
}

/// Follows `next(current, previous)` from the start back to it; empty when it does not return.
template <class Next>
std::vector<std::uint32_t> tour(const WeldedSurface& surface, const Projection& projection,
                                const FanFinder& fans, const Next& next) {
    const std::uint32_t start = start_vertex(surface, projection);
    const auto second = second_vertex(fans, projection, start);
    if (!second) return {};
    std::vector<std::uint32_t> out{start};
    std::vector<char> visited(surface.positions.size(), 0);
    std::uint32_t previous = start, current = *second;
    while (current != start) {
        if (visited[current] != 0) return {};  // it will never return to the start
        visited[current] = 1;
        out.push_back(current);
        const std::optional<std::uint32_t> to = next(current, previous);
        if (!to) return {};
        previous = current;
        current = *to;
    }
    return out;
}

std::vector<Vec3d> normals_of(const WeldedSurface& surface) {
    std::vector<Vec3d> out(surface.positions.size(), Vec3d::Zero());
    for (const Triangle& t : surface.triangles) {
        const Vec3d& a = surface.positions[t[0]];
        const Vec3d n = (surface.positions[t[1]] - a).cross(surface.positions[t[2]] - a);
        for (const std::uint32_t v : t) out[v] += n;
    }
    return out;
}

}  // namespace

Silhouette trace_linkage(const WeldedSurface& surface, const Projection& projection) {
    const FanFinder fans(surface, projection);
    const std::vector<Vec3d> normals = normals_of(surface);
    const auto next = [&](std::uint32_t at, std::uint32_t previous) {
        const Vec2d back = projection.xy[previous] - projection.xy[at];
        const Vec3d n = projection.frame.to_view(normals[at]);
        const double limit = clockwise(back, n.head<2>());
        std::optional<std::uint32_t> best;
        double largest = -1;
        for (const std::uint32_t v : fans.neighbors(at)) {
            if (v == previous) continue;
            const double angle = clockwise(back, projection.xy[v] - projection.xy[at]);
            // Directions beyond the outward normal are on the wrong side.
            if (angle > limit || angle <= largest) continue;
            best = v;
            largest = angle;
        }
        return best;
    };
    return silhouette_of(tour(surface, projection, fans, next), projection);
}

Silhouette trace_linkage_modified(const WeldedSurface& surface, const Projection& projection) {
    const FanFinder fans(surface, projection);
    const auto next = [&](std::uint32_t at, std::uint32_t previous) -> std::optional<std::uint32_t> {
        const Fan fan = fans(at, previous);
        // A vertex that its own fan covers is not a part of any outline.
        if (fan.closed && fan.winding != 0) return std::nullopt;
        const auto largest = std::ranges::max_element(fan.angles);
        if (largest == fan.angles.begin()) return std::nullopt;
        return fan.neighbors[static_cast<std::size_t>(largest - fan.angles.begin())];
    };
    return silhouette_of(tour(surface, projection, fans, next), projection);
}

}  // namespace sinew::published
