#pragma once
/// \file
/// Who touches whom on a mesh.

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/geometry/mesh.h"

namespace sinew::geometry {

/// Lists of lists in two arrays: row i is items[offsets[i] .. offsets[i+1]).
struct Rows {
    std::vector<std::uint32_t> offsets{0};
    std::vector<std::uint32_t> items;

    std::size_t size() const { return offsets.size() - 1; }
    std::span<const std::uint32_t> operator[](std::size_t row) const {
        return {items.data() + offsets[row], items.data() + offsets[row + 1]};
    }
};

/// For each vertex the lowest index of a vertex at the same place (bit for bit; -0 equals 0). Split vertices
/// of seams become one.
std::vector<std::uint32_t> weld_map(const std::vector<Vec3f>& positions);

/// Triangles with their corners replaced through a weld map.
std::vector<Triangle> welded(const std::vector<Triangle>& triangles, const std::vector<std::uint32_t>& map);

/// For each vertex the triangles that use it, in rising order.
Rows vertex_triangles(std::size_t vertex_count, const std::vector<Triangle>& triangles);

/// For each vertex its neighbours along edges, in rising order.
Rows vertex_neighbors(std::size_t vertex_count, const std::vector<Triangle>& triangles);

/// An undirected edge and the triangles on it.
struct Edge {
    std::uint32_t a = 0;  ///< the lower vertex index
    std::uint32_t b = 0;
    std::uint32_t first = 0;  ///< into EdgeTable::triangles
    std::uint32_t count = 0;  ///< 1 on a border, 2 inside, more where it is not manifold
};

struct EdgeTable {
    std::vector<Edge> edges;               ///< sorted by (a, b)
    std::vector<std::uint32_t> triangles;  ///< grouped by edge
    std::span<const std::uint32_t> around(const Edge& edge) const {
        return {triangles.data() + edge.first, edge.count};
    }
};

/// Edges of all triangles; a side whose two corners are the same vertex is left out.
EdgeTable edge_table(const std::vector<Triangle>& triangles);

/// The same as vertex_neighbors of the triangles, when their edges are known.
Rows vertex_neighbors(std::size_t vertex_count, const EdgeTable& table);

}  // namespace sinew::geometry
