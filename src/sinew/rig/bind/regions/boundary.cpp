// SPDX-License-Identifier: MIT
#include "sinew/rig/bind/regions/boundary.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>
#include <unordered_map>
#include <unordered_set>

#include <Eigen/Geometry>

namespace sinew::rig {
DividingSurface::DividingSurface(const Vec3d& apex, const Vec3d& axis)
    : apex_(apex), axis_(axis.normalized()), u_(axis_.unitOrthogonal()), v_(axis_.cross(u_)) {}

DividingSurface::DividingSurface(const Vec3d& apex, const Vec3d& axis, std::span<const Vec3d> points)
    : DividingSurface(apex, axis) {
    std::vector<std::pair<double, Vec3d>> rays;
    for (const Vec3d& point : points) {
        const Vec3d ray = point - apex_;
        const double off = std::hypot(ray.dot(u_), ray.dot(v_));
        if (off > 0.05 * ray.norm())
            rays.emplace_back(std::atan2(ray.dot(v_), ray.dot(u_)), ray.normalized());
    }
    std::sort(rays.begin(), rays.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    // The second of two rays in the same half-plane would make a wedge of width 0.
    rays.erase(std::unique(rays.begin(), rays.end(),
                           [](const auto& a, const auto& b) { return b.first - a.first < 1e-6; }),
               rays.end());
    for (std::size_t i = 0; i < rays.size(); ++i) {
        const bool last = i + 1 == rays.size();
        const double next = last ? rays[0].first + 2 * math::pi : rays[i + 1].first;
        if (rays.size() < 3 || next - rays[i].first > math::radians(179)) {
            normals_.clear();
            azimuths_.clear();
            return;
        }
        azimuths_.push_back(rays[i].first);
        normals_.push_back(rays[i].second.cross(rays[last ? 0 : i + 1].second).normalized());
    }
}

double DividingSurface::height(const Vec3d& point) const {
    const Vec3d ray = point - apex_;
    if (normals_.empty()) return ray.dot(axis_);
    const double azimuth = std::atan2(ray.dot(v_), ray.dot(u_));
    const auto after = std::upper_bound(azimuths_.begin(), azimuths_.end(), azimuth);
    const auto wedge = after == azimuths_.begin() ? normals_.size() - 1
                                                  : static_cast<std::size_t>(after - azimuths_.begin()) - 1;
    return ray.dot(normals_[wedge]);
}

double DividingSurface::crossing(const Vec3d& a, const Vec3d& b) const {
    const bool beyond_a = beyond(a);
    double low = 0, high = 1;
    for (int i = 0; i < 40; ++i) {
        const double middle = (low + high) / 2;
        (beyond(a + middle * (b - a)) == beyond_a ? low : high) = middle;
    }
    return (low + high) / 2;
}

namespace {

/// Sides of the vertices, each computed once.
class Sides {
  public:
    Sides(const RegionSurface& surface, const DividingSurface& cut) : surface_(surface), cut_(cut) {}
    bool beyond(std::uint32_t vertex) {
        const auto [at, fresh] = known_.try_emplace(vertex, false);
        if (fresh) at->second = cut_.beyond(surface_.positions[vertex]);
        return at->second;
    }
    bool mixed(std::uint32_t triangle) {
        const auto& t = surface_.triangles[triangle];
        const bool first = beyond(t[0]);
        return beyond(t[1]) != first || beyond(t[2]) != first;
    }

  private:
    const RegionSurface& surface_;
    const DividingSurface& cut_;
    std::unordered_map<std::uint32_t, bool> known_;
};

/// The triangle itself when both sides occur in it, otherwise the first such triangle within two rings: at a
/// dividing point the curve may bend so that it enters and leaves through the same edge.
std::uint32_t mixed_near(const RegionSurface& surface, Sides& sides, std::uint32_t triangle) {
    std::vector<std::uint32_t> ring{triangle};
    std::unordered_set<std::uint32_t> seen{triangle};
    for (int rings = 0; rings < 3; ++rings) {
        std::vector<std::uint32_t> next;
        for (const std::uint32_t t : ring) {
            if (sides.mixed(t)) return t;
            for (const std::uint32_t v : surface.triangles[t])
                for (const std::uint32_t near : surface.vertex_triangles[v])
                    if (seen.insert(near).second) next.push_back(near);
        }
        ring = std::move(next);
    }
    return RegionSurface::none;
}

}  // namespace

std::vector<CrossedEdge> trace(const RegionSurface& surface, const DividingSurface& cut,
                               std::span<const std::uint32_t> start_triangles) {
    Sides sides(surface, cut);
    std::unordered_set<std::uint32_t> seen, crossed;
    std::vector<std::uint32_t> stack;
    for (const std::uint32_t start : start_triangles) {
        const std::uint32_t triangle = mixed_near(surface, sides, start);
        if (triangle != RegionSurface::none && seen.insert(triangle).second) stack.push_back(triangle);
    }
    std::vector<CrossedEdge> out;
    while (!stack.empty()) {
        const std::uint32_t triangle = stack.back();
        stack.pop_back();
        for (const std::uint32_t e : surface.triangle_edges[triangle]) {
            const geometry::Edge& edge = surface.edges.edges[e];
            if (sides.beyond(edge.a) == sides.beyond(edge.b) || !crossed.insert(e).second) continue;
            const bool forward = sides.beyond(edge.b);
            out.push_back({e, forward ? edge.a : edge.b, forward ? edge.b : edge.a});
            for (const std::uint32_t t : surface.edges.around(edge))
                if (seen.insert(t).second) stack.push_back(t);
        }
    }
    std::sort(out.begin(), out.end(),
              [](const CrossedEdge& a, const CrossedEdge& b) { return a.edge < b.edge; });
    return out;
}

namespace {

/// Appends the vertices of the shortest path along edges; false when there is none.
bool shortest_path(const RegionSurface& surface, std::uint32_t from, std::uint32_t to,
                   std::vector<std::uint32_t>& path) {
    struct Reached {
        double distance;
        std::uint32_t before;
    };
    std::unordered_map<std::uint32_t, Reached> reached{{from, {0, from}}};
    using Step = std::pair<double, std::uint32_t>;
    std::priority_queue<Step, std::vector<Step>, std::greater<>> front;
    // A* with the straight distance as a lower bound of all paths.
    const auto left = [&](std::uint32_t v) { return (surface.positions[v] - surface.positions[to]).norm(); };
    front.emplace(left(from), from);
    while (!front.empty()) {
        const auto [estimate, v] = front.top();
        front.pop();
        const double here = reached.at(v).distance;
        if (estimate > here + left(v) + 1e-12) continue;
        if (v == to) break;
        for (const std::uint32_t e : surface.vertex_edges[v]) {
            const std::uint32_t w = surface.other_end(e, v);
            const double distance = here + (surface.positions[w] - surface.positions[v]).norm();
            const auto [at, fresh] = reached.try_emplace(w, Reached{distance, v});
            if (!fresh && at->second.distance <= distance) continue;
            at->second = {distance, v};
            front.emplace(distance + left(w), w);
        }
    }
    if (!reached.contains(to)) return false;
    for (std::uint32_t v = to; v != from; v = reached.at(v).before) path.push_back(v);
    path.push_back(from);
    return true;
}

}  // namespace

std::vector<std::uint32_t> shortest_loop(const RegionSurface& surface,
                                         std::span<const std::uint32_t> start_triangles) {
    std::vector<std::uint32_t> loop;
    for (std::size_t i = 0; i < start_triangles.size(); ++i) {
        const std::uint32_t from = surface.triangles[start_triangles[i]][0];
        const std::uint32_t to = surface.triangles[start_triangles[(i + 1) % start_triangles.size()]][0];
        if (!shortest_path(surface, from, to, loop)) return {};
    }
    std::sort(loop.begin(), loop.end());
    loop.erase(std::unique(loop.begin(), loop.end()), loop.end());
    return loop;
}

}  // namespace sinew::rig
