#include "sinew/rig/skeletonize/voxel_skeleton.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

#include "sinew/rig/skeletonize/body_tips.h"
#include "sinew/rig/skeletonize/curve_graph.h"

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

    /// Joins a tip to the tree on the cheapest way.
    void grow(std::uint32_t tip) {
        const std::vector<std::uint32_t> way = way_from(tip);
        if (way.size() < 2) return;
        int last = curve_of_[way.back()];
        const std::size_t end = trimmed(way);
        for (std::size_t i = way.size() - 1; i-- > end;) {
            const int node = curve_.add({graph_.position(way[i]), 0});
            curve_of_[way[i]] = node;
            curve_.link(last, node);
            last = node;
        }
    }

    CurveSkeleton curve() const { return curve_.curve(); }

  private:
    static constexpr float infinity = std::numeric_limits<float>::infinity();

    /// Dijkstra's algorithm from the tip, until it meets the tree. Ends with the cell of the tree.
    std::vector<std::uint32_t> way_from(std::uint32_t tip) {
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
            if (curve_of_[node] >= 0) {
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
    std::size_t trimmed(const std::vector<std::uint32_t>& way) const {
        const Vec3d apex = graph_.position(way[0]);
        const double cell = (graph_.position(way[1]) - apex).cwiseAbs().maxCoeff();
        std::size_t end = 0;
        for (std::size_t i = 1; i + 1 < way.size(); ++i) {
            const double away = (graph_.position(way[i]) - apex).norm() / cell;
            if (static_cast<double>(graph_.depth(way[i])) + 1 < 0.8 * away) break;
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

}  // namespace

CurveSkeleton voxel_curve(const BodyField& field, const BodyGraph& graph,
                          const VoxelSkeletonOptions& options) {
    const auto least = static_cast<float>(options.least_limb / 100 * field.diagonal / field.cell());
    Tree tree(graph, options.centring);
    const std::vector<std::uint32_t> roots = body_roots(graph, field);
    for (const std::uint32_t root : roots) tree.plant(root);
    for (const BodyTip& tip : body_tips(graph, graph.distances(roots, {}), least)) tree.grow(tip.node);
    return refine_curve(tree.curve(), field, options.refine);
}

VoxelSkeletonResult voxel_skeleton(const geometry::Mesh& mesh, const VoxelSkeletonOptions& options,
                                   Monitor& monitor) {
    const BodyField field = body_field(mesh, options.body, monitor);
    const BodyGraph graph(field);
    step(monitor, "skeleton", 0.2);
    VoxelSkeletonResult result;
    result.curve = voxel_curve(field, graph, options);
    step(monitor, "skeleton", 0.8);
    result.curve.node_of_vertex = assign_to_nodes(result.curve, field, graph, mesh.positions);
    result.bodies = field.bodies;
    result.cell = field.cell();
    const auto inside =
        std::count_if(result.curve.nodes.begin(), result.curve.nodes.end(),
                      [&](const CurveNode& node) { return field.solid.contains(node.position); });
    result.inside_fraction =
        result.curve.empty() ? 0
                             : static_cast<double>(inside) / static_cast<double>(result.curve.nodes.size());
    step(monitor, "skeleton", 1);
    return result;
}

}  // namespace sinew::rig
