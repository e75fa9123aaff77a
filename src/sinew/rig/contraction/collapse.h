// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// A surface whose faces are removed one by one: vertices, edges and faces, where an edge may have any number
/// of faces.

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "sinew/rig/contraction/contraction_mesh.h"
#include "sinew/rig/curve/curve_skeleton.h"

namespace sinew::rig {

class CollapseComplex {
  public:
    explicit CollapseComplex(const ContractionMesh& mesh);

    std::vector<Vec3d> position;

    std::size_t size() const { return around_.size(); }
    const std::set<int>& around(int v) const { return around_[slot(v)]; }
    bool is_edge(int a, int b) const { return around_[slot(a)].contains(b); }
    bool has_face(int a, int b) const;
    double distance(int a, int b) const { return (position[slot(a)] - position[slot(b)]).norm(); }
    /// Merges `gone` into `into`, with all its edges and faces; positions do not change.
    void merge(int into, int gone);
    /// The vertex that a vertex was merged into; itself if it still exists.
    int became(int v) const;
    /// The remaining graph, without vertices that never had an edge. `node_of`, if given, receives the node
    /// of every vertex of the mesh, or -1.
    CurveSkeleton curve(std::vector<int>* node_of = nullptr) const;

  private:
    using Face = std::array<int, 3>;
    static std::size_t slot(int v) { return static_cast<std::size_t>(v); }
    void link(int a, int b);

    std::vector<std::set<int>> around_;
    std::vector<std::set<Face>> faces_;
    std::vector<int> became_;
    std::vector<char> was_used_;
};

/// Collapses the shortest edge that still has a face, repeatedly, until no face is left; the remaining nodes
/// and edges are a curve. A node lies at the mean of its merged vertices.
CurveSkeleton collapse_to_curve(const ContractionMesh& mesh);

}  // namespace sinew::rig
