// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Connectivity of a mesh: neighbours, edges, shells and topological invariants.
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

/// For each vertex the lowest index of a vertex at exactly the same position (-0 equals 0). Copies of a
/// vertex at seams become one.
std::vector<std::uint32_t> weld_map(const std::vector<Vec3f>& positions);

/// Triangles with their corners replaced by a weld map.
std::vector<Triangle> welded(const std::vector<Triangle>& triangles, const std::vector<std::uint32_t>& map);

/// For each vertex the triangles that use it, in increasing order.
Rows vertex_triangles(std::size_t vertex_count, const std::vector<Triangle>& triangles);

/// For each vertex its neighbours along edges, in increasing order.
Rows vertex_neighbors(std::size_t vertex_count, const std::vector<Triangle>& triangles);

/// An undirected edge and its triangles.
struct Edge {
    std::uint32_t a = 0;  ///< the lower vertex index
    std::uint32_t b = 0;
    std::uint32_t first = 0;  ///< index into EdgeTable::triangles
    std::uint32_t count = 0;  ///< 1 on a border, 2 inside, more where the mesh is not manifold
};

struct EdgeTable {
    std::vector<Edge> edges;               ///< sorted by (a, b)
    std::vector<std::uint32_t> triangles;  ///< grouped by edge
    std::span<const std::uint32_t> around(const Edge& edge) const {
        return {triangles.data() + edge.first, edge.count};
    }
};

/// All edges of the triangles; degenerate edges (both ends the same vertex) are skipped.
EdgeTable edge_table(const std::vector<Triangle>& triangles);

/// vertex_neighbors from a known edge table.
Rows vertex_neighbors(std::size_t vertex_count, const EdgeTable& table);

/// Topology of the welded surface (vertices at the same position are one), without triangles that have a
/// repeated corner.
struct Topology {
    std::size_t vertices = 0;  ///< used by a triangle, after welding
    std::size_t edges = 0;
    std::size_t faces = 0;
    std::size_t degenerate_faces = 0;    ///< excluded from the counts above
    std::size_t duplicate_vertices = 0;  ///< removed by welding
    std::size_t isolated_vertices = 0;   ///< used by no triangle
    std::size_t components = 0;          ///< shells, connected through edges or vertices
    std::size_t border_edges = 0;
    std::size_t border_loops = 0;
    std::vector<std::array<std::uint32_t, 2>>
        nonmanifold_edges;  ///< original vertex indices of edges with 3 or more faces
    std::vector<std::uint32_t> nonmanifold_vertices;  ///< vertices whose faces do not form a single fan
    bool closed = false;                              ///< no border edge, at least one face
    bool manifold = false;  ///< every edge has 1 or 2 faces and the faces of every vertex form a single fan
    bool oriented = false;  ///< neighbouring faces have consistent orientation
    std::optional<int> genus;  ///< of a closed, manifold, oriented mesh; sum over the shells
    int euler = 0;             ///< V - E + F
};

Topology topology(const Mesh& mesh);

/// The connected shells of a mesh; vertices at the same position are one. Shells are numbered by their first
/// triangle. Isolated vertices belong to none.
struct Shells {
    static constexpr std::uint32_t none = 0xffffffff;
    std::size_t count = 0;
    std::vector<std::uint32_t> of_triangle;
    std::vector<std::uint32_t> of_vertex;
};
Shells shells_of(const Mesh& mesh);

/// Cotangent of the angle at `apex` of the triangle (apex, a, b), clamped to -max .. max; 0 for a triangle
/// without area.
inline double cotangent(const math::Vec3d& apex, const math::Vec3d& a, const math::Vec3d& b,
                        double max = 1e3) {
    const math::Vec3d u = a - apex, v = b - apex;
    const double sine = u.cross(v).norm();
    return sine > 0 ? std::clamp(u.dot(v) / sine, -max, max) : 0;
}

}  // namespace sinew::geometry
