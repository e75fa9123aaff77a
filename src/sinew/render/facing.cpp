#include "sinew/render/facing.h"

#include <algorithm>
#include <numeric>

#include "sinew/geometry/topology.h"

namespace sinew::render {
namespace {

using geometry::Triangle;
using geometry::Vec3d;
using geometry::Vec3f;

/// Six times the signed volume of the tetrahedron from `center` to a triangle.
double volume(std::span<const Vec3f> positions, const Triangle& t, const Vec3d& center) {
    const Vec3d a = positions[t[0]].cast<double>() - center;
    const Vec3d b = positions[t[1]].cast<double>() - center;
    const Vec3d c = positions[t[2]].cast<double>() - center;
    return a.dot(b.cross(c));
}

bool is_degenerate(const Triangle& t) {
    return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
}

/// Every directed edge once, and its twin once.
bool is_closed(const std::vector<Triangle>& triangles) {
    std::vector<std::uint64_t> edges;
    edges.reserve(triangles.size() * 3);
    for (const Triangle& t : triangles)
        for (std::size_t i = 0; i < 3 && !is_degenerate(t); ++i)
            edges.push_back(std::uint64_t{t[i]} << 32 | t[(i + 1) % 3]);
    std::sort(edges.begin(), edges.end());
    if (edges.empty() || std::adjacent_find(edges.begin(), edges.end()) != edges.end()) return false;
    return std::all_of(edges.begin(), edges.end(), [&](std::uint64_t edge) {
        return std::binary_search(edges.begin(), edges.end(), edge << 32 | edge >> 32);
    });
}

/// Lowest vertex of the shell of each vertex.
std::vector<std::uint32_t> shells(std::size_t vertex_count, const std::vector<Triangle>& triangles) {
    std::vector<std::uint32_t> parent(vertex_count);
    std::iota(parent.begin(), parent.end(), 0U);
    const auto find = [&](std::uint32_t v) {
        while (parent[v] != v) v = parent[v] = parent[parent[v]];
        return v;
    };
    for (const Triangle& t : triangles)
        for (const std::uint32_t other : {t[1], t[2]}) {
            const std::uint32_t a = find(t[0]);
            const std::uint32_t b = find(other);
            parent[std::max(a, b)] = std::min(a, b);
        }
    for (std::uint32_t v = 0; v < vertex_count; ++v) parent[v] = find(v);
    return parent;
}

}  // namespace

Facing facing_of(const geometry::Mesh& mesh) {
    const std::vector<Triangle> triangles =
        geometry::welded(mesh.triangles, geometry::weld_map(mesh.positions));
    if (!is_closed(triangles)) return Facing::any;
    const std::vector<std::uint32_t> shell = shells(mesh.vertex_count(), triangles);
    const Vec3d center = geometry::bounds(mesh.positions).center().cast<double>();
    std::vector<double> volumes(mesh.vertex_count());
    for (const Triangle& t : triangles) volumes[shell[t[0]]] += volume(mesh.positions, t, center);
    const auto [low, high] = std::minmax_element(volumes.begin(), volumes.end());
    if (*low >= 0 && *high > 0) return Facing::outward;
    return *high <= 0 && *low < 0 ? Facing::inward : Facing::any;
}

bool is_inside_out(std::span<const Vec3f> positions, std::span<const Triangle> triangles) {
    if (positions.empty()) return false;
    const Vec3d center = positions[0].cast<double>();
    double sum = 0;
    for (const Triangle& t : triangles) sum += volume(positions, t, center);
    return sum < 0;
}

}  // namespace sinew::render
