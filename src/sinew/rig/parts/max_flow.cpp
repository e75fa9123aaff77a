#include "sinew/rig/parts/face_graph.h"

#include <algorithm>
#include <limits>

namespace sinew::rig {
namespace {

constexpr double rest = 1e-12;  // less than this is an exhausted arc

}  // namespace

MinCut::MinCut(std::size_t nodes)
    : source_(static_cast<std::uint32_t>(nodes)),
      sink_(static_cast<std::uint32_t>(nodes + 1)),
      first_(nodes + 2, none),
      level_(nodes + 2, -1) {}

void MinCut::add_arcs(std::uint32_t a, std::uint32_t b, double there, double back) {
    const auto index = static_cast<std::uint32_t>(arcs_.size());
    arcs_.push_back({b, first_[a], there});
    arcs_.push_back({a, first_[b], back});
    first_[a] = index;
    first_[b] = index + 1;
}

void MinCut::add_edge(std::uint32_t a, std::uint32_t b, double capacity) {
    add_arcs(a, b, capacity, capacity);
}

void MinCut::add_terminal(std::uint32_t node, double first, double second) {
    // Only the difference matters for the cut; equal costs would be paid whatever it is.
    if (first > second) add_arcs(source_, node, first - second, 0);
    if (second > first) add_arcs(node, sink_, second - first, 0);
}

bool MinCut::find_levels() {
    std::fill(level_.begin(), level_.end(), -1);
    queue_.assign(1, source_);
    level_[source_] = 0;
    for (std::size_t i = 0; i < queue_.size(); ++i) {
        for (std::uint32_t a = first_[queue_[i]]; a != none; a = arcs_[a].next) {
            const std::uint32_t to = arcs_[a].to;
            if (arcs_[a].left <= rest || level_[to] >= 0) continue;
            level_[to] = level_[queue_[i]] + 1;
            queue_.push_back(to);
        }
    }
    return level_[sink_] >= 0;
}

double MinCut::augment(const std::vector<std::uint32_t>& way) {
    double flow = std::numeric_limits<double>::infinity();
    for (const std::uint32_t a : way) flow = std::min(flow, arcs_[a].left);
    for (const std::uint32_t a : way) {
        arcs_[a].left -= flow;
        arcs_[a ^ 1].left += flow;
    }
    return flow;
}

double MinCut::push() {
    current_ = first_;
    double total = 0;
    std::vector<std::uint32_t> way;
    std::uint32_t at = source_;
    for (;;) {
        if (at == sink_) {
            total += augment(way);
            // Back to where the way is exhausted first.
            const auto full =
                std::find_if(way.begin(), way.end(), [&](std::uint32_t a) { return arcs_[a].left <= rest; });
            at = arcs_[*full ^ 1].to;
            way.erase(full, way.end());
            continue;
        }
        std::uint32_t& a = current_[at];
        while (a != none && (arcs_[a].left <= rest || level_[arcs_[a].to] != level_[at] + 1))
            a = arcs_[a].next;
        if (a != none) {
            way.push_back(a);
            at = arcs_[a].to;
            continue;
        }
        if (way.empty()) return total;
        level_[at] = -2;  // a dead end
        at = arcs_[way.back() ^ 1].to;
        way.pop_back();
    }
}

double MinCut::solve() {
    double flow = 0;
    while (find_levels()) flow += push();
    return flow;
}

}  // namespace sinew::rig
