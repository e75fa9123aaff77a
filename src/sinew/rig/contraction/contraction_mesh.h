// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// A closed triangle surface under edge collapses and edge splits.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/geometry/mesh.h"

namespace sinew::rig {

using math::Vec3d;

class ContractionMesh {
  public:
    using Face = std::array<int, 3>;

    /// \pre The triangles are a closed, manifold, oriented surface; positions are in any unit.
    ContractionMesh(std::vector<Vec3d> positions, std::vector<Face> faces);

    std::vector<Vec3d> position;
    std::vector<Vec3d> pole;     ///< target point of the contraction around each vertex
    std::vector<char> is_fixed;  ///< vertices that have converged

    std::size_t vertex_slots() const { return position.size(); }
    bool has_vertex(int v) const { return !around_[index(v)].empty(); }
    std::size_t vertex_count() const { return vertices_; }
    std::size_t face_count() const { return faces_alive_; }
    /// A removed face has -1 as its first corner.
    const std::vector<Face>& faces() const { return faces_; }
    std::span<const int> faces_at(int v) const { return around_[index(v)]; }

    double length(int a, int b) const { return (position[index(a)] - position[index(b)]).norm(); }
    double area() const;
    /// Whether collapsing an edge preserves the topology: its ends have only the two common neighbours
    /// opposite the edge (link condition, Dey et al. 1999), and the surface is more than a tetrahedron.
    bool can_collapse(int a, int b) const;
    /// Merges `b` into `a`, at a point.
    void collapse(int a, int b, const Vec3d& point);
    /// Inserts a vertex on the edge and returns it.
    int split(int a, int b, const Vec3d& point);

    /// Calls `body(a, b)` once for every edge that exists before the call, if it still exists at that time.
    template <class Body>
    void for_each_edge(const Body& body) {
        for (std::size_t f = 0, count = faces_.size(); f < count; ++f) {
            for (std::size_t i = 0; i < 3; ++i) {
                if (faces_[f][0] < 0) break;
                const int a = faces_[f][i], b = faces_[f][(i + 1) % 3];
                if (a < b) body(a, b);
            }
        }
    }

    /// The corner of a face that is neither a nor b.
    int opposite(int face, int a, int b) const;
    /// Faces on an edge: two on a closed surface.
    void faces_on(int a, int b, std::vector<int>& out) const;

  private:
    static std::size_t index(int i) { return static_cast<std::size_t>(i); }
    void remove_face(int face);

    std::vector<Face> faces_;
    std::vector<std::vector<int>> around_;
    mutable std::vector<int> stamp_;  ///< per vertex: marker of the last query that visited it
    mutable int next_stamp_ = 0;
    std::size_t faces_alive_ = 0;
    std::size_t vertices_ = 0;
};

/// Remeshes to edges of about equal length, with about `vertices` vertices: long edges are split, short ones
/// collapsed.
void remesh_evenly(ContractionMesh& mesh, std::size_t vertices);

}  // namespace sinew::rig
