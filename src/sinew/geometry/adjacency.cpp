#include "sinew/geometry/topology.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>
#include <utility>

namespace sinew::geometry {
namespace {

/// Bits of a coordinate, with -0 as 0, so that equal places have equal keys.
std::array<std::uint32_t, 3> place_key(const Vec3f& p) {
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
    if (highest > 4 * sides.size()) {  // few of many vertices are used: no table over all of them
        std::sort(sides.begin(), sides.end(), before);
        return sides;
    }
    // By the lower vertex in one pass; what is left to sort are the few sides of a vertex.
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
    // Open addressing over vertex indices: no node allocations, and the first vertex at a place wins.
    const std::size_t capacity = std::bit_ceil(std::max<std::size_t>(16, positions.size() * 2));
    constexpr std::uint32_t free = 0xFFFFFFFFu;
    std::vector<std::uint32_t> table(capacity, free);
    std::vector<std::uint32_t> map(positions.size());
    for (std::uint32_t v = 0; v < positions.size(); ++v) {
        const auto key = place_key(positions[v]);
        std::size_t slot = mix(key) & (capacity - 1);
        while (table[slot] != free && place_key(positions[table[slot]]) != key)
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
    // Edges come sorted by their lower vertex: filling the higher vertex's row first with lower neighbours,
    // then the lower vertex's row with higher ones, leaves every row sorted.
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

}  // namespace sinew::geometry
