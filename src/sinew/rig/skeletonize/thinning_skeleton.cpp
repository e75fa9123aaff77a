#include "sinew/rig/skeletonize/thinning_skeleton.h"

#include <algorithm>

#include "sinew/rig/skeletonize/body_thinning.h"
#include "sinew/rig/skeletonize/curve_tidy.h"
#include "sinew/rig/skeletonize/unit_frame.h"

namespace sinew::rig {
namespace {

/// Nodes in the middle of the cells, edges between those that touch.
CurveSkeleton curve_through(const std::vector<std::size_t>& cells, const BodyField& field,
                            const BodyGraph& graph) {
    CurveSkeleton curve;
    std::vector<int> number(graph.size(), -1);
    for (const std::size_t cell : cells) {
        number[graph.node(cell)] = static_cast<int>(curve.nodes.size());
        curve.nodes.push_back({field.center(cell), 0});
    }
    for (const std::size_t cell : cells) {
        const int here = number[graph.node(cell)];
        graph.for_each_neighbour(graph.node(cell), [&](std::uint32_t next, float) {
            if (number[next] > here) curve.edges.push_back({here, number[next]});
        });
    }
    std::sort(curve.edges.begin(), curve.edges.end());
    return curve;
}

}  // namespace

CurveSkeleton thinning_skeleton(const geometry::Mesh& mesh, const ThinningOptions& options,
                                Monitor& monitor) {
    const UnitFrame frame = unit_frame(mesh);
    const geometry::Mesh body = in_unit(mesh, frame);
    const BodyField field = body_field(body, options.body, monitor);
    const BodyGraph graph(field);
    CurveSkeleton curve = curve_through(thinned(field.solid), field, graph);
    measure_radii(curve, field);
    curve = without_spurs(without_rings(curve), options.spur, options.junction);
    finish_curve(curve, body, field, graph, monitor);
    to_world(curve, frame);
    return curve;
}

}  // namespace sinew::rig
