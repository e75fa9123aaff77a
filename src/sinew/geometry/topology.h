// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Who touches whom on a mesh.
///
/// \code
/// const geometry::Topology facts = geometry::topology(mesh);
/// if (!facts.closed) std::puts("the mesh has holes");
/// \endcode

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sinew/geometry/mesh.h"
#include "sinew/math/types.h"

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

/// For each vertex the lowest index of a vertex at the same position (bit for bit; -0 equals 0). Split
/// vertices of seams become one.
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

/// Counted on the welded surface (vertices at the same position are one), without triangles that have a
/// repeated corner.
struct Topology {
    std::size_t vertices = 0;  ///< used by a triangle, after welding
    std::size_t edges = 0;
    std::size_t faces = 0;
    std::size_t degenerate_faces = 0;    ///< left out of the counts above
    std::size_t duplicate_vertices = 0;  ///< removed by welding
    std::size_t isolated_vertices = 0;   ///< used by no triangle
    std::size_t components = 0;          ///< shells connected through edges and vertices
    std::size_t border_edges = 0;
    std::size_t border_loops = 0;
    std::vector<std::array<std::uint32_t, 2>>
        nonmanifold_edges;  ///< original vertex indices of edges with 3 or more faces
    std::vector<std::uint32_t> nonmanifold_vertices;  ///< whose faces are not one fan
    bool closed = false;                              ///< no border, at least one face
    bool manifold = false;     ///< every edge has 1 or 2 faces and every vertex one fan
    bool oriented = false;     ///< neighbours agree on which side is out
    std::optional<int> genus;  ///< of a closed, manifold, oriented mesh: summed over the shells
    int euler = 0;             ///< V - E + F
};

Topology topology(const Mesh& mesh);

/// Vertices at the same position are one. Shells are numbered by their first triangle; an isolated vertex has
/// none.
struct Shells {
    static constexpr std::uint32_t none = 0xffffffff;
    std::size_t count = 0;
    std::vector<std::uint32_t> of_triangle;
    std::vector<std::uint32_t> of_vertex;
};
Shells shells_of(const Mesh& mesh);

/// Cotangent of the angle at `apex` of the triangle (apex, a, b); 0 for a triangle without area, never beyond
/// `most` on either side.
inline double cotangent(const math::Vec3d& apex, const math::Vec3d& a, const math::Vec3d& b,
                        double max = 1e3) {
    const math::Vec3d u = a - apex, v = b - apex;
    const double sine = u.cross(v).norm();
    return sine > 0 ? std::clamp(u.dot(v) / sine, -max, max) : 0;
}

}  // namespace sinew::geometry
