#include "sinew/rig/skeletonize/reeb_skeleton.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "sinew/rig/skeletonize/curve_pieces.h"
#include "sinew/rig/skeletonize/unit_frame.h"

namespace sinew::rig {
namespace {

/// One end of every body: the cell that is farthest from its middle.
std::vector<std::uint32_t> far_ends(const BodyField& field, const BodyGraph& graph) {
    std::vector<std::uint32_t> ends = body_roots(graph, field);
    const std::vector<float> distance = graph.distances(ends, {});
    for (std::uint32_t node = 0; node < graph.size(); ++node) {
        std::uint32_t& end = ends[graph.body(node)];
        if (distance[node] > distance[end]) end = node;
    }
    return ends;
}

class LevelGraph {
  public:
    LevelGraph(const BodyGraph& graph, const std::vector<float>& distance, double width)
        : graph_(graph), level_(graph.size()), part_(graph.size(), -1) {
        for (std::size_t n = 0; n < level_.size(); ++n) {
            level_[n] = static_cast<int>(static_cast<double>(distance[n]) / width);
        }
        for (std::uint32_t n = 0; n < graph.size(); ++n) {
            if (part_[n] < 0) add_part(n);
        }
        for (std::uint32_t n = 0; n < graph.size(); ++n) link(n);
        curve_.edges.assign(edges_.begin(), edges_.end());
    }

    CurveSkeleton curve() && { return std::move(curve_); }

  private:
    void add_part(std::uint32_t seed) {
        const int number = static_cast<int>(curve_.nodes.size());
        std::vector<std::uint32_t> cells = {seed};
        part_[seed] = number;
        Vec3d sum = Vec3d::Zero();
        for (std::size_t i = 0; i < cells.size(); ++i) {
            sum += graph_.position(cells[i]);
            graph_.for_each_neighbour(cells[i], [&](std::uint32_t next, float) {
                if (part_[next] >= 0 || level_[next] != level_[seed]) return;
                part_[next] = number;
                cells.push_back(next);
            });
        }
        curve_.nodes.push_back({sum / static_cast<double>(cells.size()), 0});
    }

    void link(std::uint32_t node) {
        graph_.for_each_neighbour(node, [&](std::uint32_t next, float) {
            if (part_[node] < part_[next]) edges_.insert({part_[node], part_[next]});
        });
    }

    const BodyGraph& graph_;
    std::vector<int> level_, part_;
    std::set<std::array<int, 2>> edges_;
    CurveSkeleton curve_;
};

}  // namespace

CurveSkeleton reeb_skeleton(const geometry::Mesh& mesh, const ReebOptions& options, Monitor& monitor) {
    const UnitFrame frame = unit_frame(mesh);
    const geometry::Mesh body = in_unit(mesh, frame);
    const BodyField field = body_field(body, options.body, monitor);
    const BodyGraph graph(field);
    const std::vector<std::uint32_t> sources = far_ends(field, graph);
    // A level narrower than a diagonal step would fall into pieces.
    const double width = std::max(2.0, options.level / 100 * field.diagonal / field.cell());
    CurveSkeleton curve = LevelGraph(graph, graph.distances(sources, {}), width).curve();
    measure_radii(curve, field);
    // The last level of a limb often falls into several parts: one of them is its end.
    std::vector<int> node_of_tip = nodes_of_tips(curve, field, graph, limb_tips(field, graph, options.limbs));
    curve = without_idle(curve, node_of_tip);
    finish_curve(curve, body, field, graph, monitor);
    to_world(curve, frame);
    return curve;
}

}  // namespace sinew::rig
