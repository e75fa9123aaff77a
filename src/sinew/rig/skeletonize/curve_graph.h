#pragma once
/// \file
/// A curve skeleton that changes: nodes with the set of their neighbours.

#include <set>

#include "sinew/rig/curve_skeleton.h"

namespace sinew::rig {

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
    /// All links of `from` go to `into`; `from` is gone.
    void merge(int into, int from);
    bool alive(int node) const { return alive_[static_cast<std::size_t>(node)] != 0; }
    /// Without the removed nodes, in their order.
    CurveSkeleton curve() const;

  private:
    std::vector<std::set<int>> around_;
    std::vector<char> alive_;
};

}  // namespace sinew::rig
