#pragma once
/// \file
/// What kind of surface a mesh is.

#include <optional>


namespace sinew::geometry {

/// Counted on the welded surface (vertices at the same place are one), without triangles that have a repeated
/// corner.
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

}  // namespace sinew::geometry
