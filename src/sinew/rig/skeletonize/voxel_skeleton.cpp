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
    /// Seen from the apex, depth grows by the sine of the angle at which the end opens: at least 0.58 in the
    /// corner of a box, 1 in a round end, and hardly in a pointed one, which keeps its apex.
    std::size_t trimmed(const std::vector<std::uint32_t>& way) const {
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

}  // namespace

std::vector<BodyTip> limb_tips(const BodyField& field, const BodyGraph& graph, double least_limb) {
    const auto least = static_cast<float>(least_limb / 100 * field.diagonal / field.cell());
    return body_tips(graph, graph.distances(body_roots(graph, field), {}), least);
}

CurveSkeleton voxel_curve(const BodyField& field, const BodyGraph& graph,
                          const VoxelSkeletonOptions& options) {
    Tree tree(graph, options.centring);
    for (const std::uint32_t root : body_roots(graph, field)) tree.plant(root);
    for (const BodyTip& tip : limb_tips(field, graph, options.least_limb)) tree.grow(tip.node);
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
