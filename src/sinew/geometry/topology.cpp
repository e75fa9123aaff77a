// SPDX-License-Identifier: MIT
#include "sinew/geometry/topology.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>
#include <utility>

namespace sinew::geometry {
namespace {

/// Disjoint sets of indices.
class Groups {
  public:
    explicit Groups(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0u); }
    std::uint32_t find(std::uint32_t i) {
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    }
    void join(std::uint32_t a, std::uint32_t b) { parent_[find(a)] = find(b); }

  private:
    std::vector<std::uint32_t> parent_;
};

bool has_repeated_corner(const Triangle& t) {
    return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
}

/// True when triangle t contains the edge in the direction from a to b.
bool runs_forward(const Triangle& t, std::uint32_t a, std::uint32_t b) {
    return (t[0] == a && t[1] == b) || (t[1] == a && t[2] == b) || (t[2] == a && t[0] == b);
}

/// Number of connected groups among the vertices that a triangle uses.
std::size_t count_components(const std::vector<Triangle>& faces, const std::vector<bool>& used) {
    Groups groups(used.size());
    for (const Triangle& t : faces) {
        groups.join(t[0], t[1]);
        groups.join(t[0], t[2]);
    }
    std::size_t count = 0;
    for (std::uint32_t v = 0; v < used.size(); ++v) count += used[v] && groups.find(v) == v;
    return count;
}

/// Border edges form loops that are joined at shared vertices.
std::size_t count_border_loops(const EdgeTable& table, std::size_t vertex_count) {
    Groups groups(vertex_count);
    std::vector<bool> on_border(vertex_count, false);
    for (const Edge& edge : table.edges) {
        if (edge.count != 1) continue;
        groups.join(edge.a, edge.b);
        on_border[edge.a] = on_border[edge.b] = true;
    }
    std::size_t count = 0;
    for (std::uint32_t v = 0; v < vertex_count; ++v) count += on_border[v] && groups.find(v) == v;
    return count;
}

/// Vertices whose triangles fall into several fans: around v, two triangles belong together when they share
/// an edge at v.
std::vector<std::uint32_t> vertices_with_several_fans(const std::vector<Triangle>& faces,
                                                      const EdgeTable& table, std::size_t vertex_count) {
    // Each triangle corner is one item; corners at the same vertex are joined across the edges they share.
    Groups corners(faces.size() * 3);
    const auto corner = [&](std::uint32_t face, std::uint32_t vertex) {
        const Triangle& t = faces[face];
        return face * 3 + (t[0] == vertex ? 0u : t[1] == vertex ? 1u : 2u);
    };
    for (const Edge& edge : table.edges) {
        const auto around = table.around(edge);
        for (std::size_t i = 1; i < around.size(); ++i) {
            corners.join(corner(around[0], edge.a), corner(around[i], edge.a));
            corners.join(corner(around[0], edge.b), corner(around[i], edge.b));
        }
    }
    std::vector<std::uint32_t> fans(vertex_count, 0);
    for (std::uint32_t face = 0; face < faces.size(); ++face) {
        for (std::uint32_t i = 0; i < 3; ++i) {
            if (corners.find(face * 3 + i) == face * 3 + i) ++fans[faces[face][i]];
        }
    }
    std::vector<std::uint32_t> result;
    for (std::uint32_t v = 0; v < vertex_count; ++v) {
        if (fans[v] > 1) result.push_back(v);
    }
    return result;
}

}  // namespace

Topology topology(const Mesh& mesh) {
    Topology result;
    const std::size_t count = mesh.positions.size();
    const std::vector<std::uint32_t> map = weld_map(mesh.positions);
    for (std::uint32_t v = 0; v < count; ++v) result.duplicate_vertices += map[v] != v;

    std::vector<Triangle> faces = welded(mesh.triangles, map);
    const auto kept = std::remove_if(faces.begin(), faces.end(), has_repeated_corner);
    result.degenerate_faces = static_cast<std::size_t>(faces.end() - kept);
    faces.erase(kept, faces.end());

    std::vector<bool> used(count, false);
    for (const Triangle& t : faces) used[t[0]] = used[t[1]] = used[t[2]] = true;
    for (std::uint32_t v = 0; v < count; ++v) {
        result.vertices += used[v];
        result.isolated_vertices += map[v] == v && !used[v];
    }
    const EdgeTable table = edge_table(faces);
    result.faces = faces.size();
    result.edges = table.edges.size();
    result.oriented = true;
    for (const Edge& edge : table.edges) {
        if (edge.count == 1) ++result.border_edges;
        if (edge.count > 2) result.nonmanifold_edges.push_back({edge.a, edge.b});
        const auto around = table.around(edge);
        if (edge.count == 2 && runs_forward(faces[around[0]], edge.a, edge.b) ==
                                   runs_forward(faces[around[1]], edge.a, edge.b)) {
            result.oriented = false;
        }
    }
    result.border_loops = count_border_loops(table, count);
    result.components = count_components(faces, used);
    result.nonmanifold_vertices = vertices_with_several_fans(faces, table, count);
    result.closed = result.border_edges == 0 && !faces.empty();
    result.manifold = result.nonmanifold_edges.empty() && result.nonmanifold_vertices.empty();
    result.euler =
        static_cast<int>(result.vertices) - static_cast<int>(result.edges) + static_cast<int>(result.faces);
    if (result.closed && result.manifold && result.oriented) {
        result.genus = (2 * static_cast<int>(result.components) - result.euler) / 2;
    }
    return result;
}

namespace {

/// Bits of a coordinate, with -0 as 0, so that equal positions have equal keys.
std::array<std::uint32_t, 3> position_key(const Vec3f& p) {
    std::array<std::uint32_t, 3> key{};
    for (int i = 0; i < 3; ++i)
        key[static_cast<std::size_t>(i)] = std::bit_cast<std::uint32_t>(p[i] == 0 ? 0.0f : p[i]);
    return key;
}

std::uint64_t mix(const std::array<std::uint32_t, 3>& key) {
    std::uint64_t h = 0x9E3779B97F4A7C15ull;
    for (const std::uint32_t k : key) {
        h = (h ^ k) * 0xFF51AFD7ED558CCDull;
        h ^= h >> 32;
    }
    return h;
}

/// Offsets from counts: counts[i] becomes the start of row i.
void prefix_sum(std::vector<std::uint32_t>& counts) {
    std::uint32_t sum = 0;
    for (std::uint32_t& count : counts) sum = std::exchange(count, sum) + sum;
}

/// A side of a triangle with the lower vertex first.
struct Side {
    std::uint32_t a, b, triangle;
};

std::vector<Side> sorted_sides(const std::vector<Triangle>& triangles) {
    std::vector<Side> sides;
    sides.reserve(triangles.size() * 3);
    for (std::uint32_t t = 0; t < triangles.size(); ++t) {
        for (std::size_t i = 0; i < 3; ++i) {
            const auto [a, b] = std::minmax({triangles[t][i], triangles[t][(i + 1) % 3]});
            if (a != b) sides.push_back({a, b, t});
        }
    }
    const auto before = [](const Side& x, const Side& y) {
        return std::tie(x.a, x.b, x.triangle) < std::tie(y.a, y.b, y.triangle);
    };
    std::uint32_t highest = 0;
    for (const Side& side : sides) highest = std::max(highest, side.a);
    if (highest > 4 * sides.size()) {  // only few of many vertices are used: no table over all
        std::sort(sides.begin(), sides.end(), before);
        return sides;
    }
    // Bucketed by the lower vertex in one pass; only the few sides of each vertex are sorted.
    std::vector<std::uint32_t> start(std::size_t{highest} + 2, 0);
    for (const Side& side : sides) ++start[side.a + 1];
    std::partial_sum(start.begin(), start.end(), start.begin());
    std::vector<std::uint32_t> next(start.begin(), start.end() - 1);
    std::vector<Side> sorted(sides.size());
    for (const Side& side : sides) sorted[next[side.a]++] = side;
    for (std::size_t v = 0; v + 1 < start.size(); ++v) {
        std::sort(sorted.begin() + start[v], sorted.begin() + start[v + 1], before);
    }
    return sorted;
}

}  // namespace

std::vector<std::uint32_t> weld_map(const std::vector<Vec3f>& positions) {
    // Open addressing over vertex indices: no node allocations, and the first vertex at a position wins.
    const std::size_t capacity = std::bit_ceil(std::max<std::size_t>(16, positions.size() * 2));
    constexpr std::uint32_t free = 0xFFFFFFFFu;
    std::vector<std::uint32_t> table(capacity, free);
    std::vector<std::uint32_t> map(positions.size());
    for (std::uint32_t v = 0; v < positions.size(); ++v) {
        const auto key = position_key(positions[v]);
        std::size_t slot = mix(key) & (capacity - 1);
        while (table[slot] != free && position_key(positions[table[slot]]) != key)
            slot = (slot + 1) & (capacity - 1);
        if (table[slot] == free) table[slot] = v;
        map[v] = table[slot];
    }
    return map;
}

std::vector<Triangle> welded(const std::vector<Triangle>& triangles, const std::vector<std::uint32_t>& map) {
    std::vector<Triangle> result(triangles);
    for (Triangle& t : result) t = {map[t[0]], map[t[1]], map[t[2]]};
    return result;
}

Rows vertex_triangles(std::size_t vertex_count, const std::vector<Triangle>& triangles) {
    Rows rows;
    rows.offsets.assign(vertex_count + 1, 0);
    for (const Triangle& t : triangles) {
        for (const std::uint32_t v : t) ++rows.offsets[v];
    }
    prefix_sum(rows.offsets);
    rows.items.resize(triangles.size() * 3);
    std::vector<std::uint32_t> next(rows.offsets.begin(), rows.offsets.end() - 1);
    for (std::uint32_t t = 0; t < triangles.size(); ++t) {
        for (const std::uint32_t v : triangles[t]) rows.items[next[v]++] = t;
    }
    return rows;
}

Rows vertex_neighbors(std::size_t vertex_count, const std::vector<Triangle>& triangles) {
    return vertex_neighbors(vertex_count, edge_table(triangles));
}

Rows vertex_neighbors(std::size_t vertex_count, const EdgeTable& table) {
    Rows rows;
    rows.offsets.assign(vertex_count + 1, 0);
    for (const Edge& edge : table.edges) {
        ++rows.offsets[edge.a];
        ++rows.offsets[edge.b];
    }
    prefix_sum(rows.offsets);
    rows.items.resize(table.edges.size() * 2);
    std::vector<std::uint32_t> next(rows.offsets.begin(), rows.offsets.end() - 1);
    // Edges are sorted by their lower vertex. Each row is filled with lower neighbours first, then with
    // higher ones, so every row is sorted.
    for (const Edge& edge : table.edges) rows.items[next[edge.b]++] = edge.a;
    for (const Edge& edge : table.edges) rows.items[next[edge.a]++] = edge.b;
    return rows;
}

EdgeTable edge_table(const std::vector<Triangle>& triangles) {
    const std::vector<Side> sides = sorted_sides(triangles);
    EdgeTable table;
    table.triangles.reserve(sides.size());
    for (const Side& side : sides) {
        if (table.edges.empty() || table.edges.back().a != side.a || table.edges.back().b != side.b) {
            table.edges.push_back({side.a, side.b, static_cast<std::uint32_t>(table.triangles.size()), 0});
        }
        ++table.edges.back().count;
        table.triangles.push_back(side.triangle);
    }
    return table;
}

Shells shells_of(const Mesh& mesh) {
    const std::vector<std::uint32_t> weld = weld_map(mesh.positions);
    std::vector<std::uint32_t> leader(mesh.vertex_count());
    std::iota(leader.begin(), leader.end(), 0u);
    const auto find = [&](std::uint32_t v) {
        while (leader[v] != v) v = leader[v] = leader[leader[v]];
        return v;
    };
    for (const Triangle& t : mesh.triangles) {
        for (int i = 1; i < 3; ++i) {
            const std::uint32_t a = find(weld[t[0]]), b = find(weld[t[static_cast<std::size_t>(i)]]);
            leader[std::max(a, b)] = std::min(a, b);
        }
    }
    Shells shells;
    shells.of_vertex.assign(mesh.vertex_count(), Shells::none);
    std::vector<std::uint32_t> number(mesh.vertex_count(), Shells::none);
    for (const Triangle& t : mesh.triangles) {
        const std::uint32_t root = find(weld[t[0]]);
        if (number[root] == Shells::none) number[root] = static_cast<std::uint32_t>(shells.count++);
        shells.of_triangle.push_back(number[root]);
        for (const std::uint32_t v : t) shells.of_vertex[v] = number[root];
    }
    return shells;
}

}  // namespace sinew::geometry
