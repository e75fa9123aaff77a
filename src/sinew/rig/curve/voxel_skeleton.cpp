// SPDX-License-Identifier: MIT
#include "sinew/rig/curve/voxel_skeleton.h"

#include <algorithm>

#include "sinew/rig/curve/curve_growth.h"
#include "sinew/rig/curve/skeleton_quality.h"

namespace sinew::rig {

CurveSkeleton limb_curve(const BodyField& field, const BodyGraph& graph, const std::vector<BodyTip>& limbs,
                         const RefineOptions& options) {
    std::vector<std::vector<BodyTip>> tips(static_cast<std::size_t>(field.bodies));
    for (const BodyTip& tip : limbs) tips[graph.body(tip.node)].push_back(tip);
    CurveGrowth growth(graph, path_centring);
    for (std::size_t b = 0; b < tips.size(); ++b) {
        // The middle is used only when nothing else gives the body a direction.
        if (tips[b].size() < 2) growth.plant(body_roots(graph, field)[b]);
        if (tips[b].size() > 1) growth.plant(tips[b][0].node, tips[b][1].node);
        for (std::size_t t = tips[b].size() > 1 ? 2 : 0; t < tips[b].size(); ++t) growth.grow(tips[b][t]);
    }
    return refine_curve(growth.curve(), field, options);
}

CurveSkeleton voxel_curve(const BodyField& field, const BodyGraph& graph) {
    return voxel_curve(field, graph, limb_tips(field, graph));
}

CurveSkeleton voxel_curve(const BodyField& field, const BodyGraph& graph, const std::vector<BodyTip>& limbs,
                          const std::vector<BodyTip>& more) {
    CurveSkeleton curve = limb_curve(field, graph, limbs);
    std::vector<BodyTip> side = side_tips(curve, limbs, field, graph);
    side.insert(side.end(), more.begin(), more.end());
    if (side.empty()) return curve;
    return refine_curve(with_side_tips(curve, graph, side, path_centring), field, RefineOptions::lenient());
}

std::vector<BodyTip> all_tips(const BodyField& field, const BodyGraph& graph) {
    std::vector<BodyTip> tips = limb_tips(field, graph);
    // Protrusions from the spheres of a curve hardly depend on how well the curve is centred.
    const CurveSkeleton curve = limb_curve(field, graph, tips, {.rounds = 2});
    const std::vector<BodyTip> side = side_tips(curve, tips, field, graph);
    tips.insert(tips.end(), side.begin(), side.end());
    return tips;
}

VoxelSkeletonResult voxel_skeleton(const UnitBody& body, Monitor& monitor) {
    warn_of_dropped(body.field, monitor);
    step(monitor, "skeleton", 0.2);
    VoxelSkeletonResult result;
    result.curve = voxel_curve(body.field, body.graph);
    step(monitor, "skeleton", 0.8);
    finish_curve(result.curve, body.mesh, body.field, body.graph, monitor);
    result.inside_fraction = inside_fraction(result.curve, body.field.solid);
    result.bodies = piece_count(result.curve);
    to_world(result.curve, body.frame);
    step(monitor, "skeleton", 1);
    return result;
}

VoxelSkeletonResult voxel_skeleton(const geometry::Mesh& mesh, Monitor& monitor) {
    return voxel_skeleton(UnitBody(mesh, monitor), monitor);
}

}  // namespace sinew::rig
