// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Branches of a curve skeleton, and an editable curve skeleton.

#include <set>
#include <vector>

#include "sinew/rig/skeletonize.h"

namespace sinew::rig {

/// A chain between two nodes whose degree is not 2, both ends included; a cycle without such nodes is one
/// chain that starts and ends at its lowest node.
struct CurveBranch {
    std::vector<int> nodes;
    double length = 0;
};

/// Edges at each node.
std::vector<int> degrees(const CurveSkeleton& curve);

/// All branches, each once, ordered by their lowest end.
std::vector<CurveBranch> branches(const CurveSkeleton& curve);

/// Number of connected pieces of the graph.
int piece_count(const CurveSkeleton& curve);

/// An editable curve skeleton: nodes with the sets of their neighbours.
class CurveGraph {
  public:
    explicit CurveGraph(const CurveSkeleton& curve);

    std::vector<CurveNode> nodes;

    std::size_t size() const { return nodes.size(); }
    const std::set<int>& around(int node) const { return around_[static_cast<std::size_t>(node)]; }
    std::size_t degree(int node) const { return around(node).size(); }
    CurveNode& at(int node) { return nodes[static_cast<std::size_t>(node)]; }
    const CurveNode& at(int node) const { return nodes[static_cast<std::size_t>(node)]; }
    int add(const CurveNode& node);
    void link(int a, int b);
    void unlink(int a, int b);
    void remove(int node);  ///< with its edges
    /// Moves all links of `from` to `into` and removes `from`.
    void merge(int into, int from);
    bool alive(int node) const { return alive_[static_cast<std::size_t>(node)] != 0; }
    /// The remaining nodes, in order.
    CurveSkeleton curve() const;

  private:
    std::vector<std::set<int>> around_;
    std::vector<char> alive_;
};

}  // namespace sinew::rig
