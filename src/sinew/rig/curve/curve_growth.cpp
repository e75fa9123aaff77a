// SPDX-License-Identifier: MIT
#include "sinew/rig/curve/curve_growth.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <queue>

#include "sinew/rig/curve/curve_skeleton.h"

namespace sinew::rig {

namespace {

constexpr float unreached = std::numeric_limits<float>::infinity();
constexpr double no_limit = std::numeric_limits<double>::infinity();

/// The free end whose limb each node belongs to, or -1. A branch with two free ends is halved.
std::vector<int> end_of_nodes(const CurveSkeleton& curve) {
    const std::vector<int> degree = degrees(curve);
    std::vector<int> out(curve.nodes.size(), -1);
    const auto is_end = [&](int node) { return degree[static_cast<std::size_t>(node)] == 1; };
    const auto give = [&](auto first, auto last, int end) {
        for (auto n = first; n != last; ++n) out[static_cast<std::size_t>(*n)] = end;
    };
    for (const CurveBranch& branch : branches(curve)) {
        const auto& nodes = branch.nodes;
        const auto half = static_cast<std::ptrdiff_t>(nodes.size() / 2);
        const bool front = is_end(nodes.front()), back = is_end(nodes.back());
        if (front) give(nodes.begin(), back ? nodes.begin() + half : nodes.end() - 1, nodes.front());
        if (back) give(nodes.rbegin(), front ? nodes.rend() - half : nodes.rend() - 1, nodes.back());
    }
    return out;
}

}  // namespace

CurveGrowth::CurveGrowth(const BodyGraph& graph, double centring, const CurveSkeleton& start)
    : graph_(graph),
      curve_(start),
      curve_of_(graph.size(), -1),
      cost_(graph.size(), unreached),
      from_(graph.size()),
      price_(graph.size()) {
    for (std::uint32_t n = 0; n < graph.size(); ++n) {
        price_[n] = std::pow(graph.depth(n), -static_cast<float>(centring));
    }
    for (std::size_t n = 0; n < start.nodes.size(); ++n) {
        const std::uint32_t cell = graph.nearest(start.nodes[n].position, 3);
        if (cell != BodyGraph::none && curve_of_[cell] < 0) curve_of_[cell] = static_cast<int>(n);
    }
}

void CurveGrowth::plant(std::uint32_t root) {
    if (root == BodyGraph::none) return;  // a cut removed the whole body
    curve_of_[root] = curve_.add({graph_.position(root), 0});
}

void CurveGrowth::plant(std::uint32_t from, std::uint32_t to) {
    Path path = path_from(from, [&](std::uint32_t node) { return node == to; });
    if (path.empty()) {  // a body that was cut in two
        plant(from);
        plant(to);
        return;
    }
    path.erase(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(trimmed(path, no_limit)));
    std::reverse(path.begin(), path.end());
    path.erase(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(trimmed(path, no_limit)));
    plant(path.back());
    append(path);
}

void CurveGrowth::grow(const BodyTip& tip) {
    add(tip, path_from(tip.node, [&](std::uint32_t cell) { return curve_of_[cell] >= 0; }));
}

void CurveGrowth::grow(const BodyTip& tip, int node) {
    add(tip, path_from(tip.node, [&](std::uint32_t cell) { return curve_of_[cell] == node; }));
}

void CurveGrowth::add(const BodyTip& tip, Path path) {
    // The limb that a side limb protrudes from is much thicker: the search for the sphere that fills the end
    // would leave the side limb.
    const double most_cut = tip.side ? static_cast<double>(tip.distance) / 4 : no_limit;
    path.erase(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(trimmed(path, most_cut)));
    append(path);
}

void CurveGrowth::close(int node) {
    const std::uint32_t cell = graph_.nearest(curve_.at(node).position, 3);
    if (cell != BodyGraph::none && curve_of_[cell] == node) curve_of_[cell] = -1;
}

/// Nodes for all cells of a path except the last, which already has one.
void CurveGrowth::append(const Path& path) {
    if (path.empty()) return;
    int last = curve_of_[path.back()];
    for (std::size_t i = path.size() - 1; i-- > 0;) {
        const int node = curve_.add({graph_.position(path[i]), 0});
        curve_of_[path[i]] = node;
        curve_.link(last, node);
        last = node;
    }
}

/// Dijkstra's algorithm from the tip to the first goal, which is the last cell of the path.
template <class Goal>
CurveGrowth::Path CurveGrowth::path_from(std::uint32_t tip, const Goal& is_goal) {
    // Costs are not negative, so their bits have the same order, and one number holds cost and cell.
    std::priority_queue<std::uint64_t, std::vector<std::uint64_t>, std::greater<>> queue;
    const auto push = [&](float cost, std::uint32_t node) {
        queue.push(std::uint64_t{std::bit_cast<std::uint32_t>(cost)} << 32 | node);
    };
    Path touched = {tip};
    cost_[tip] = 0;
    from_[tip] = tip;
    push(0, tip);
    std::uint32_t goal = BodyGraph::none;
    while (!queue.empty()) {
        const auto node = static_cast<std::uint32_t>(queue.top());
        const auto cost = std::bit_cast<float>(static_cast<std::uint32_t>(queue.top() >> 32));
        queue.pop();
        if (cost > cost_[node]) continue;
        if (is_goal(node)) {
            goal = node;
            break;
        }
        graph_.for_each_neighbour(node, [&](std::uint32_t next, float length) {
            const float sum = cost + length * (price_[node] + price_[next]) / 2;
            if (!(sum < cost_[next])) return;
            if (cost_[next] == unreached) touched.push_back(next);
            cost_[next] = sum;
            from_[next] = node;
            push(sum, next);
        });
    }
    Path path;
    for (std::uint32_t n = goal; n != BodyGraph::none; n = from_[n]) {
        path.push_back(n);
        if (n == tip) break;
    }
    for (const std::uint32_t n : touched) cost_[n] = unreached;
    std::reverse(path.begin(), path.end());
    return path;
}

/// The path starts on the surface; the curve of a limb ends at the centre of the sphere that fills its end.
/// From the apex, depth increases with the sine of the opening angle of the end: at least 0.58 in the corner
/// of a box, 1 in a round end, and near 0 in a pointed end, which keeps its apex.
std::size_t CurveGrowth::trimmed(const Path& path, double most_cut) const {
    if (path.size() < 2) return 0;
    const Vec3d apex = graph_.position(path[0]);
    const double cell = (graph_.position(path[1]) - apex).cwiseAbs().maxCoeff();
    std::size_t end = 0;
    double best = 0;
    for (std::size_t i = 1; i + 1 < path.size(); ++i) {
        const double away = (graph_.position(path[i]) - apex).norm() / cell;
        const double gain = static_cast<double>(graph_.depth(path[i])) - 0.5 * away;
        if (gain < best - 1 || away > most_cut) break;
        if (gain <= best) continue;
        best = gain;
        end = i;
    }
    return end;
}

CurveSkeleton with_all_tips(const CurveSkeleton& curve, const BodyGraph& graph,
                            const std::vector<BodyTip>& tips, const std::vector<int>& node_of_tip,
                            double centring) {
    const std::vector<int> end_of = end_of_nodes(curve);
    std::vector<char> taken(curve.nodes.size());
    CurveGrowth growth(graph, centring, curve);
    std::vector<BodyTip> missed;
    for (std::size_t t = 0; t < tips.size(); ++t) {
        if (node_of_tip[t] < 0) continue;
        const int end = end_of[static_cast<std::size_t>(node_of_tip[t])];
        if (end < 0 || taken[static_cast<std::size_t>(end)] != 0) {
            missed.push_back(tips[t]);
            continue;
        }
        taken[static_cast<std::size_t>(end)] = 1;
        growth.grow(tips[t], end);
    }
    for (std::size_t n = 0; n < taken.size(); ++n) {
        if (taken[n] != 0) growth.close(static_cast<int>(n));
    }
    for (const BodyTip& tip : missed) growth.grow(tip);
    return growth.curve();
}

CurveSkeleton with_side_tips(const CurveSkeleton& curve, const BodyGraph& graph,
                             const std::vector<BodyTip>& tips, double centring) {
    CurveGrowth growth(graph, centring, curve);
    for (const BodyTip& tip : tips) growth.grow(tip);
    return growth.curve();
}

namespace {

/// Pieces numbered by their lowest node.
std::vector<int> piece_of_nodes(const CurveGraph& graph) {
    std::vector<int> piece(graph.size(), -1);
    int count = 0;
    for (std::size_t start = 0; start < piece.size(); ++start) {
        if (piece[start] >= 0) continue;
        std::vector<int> queue = {static_cast<int>(start)};
        piece[start] = count;
        while (!queue.empty()) {
            const int node = queue.back();
            queue.pop_back();
            for (const int next : graph.around(node)) {
                if (piece[static_cast<std::size_t>(next)] >= 0) continue;
                piece[static_cast<std::size_t>(next)] = count;
                queue.push_back(next);
            }
        }
        ++count;
    }
    return piece;
}

/// For every node of a loose piece the nearest node of a connected piece, while pieces are connected one by
/// one (Prim's algorithm: quadratic in the nodes, for any number of pieces).
class NearestTied {
  public:
    NearestTied(const CurveSkeleton& curve, const std::vector<int>& piece, std::vector<char>& loose)
        : curve_(curve), piece_(piece), loose_(loose), nearest_(curve.nodes.size()) {
        for (std::size_t b = 0; b < nearest_.size(); ++b)
            if (!is_loose(b)) reach_from(b);
    }

    /// The node of a loose piece that is nearest, or -1; its partner is `partner`.
    int next() const {
        int best = -1;
        for (std::size_t a = 0; a < nearest_.size(); ++a) {
            if (!is_loose(a) || nearest_[a].node < 0) continue;
            const double least = best < 0 ? 0 : nearest_[static_cast<std::size_t>(best)].distance;
            const bool nearer =
                best < 0 || nearest_[a].distance < least ||
                (nearest_[a].distance == least && piece_[a] < piece_[static_cast<std::size_t>(best)]);
            if (nearer) best = static_cast<int>(a);
        }
        return best;
    }
    int partner(int node) const { return nearest_[static_cast<std::size_t>(node)].node; }

    /// Marks the piece of a node as connected.
    void tie(int node) {
        const int tied = piece_[static_cast<std::size_t>(node)];
        loose_[static_cast<std::size_t>(tied)] = 0;
        for (std::size_t b = 0; b < nearest_.size(); ++b)
            if (piece_[b] == tied) reach_from(b);
    }

  private:
    struct Partner {
        double distance = std::numeric_limits<double>::infinity();
        int node = -1;
    };

    bool is_loose(std::size_t node) const { return loose_[static_cast<std::size_t>(piece_[node])] != 0; }
    void reach_from(std::size_t b) {
        for (std::size_t a = 0; a < nearest_.size(); ++a) {
            if (!is_loose(a)) continue;
            const double distance = (curve_.nodes[a].position - curve_.nodes[b].position).norm() -
                                    curve_.nodes[a].radius - curve_.nodes[b].radius;
            Partner& known = nearest_[a];
            if (distance < known.distance || (distance == known.distance && static_cast<int>(b) < known.node))
                known = {distance, static_cast<int>(b)};
        }
    }

    const CurveSkeleton& curve_;
    const std::vector<int>& piece_;
    std::vector<char>& loose_;
    std::vector<Partner> nearest_;
};

}  // namespace

std::vector<float> sphere_distances(const CurveSkeleton& curve, const BodyField& field,
                                    const BodyGraph& graph, std::vector<std::uint32_t>* owner) {
    std::vector<std::uint32_t> sources, node_of_source;
    std::vector<float> starts;
    double largest = 0;
    for (const CurveNode& node : curve.nodes) largest = std::max(largest, node.radius);
    for (std::size_t n = 0; n < curve.nodes.size(); ++n) {
        const std::uint32_t source = graph.nearest(curve.nodes[n].position, 3);
        if (source == BodyGraph::none) continue;
        sources.push_back(source);
        // The search leaves all spheres at the same time.
        starts.push_back(static_cast<float>((largest - curve.nodes[n].radius) / field.cell()));
        node_of_source.push_back(static_cast<std::uint32_t>(n));
    }
    std::vector<float> distance = graph.distances(sources, starts, owner);
    for (float& value : distance) value -= static_cast<float>(largest / field.cell());
    if (owner == nullptr) return distance;
    for (std::uint32_t& source : *owner) {
        if (source != BodyGraph::none) source = node_of_source[source];
    }
    return distance;
}

std::vector<std::uint32_t> node_of_cells(const CurveSkeleton& curve, const BodyField& field,
                                         const BodyGraph& graph) {
    std::vector<std::uint32_t> owner;
    sphere_distances(curve, field, graph, &owner);
    return owner;
}

std::vector<int> nodes_of_tips(const CurveSkeleton& curve, const BodyField& field, const BodyGraph& graph,
                               const std::vector<BodyTip>& tips) {
    const std::vector<std::uint32_t> label = node_of_cells(curve, field, graph);
    std::vector<int> nodes;
    for (const BodyTip& tip : tips) {
        const std::uint32_t node = label[tip.node];
        nodes.push_back(node == BodyGraph::none ? -1 : static_cast<int>(node));
    }
    return nodes;
}

CurveSkeleton without_idle(const CurveSkeleton& curve, std::vector<int>& node_of_tip) {
    std::vector<char> serves(curve.nodes.size());
    for (const int node : node_of_tip) {
        if (node >= 0) serves[static_cast<std::size_t>(node)] = 1;
    }
    CurveGraph kept(curve);
    for (bool again = true; again;) {
        again = false;
        for (std::size_t end = 0; end < curve.nodes.size(); ++end) {
            // From every free end back to the junction; nothing is removed when there is no junction, or a
            // tip belongs to the branch.
            std::vector<int> branch;
            int node = static_cast<int>(end), last = -1;
            if (!kept.alive(node) || kept.degree(node) != 1) continue;
            bool idle = true;
            while (kept.degree(node) < 3) {
                branch.push_back(node);
                idle = idle && serves[static_cast<std::size_t>(node)] == 0;
                int next = -1;
                for (const int other : kept.around(node)) {
                    if (other != last) next = other;
                }
                if (next < 0) break;
                last = node;
                node = next;
            }
            if (!idle || kept.degree(node) < 3) continue;
            for (const int gone : branch) kept.remove(gone);
            again = true;
        }
    }
    std::vector<int> number(curve.nodes.size());
    for (std::size_t n = 0, count = 0; n < number.size(); ++n) {
        number[n] = static_cast<int>(count);
        count += kept.alive(static_cast<int>(n));
    }
    for (int& node : node_of_tip) {
        if (node >= 0) node = number[static_cast<std::size_t>(node)];
    }
    return kept.curve();
}

int tie_loose_pieces(CurveSkeleton& curve, const BodyField& field, const BodyGraph& graph, double own) {
    std::vector<int> piece = piece_of_nodes(CurveGraph(curve));
    const int count = piece.empty() ? 0 : *std::max_element(piece.begin(), piece.end()) + 1;
    if (count < 2) return 0;
    std::vector<double> volume(static_cast<std::size_t>(count));
    for (const std::uint32_t node : node_of_cells(curve, field, graph)) {
        if (node != BodyGraph::none) ++volume[static_cast<std::size_t>(piece[node])];
    }
    const double largest = *std::max_element(volume.begin(), volume.end());
    std::vector<char> loose(volume.size());
    for (std::size_t p = 0; p < loose.size(); ++p) loose[p] = volume[p] < own * largest;
    int tied = 0;
    // The nearest loose piece first, because another may be attached to it.
    NearestTied search(curve, piece, loose);
    for (int node = search.next(); node >= 0; node = search.next(), ++tied) {
        const int partner = search.partner(node);
        curve.edges.push_back({std::min(node, partner), std::max(node, partner)});
        search.tie(node);
    }
    std::sort(curve.edges.begin(), curve.edges.end());
    return tied;
}

}  // namespace sinew::rig
