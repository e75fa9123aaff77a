#include "sinew/rig/parts/segment_skeleton.h"

#include "sinew/rig/bind/regions.h"
#include "sinew/rig/skeletonize/skeletonize.h"

namespace sinew::rig {
namespace {

/// Leaves become tips of the joints above: a region of its own is not wanted at the end of a limb.
model::Skeleton with_tips(const model::Skeleton& skeleton) {
    const auto below = model::children(skeleton);
    model::Skeleton result;
    std::vector<int> place(skeleton.size(), -1);
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        model::Joint joint = skeleton.joints[j];
        if (joint.parent >= 0 && below[j].empty() &&
            below[static_cast<std::size_t>(joint.parent)].size() == 1) {
            const int up = place[static_cast<std::size_t>(joint.parent)];
            result.joints[static_cast<std::size_t>(up)].tip = joint.rest.translation;
            continue;
        }
        place[j] = static_cast<int>(result.size());
        if (joint.parent >= 0) joint.parent = place[static_cast<std::size_t>(joint.parent)];
        result.joints.push_back(std::move(joint));
    }
    return result;
}

/// The label of two corners, or of the first where all differ.
int majority(int a, int b, int c) {
    return b == c ? b : a;
}

}  // namespace

std::vector<int> labels_by(const geometry::Mesh& mesh, const model::Skeleton& skeleton, Monitor& monitor) {
    Collector doubts;  // about weights, which are not wanted here
    (void)monitor;
    const RegionResult regions = region_weights(mesh, skeleton, {}, doubts);
    std::vector<int> labels;
    labels.reserve(mesh.triangles.size());
    for (const auto& [a, b, c] : mesh.triangles)
        labels.push_back(
            majority(regions.region_of_vertex[a], regions.region_of_vertex[b], regions.region_of_vertex[c]));
    return labels;
}

SkeletonLabels skeleton_labels(const geometry::Mesh& mesh, Monitor& monitor) {
    SkeletonizeOptions options;
    options.method = SkeletonMethod::voxel;
    options.joints.junctions = JunctionJoints::separate;
    SkeletonLabels result;
    result.guide = with_tips(skeletonize(mesh, options, monitor).skeleton);
    result.of_face = labels_by(mesh, result.guide, monitor);
    return result;
}

}  // namespace sinew::rig
