#pragma once
/// \file
/// Minimum cuts of graphs with two terminals.

#include <cstdint>
#include <vector>

namespace sinew::rig {

/// The cheapest set of edges that separates the nodes held by one terminal from those held by the other
/// (Dinic 1970). Nodes are numbered from 0.
class MinCut {
  public:
    explicit MinCut(std::size_t nodes);

    /// Both ways cost the same.
    void add_edge(std::uint32_t a, std::uint32_t b, double capacity);
    /// What it costs when the node ends up on the second side, and on the first.
    void add_terminal(std::uint32_t node, double first, double second);

    /// Cost of the cut.
    double solve();
    /// After `solve`: whether a node is on the first side.
    bool on_first_side(std::uint32_t node) const { return level_[node] >= 0; }

  private:
    struct Arc {
        std::uint32_t to;
        std::uint32_t next;  ///< of the same node; the last has `none`
        double left;
    };
    static constexpr std::uint32_t none = 0xffffffff;

    void add_arcs(std::uint32_t a, std::uint32_t b, double there, double back);
    bool find_levels();
    double push();
    double augment(const std::vector<std::uint32_t>& way);

    std::uint32_t source_, sink_;
    std::vector<Arc> arcs_;  ///< pairs: arc i and i ^ 1 run opposite ways
    std::vector<std::uint32_t> first_, current_;
    std::vector<int> level_;
    std::vector<std::uint32_t> queue_;
};

}  // namespace sinew::rig
