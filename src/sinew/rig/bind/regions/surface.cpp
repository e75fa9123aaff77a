// SPDX-License-Identifier: MIT
#include "sinew/rig/bind/regions/surface.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"

namespace sinew::rig {
namespace {

using geometry::Triangle;

void weld(RegionSurface& surface, const geometry::Mesh& mesh) {
    const auto map = geometry::weld_map(mesh.positions);
    surface.vertex_of.resize(map.size());
    for (std::uint32_t v = 0; v < map.size(); ++v) {
        if (map[v] == v) {
            surface.vertex_of[v] = static_cast<std::uint32_t>(surface.positions.size());
            surface.positions.push_back(surface.frame.to_unit(mesh.positions[v].cast<double>()));
            surface.mesh_vertex.push_back(v);
        } else {
            surface.vertex_of[v] = surface.vertex_of[map[v]];
        }
    }
    for (const Triangle& t : geometry::welded(mesh.triangles, map)) {
        const Triangle corners{surface.vertex_of[t[0]], surface.vertex_of[t[1]], surface.vertex_of[t[2]]};
        if (corners[0] != corners[1] && corners[1] != corners[2] && corners[2] != corners[0])
            surface.triangles.push_back(corners);
    }
}

void connect(RegionSurface& surface) {
    surface.edges = geometry::edge_table(surface.triangles);
    surface.vertex_triangles = geometry::vertex_triangles(surface.positions.size(), surface.triangles);
    surface.triangle_edges.assign(surface.triangles.size(), {});
    geometry::Rows& rows = surface.vertex_edges;
    rows.offsets.assign(surface.positions.size() + 1, 0);
    const auto& edges = surface.edges.edges;
    for (std::uint32_t e = 0; e < edges.size(); ++e) {
        ++rows.offsets[edges[e].a + 1];
        ++rows.offsets[edges[e].b + 1];
        for (const std::uint32_t t : surface.edges.around(edges[e])) {
            const Triangle& corners = surface.triangles[t];
            for (std::size_t k = 0; k < 3; ++k) {
                const auto [low, high] = std::minmax(corners[k], corners[(k + 1) % 3]);
                if (low == edges[e].a && high == edges[e].b) surface.triangle_edges[t][k] = e;
            }
        }
    }
    for (std::size_t v = 0; v < surface.positions.size(); ++v) rows.offsets[v + 1] += rows.offsets[v];
    rows.items.resize(rows.offsets.back());
    std::vector<std::uint32_t> next(rows.offsets.begin(), rows.offsets.end() - 1);
    for (std::uint32_t e = 0; e < edges.size(); ++e)
        for (const std::uint32_t v : {edges[e].a, edges[e].b}) rows.items[next[v]++] = e;
}

void find_shells(RegionSurface& surface) {
    surface.shell_of.assign(surface.positions.size(), RegionSurface::none);
    std::vector<std::uint32_t> stack;
    for (const Triangle& t : surface.triangles) {
        if (surface.shell_of[t[0]] != RegionSurface::none) continue;
        const auto shell = static_cast<std::uint32_t>(surface.shells++);
        stack.assign(1, t[0]);
        surface.shell_of[t[0]] = shell;
        while (!stack.empty()) {
            const std::uint32_t v = stack.back();
            stack.pop_back();
            for (const std::uint32_t e : surface.vertex_edges[v]) {
                const std::uint32_t w = surface.other_end(e, v);
                if (surface.shell_of[w] != RegionSurface::none) continue;
                surface.shell_of[w] = shell;
                stack.push_back(w);
            }
        }
    }
}

}  // namespace

RegionSurface region_surface(const geometry::Mesh& mesh) {
    geometry::validate(mesh, mesh.name);
    if (mesh.triangles.empty()) fail(mesh.name, "regions need a surface: the mesh has no triangles");
    RegionSurface surface;
    surface.frame = unit_frame(mesh);
    weld(surface, mesh);
    connect(surface);
    find_shells(surface);
    std::vector<math::Vec3f> positions;
    positions.reserve(surface.positions.size());
    for (const Vec3d& p : surface.positions) positions.emplace_back(p.cast<float>());
    surface.inside_out = geometry::signed_volume(positions, surface.triangles) < 0;
    surface.queries.emplace(positions, surface.triangles);
    return surface;
}

std::optional<ExitPoint> exit_point(const RegionSurface& surface, const Vec3d& from, const Vec3d& direction) {
    constexpr int max_layers = 32;
    double gone = 0;
    int depth = 0;  // number of inner shells that contain the ray
    for (int layer = 0; layer < max_layers; ++layer) {
        const Vec3d origin = from + gone * direction;
        const auto hit = surface.queries->first_hit(origin.cast<float>(), direction.cast<float>());
        if (!hit) return std::nullopt;
        const double distance = gone + static_cast<double>(hit->distance);
        if (hit->entering == surface.inside_out && --depth < 0)
            return ExitPoint{from + distance * direction, distance, hit->triangle};
        if (hit->entering != surface.inside_out) ++depth;
        gone = distance + 1e-6;
    }
    return std::nullopt;
}

namespace {

/// Six sides and eight corners of a cube, slightly rotated so that no ray runs along an edge of a generated
/// mesh.
std::vector<Vec3d> all_around() {
    std::vector<Vec3d> directions;
    const math::Quatd rotation(Eigen::AngleAxisd(0.3, Vec3d(0.3, 0.5, 0.8).normalized()));
    for (int x = -1; x <= 1; ++x)
        for (int y = -1; y <= 1; ++y)
            for (int z = -1; z <= 1; ++z)
                if (const int n = std::abs(x) + std::abs(y) + std::abs(z); n == 1 || n == 3)
                    directions.push_back(rotation * Vec3d(x, y, z).normalized());
    return directions;
}

}  // namespace

bool is_inside(const RegionSurface& surface, const Vec3d& point) {
    static const std::vector<Vec3d> directions = all_around();
    std::size_t out = 0;
    for (const Vec3d& direction : directions) {
        const auto hit = surface.queries->first_hit(point.cast<float>(), direction.cast<float>());
        if (hit && hit->entering == surface.inside_out) ++out;
    }
    return 2 * out > directions.size();
}

std::optional<Vec3d> nearest_inside(const RegionSurface& surface, const Vec3d& point, double max) {
    const auto near = surface.queries->nearest(point.cast<float>(), static_cast<float>(max));
    if (!near) return std::nullopt;
    const Vec3d at = near->position.cast<double>();
    Vec3d inwards = at - point;
    if (inwards.norm() < 1e-6) {
        const Triangle& t = surface.triangles[near->triangle];
        const Vec3d a = surface.positions[t[0]];
        inwards = -(surface.positions[t[1]] - a).cross(surface.positions[t[2]] - a);
        if (surface.inside_out) inwards = -inwards;
    }
    if (!(inwards.norm() > 0)) return std::nullopt;
    inwards.normalize();
    const auto out = exit_point(surface, at + 1e-5 * inwards, inwards);
    if (!out) return std::nullopt;
    // With a depth limit: along a limb, half-way through the body would be near its other end.
    const double deep = std::max(0.02, 2 * static_cast<double>(near->distance));
    return Vec3d(at + std::min(out->distance / 2, deep) * inwards);
}

}  // namespace sinew::rig
