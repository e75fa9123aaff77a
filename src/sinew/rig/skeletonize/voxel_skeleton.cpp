#include "sinew/rig/skeletonize/voxel_skeleton.h"

#include <algorithm>

#include "sinew/rig/skeleton_quality.h"
#include "sinew/rig/skeletonize/curve_growth.h"
#include "sinew/rig/skeletonize/curve_pieces.h"
#include "sinew/rig/skeletonize/unit_frame.h"

namespace sinew::rig {

namespace {

/// The curve of the limbs that a body's own middle shows, refined.
CurveSkeleton main_curve(const BodyField& field, const BodyGraph& graph, const std::vector<BodyTip>& limbs,
                         const VoxelSkeletonOptions& options) {
    std::vector<std::vector<BodyTip>> tips(static_cast<std::size_t>(field.bodies));
    for (const BodyTip& tip : limbs) tips[graph.body(tip.node)].push_back(tip);
    CurveGrowth growth(graph, options.centring);
    for (std::size_t b = 0; b < tips.size(); ++b) {
        // The middle matters only when nothing else gives the body a direction.
        if (tips[b].size() < 2) growth.plant(body_roots(graph, field)[b]);
        if (tips[b].size() > 1) growth.plant(tips[b][0].node, tips[b][1].node);
        for (std::size_t t = tips[b].size() > 1 ? 2 : 0; t < tips[b].size(); ++t) growth.grow(tips[b][t]);
    }
    return refine_curve(growth.curve(), field, options.refine);
}

}  // namespace

CurveSkeleton voxel_curve(const BodyField& field, const BodyGraph& graph,
                          const VoxelSkeletonOptions& options) {
    const std::vector<BodyTip> limbs = limb_tips(field, graph, options.limbs);
    CurveSkeleton curve = main_curve(field, graph, limbs, options);
    const std::vector<BodyTip> side = side_tips(curve, limbs, field, graph, options.limbs);
    if (side.empty()) return curve;
    // Every branch ends at a limb by now.
    RefineOptions lenient = options.refine;
    lenient.spur = std::min(lenient.spur, 0.75);
    lenient.trim = 0;
    return refine_curve(with_side_tips(curve, graph, side, options.centring), field, lenient);
}

std::vector<BodyTip> all_tips(const BodyField& field, const BodyGraph& graph,
                              const VoxelSkeletonOptions& options) {
    std::vector<BodyTip> tips = limb_tips(field, graph, options.limbs);
    if (!options.limbs.side) return tips;
    // What stands out from the balls of a curve hardly depends on how well it is centred.
    VoxelSkeletonOptions rough = options;
    rough.refine.rounds = std::min(rough.refine.rounds, 2);
    const CurveSkeleton curve = main_curve(field, graph, tips, rough);
    const std::vector<BodyTip> side = side_tips(curve, tips, field, graph, options.limbs);
    tips.insert(tips.end(), side.begin(), side.end());
    return tips;
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
