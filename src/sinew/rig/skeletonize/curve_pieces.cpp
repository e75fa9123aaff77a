#include "sinew/rig/skeletonize/curve_pieces.h"

#include <algorithm>
#include <limits>

#include "sinew/rig/skeletonize/curve_graph.h"

namespace sinew::rig {
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

/// The nearest two nodes of which the first lies in the piece and the second in none that is loose.
std::array<int, 2> shortest_bridge(const CurveSkeleton& curve, const std::vector<int>& piece, int from,
                                   const std::vector<char>& loose, double& length) {
    std::array<int, 2> best = {-1, -1};
    length = std::numeric_limits<double>::infinity();
    for (std::size_t a = 0; a < curve.nodes.size(); ++a) {
        if (piece[a] != from) continue;
        for (std::size_t b = 0; b < curve.nodes.size(); ++b) {
            if (loose[static_cast<std::size_t>(piece[b])] != 0) continue;
            const double distance = (curve.nodes[a].position - curve.nodes[b].position).norm() -
                                    curve.nodes[a].radius - curve.nodes[b].radius;
            if (distance >= length) continue;
            length = distance;
            best = {static_cast<int>(std::min(a, b)), static_cast<int>(std::max(a, b))};
        }
    }
    return best;
}

}  // namespace

std::vector<float> ball_distances(const CurveSkeleton& curve, const BodyField& field, const BodyGraph& graph,
                                  std::vector<std::uint32_t>* owner) {
    std::vector<std::uint32_t> sources, node_of_source;
    std::vector<float> starts;
    double largest = 0;
    for (const CurveNode& node : curve.nodes) largest = std::max(largest, node.radius);
    for (std::size_t n = 0; n < curve.nodes.size(); ++n) {
        const std::uint32_t source = graph.nearest(curve.nodes[n].position, 3);
        if (source == BodyGraph::none) continue;
        sources.push_back(source);
        // All balls are left at the same moment.
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
    ball_distances(curve, field, graph, &owner);
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
            // From every free end back to the junction; nothing goes when there is none, or a tip is served.
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
    // The nearest loose piece first, because another may hang on it.
    while (std::count(loose.begin(), loose.end(), 1) > 0) {
        double least = std::numeric_limits<double>::infinity();
        std::array<int, 2> bridge = {-1, -1};
        std::size_t which = 0;
        for (std::size_t p = 0; p < loose.size(); ++p) {
            if (loose[p] == 0) continue;
            double length = 0;
            const auto edge = shortest_bridge(curve, piece, static_cast<int>(p), loose, length);
            if (length >= least) continue;
            least = length;
            bridge = edge;
            which = p;
        }
        if (bridge[0] < 0) break;
        curve.edges.push_back(bridge);
        loose[which] = 0;
        ++tied;
    }
    std::sort(curve.edges.begin(), curve.edges.end());
    return tied;
}

}  // namespace sinew::rig
