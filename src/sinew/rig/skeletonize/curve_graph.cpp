#include "sinew/rig/skeletonize/curve_graph.h"

#include <algorithm>

namespace sinew::rig {

CurveGraph::CurveGraph(const CurveSkeleton& curve)
    : nodes(curve.nodes), around_(curve.nodes.size()), alive_(curve.nodes.size(), 1) {
    for (const auto& [a, b] : curve.edges) link(a, b);
}

int CurveGraph::add(const CurveNode& node) {
    nodes.push_back(node);
    around_.emplace_back();
    alive_.push_back(1);
    return static_cast<int>(nodes.size()) - 1;
}

void CurveGraph::link(int a, int b) {
    if (a == b) return;
    around_[static_cast<std::size_t>(a)].insert(b);
    around_[static_cast<std::size_t>(b)].insert(a);
}

void CurveGraph::unlink(int a, int b) {
    around_[static_cast<std::size_t>(a)].erase(b);
    around_[static_cast<std::size_t>(b)].erase(a);
}

void CurveGraph::remove(int node) {
    for (const int other : std::set<int>(around(node))) unlink(node, other);
    alive_[static_cast<std::size_t>(node)] = 0;
}

void CurveGraph::merge(int into, int from) {
    const std::set<int> links = around(from);
    remove(from);
    for (const int other : links) link(into, other);
}

CurveSkeleton CurveGraph::curve() const {
    CurveSkeleton out;
    std::vector<int> number(nodes.size(), -1);
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        if (alive_[n] == 0) continue;
        number[n] = static_cast<int>(out.nodes.size());
        out.nodes.push_back(nodes[n]);
    }
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        for (const int other : around_[n]) {
            if (other > static_cast<int>(n)) {
                out.edges.push_back({number[n], number[static_cast<std::size_t>(other)]});
            }
        }
    }
    std::sort(out.edges.begin(), out.edges.end());
    return out;
}

}  // namespace sinew::rig
