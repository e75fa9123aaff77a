#include "sinew/rig/skeletonize/voxel_skeleton.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

#include "sinew/rig/skeleton_quality.h"
#include "sinew/rig/skeletonize/body_tips.h"
#include "sinew/rig/skeletonize/curve_graph.h"
#include "sinew/rig/skeletonize/curve_pieces.h"
#include "sinew/rig/skeletonize/unit_frame.h"

namespace sinew::rig {
namespace {

/// The tree that grows: the node of the curve in each cell, or -1.
class Tree {
  public:
    Tree(const BodyGraph& graph, double centring)
        : graph_(graph),
          curve_of_(graph.size(), -1),
          cost_(graph.size(), infinity),
          from_(graph.size()),
          price_(graph.size()) {
        for (std::uint32_t n = 0; n < graph.size(); ++n) {
            price_[n] = std::pow(graph.depth(n), -static_cast<float>(centring));
        }
    }

    void plant(std::uint32_t root) { curve_of_[root] = curve_.add({graph_.position(root), 0}); }

    /// The way between two tips is the first branch of a tree.
    void plant(std::uint32_t from, std::uint32_t to) {
        std::vector<std::uint32_t> way = way_from(from, [&](std::uint32_t node) { return node == to; });
        way.erase(way.begin(), way.begin() + static_cast<std::ptrdiff_t>(trimmed(way)));
        std::reverse(way.begin(), way.end());
        way.erase(way.begin(), way.begin() + static_cast<std::ptrdiff_t>(trimmed(way)));
        plant(way.back());
        append(way);
    }

    /// Joins a tip to the tree on the cheapest way.
    void grow(std::uint32_t tip) {
        std::vector<std::uint32_t> way =
            way_from(tip, [&](std::uint32_t node) { return curve_of_[node] >= 0; });
        way.erase(way.begin(), way.begin() + static_cast<std::ptrdiff_t>(trimmed(way)));
        append(way);
    }

    CurveSkeleton curve() const { return curve_.curve(); }

  private:
    static constexpr float infinity = std::numeric_limits<float>::infinity();

    /// Nodes for all cells of a way but the last, which has one.
    void append(const std::vector<std::uint32_t>& way) {
        if (way.empty()) return;
        int last = curve_of_[way.back()];
        for (std::size_t i = way.size() - 1; i-- > 0;) {
            const int node = curve_.add({graph_.position(way[i]), 0});
            curve_of_[way[i]] = node;
            curve_.link(last, node);
            last = node;
        }
    }

    /// Dijkstra's algorithm from the tip to the first goal, which is the last cell of the way.
    template <class Goal>
    std::vector<std::uint32_t> way_from(std::uint32_t tip, const Goal& is_goal) {
        using Entry = std::pair<float, std::uint32_t>;
        std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
        std::vector<std::uint32_t> touched = {tip};
        cost_[tip] = 0;
        from_[tip] = tip;
        queue.emplace(0.0f, tip);
        std::uint32_t goal = BodyGraph::none;
        while (!queue.empty()) {
            const auto [cost, node] = queue.top();
            queue.pop();
            if (cost > cost_[node]) continue;
            if (is_goal(node)) {
                goal = node;
                break;
            }
            graph_.for_each_neighbour(node, [&](std::uint32_t next, float length) {
                const float sum = cost + length * (price_[node] + price_[next]) / 2;
                if (!(sum < cost_[next])) return;
                if (cost_[next] == infinity) touched.push_back(next);
                cost_[next] = sum;
                from_[next] = node;
                queue.emplace(sum, next);
            });
        }
        std::vector<std::uint32_t> way;
        for (std::uint32_t n = goal; n != BodyGraph::none; n = from_[n]) {
            way.push_back(n);
            if (n == tip) break;
        }
        for (const std::uint32_t n : touched) cost_[n] = infinity;
        std::reverse(way.begin(), way.end());
        return way;
    }

    /// The way starts on the surface; a limb's curve ends where the ball that fills its end has its middle.
    /// Seen from the apex, depth grows by the sine of the angle at which the end opens: at least 0.58 in the
    /// corner of a box, 1 in a round end, and hardly in a pointed one, which keeps its apex.
    std::size_t trimmed(const std::vector<std::uint32_t>& way) const {
        if (way.size() < 2) return 0;
        const Vec3d apex = graph_.position(way[0]);
        const double cell = (graph_.position(way[1]) - apex).cwiseAbs().maxCoeff();
        std::size_t end = 0;
        double best = 0;
        for (std::size_t i = 1; i + 1 < way.size(); ++i) {
            const double away = (graph_.position(way[i]) - apex).norm() / cell;
            const double gain = static_cast<double>(graph_.depth(way[i])) - 0.5 * away;
            if (gain < best - 1.5) break;
            if (gain <= best) continue;
            best = gain;
            end = i;
        }
        return end;
    }

    const BodyGraph& graph_;
    CurveGraph curve_{CurveSkeleton{}};
    std::vector<int> curve_of_;
    std::vector<float> cost_;
    std::vector<std::uint32_t> from_;
    std::vector<float> price_;
};

/// In cells.
float least_prominence(const BodyField& field, double percent) {
    return static_cast<float>(percent / 100 * field.diagonal / field.cell());
}

}  // namespace

std::vector<BodyTip> limb_tips(const BodyField& field, const BodyGraph& graph, double least_limb) {
    return body_tips(graph, graph.distances(body_roots(graph, field), {}),
                     least_prominence(field, least_limb));
}

CurveSkeleton voxel_curve(const BodyField& field, const BodyGraph& graph,
                          const VoxelSkeletonOptions& options) {
    const std::vector<std::uint32_t> roots = body_roots(graph, field);
    std::vector<std::uint32_t> body_of_cell;
    const std::vector<float> distance = graph.distances(roots, {}, &body_of_cell);
    std::vector<std::vector<std::uint32_t>> tips(roots.size());
    for (const BodyTip& tip : body_tips(graph, distance, least_prominence(field, options.least_limb))) {
        tips[body_of_cell[tip.node]].push_back(tip.node);
    }
    Tree tree(graph, options.centring);
    for (std::size_t b = 0; b < roots.size(); ++b) {
        // The middle matters only when nothing else gives the body a direction.
        if (tips[b].size() < 2) tree.plant(roots[b]);
        if (tips[b].size() > 1) tree.plant(tips[b][0], tips[b][1]);
        for (std::size_t t = tips[b].size() > 1 ? 2 : 0; t < tips[b].size(); ++t) tree.grow(tips[b][t]);
    }
    return refine_curve(tree.curve(), field, options.refine);
}

VoxelSkeletonResult voxel_skeleton(const geometry::Mesh& mesh, const VoxelSkeletonOptions& options,
                                   Monitor& monitor) {
    const UnitFrame frame = unit_frame(mesh);
    const geometry::Mesh body = in_unit(mesh, frame);
    const BodyField field = body_field(body, options.body, monitor);
    const BodyGraph graph(field);
    step(monitor, "skeleton", 0.2);
    VoxelSkeletonResult result;
    result.curve = voxel_curve(field, graph, options);
    step(monitor, "skeleton", 0.8);
    finish_curve(result.curve, body, field, graph, monitor);
    result.inside_fraction = inside_fraction(result.curve, field.solid);
    result.bodies = piece_count(result.curve);
    result.cell = field.cell() / frame.scale;
    to_world(result.curve, frame);
    step(monitor, "skeleton", 1);
    return result;
}

}  // namespace sinew::rig
