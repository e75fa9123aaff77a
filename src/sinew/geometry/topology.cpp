#include "sinew/geometry/topology.h"

#include <algorithm>
#include <numeric>

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

/// True when triangle t runs along the edge from a to b.
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

}  // namespace sinew::geometry
