// SPDX-License-Identifier: MIT
// The built-in characters by their outlines: every limb a branch, all of the curve inside and centred.

#include "support/samples.h"
#include <gtest/gtest.h>

#include "sinew/rig/curve/skeleton_quality.h"
#include "sinew/rig/silhouette/silhouette_skeleton.h"

namespace sinew::rig {
namespace {

struct Case {
    const char* name;
    std::size_t faces;
    std::vector<const char*> limbs;  ///< last joints of the limbs that the view shows
};

double distance_to_bone(const Vec3d& at, const Vec3d& from, const Vec3d& to) {
    const Vec3d along = to - from;
    const double t = std::clamp((at - from).dot(along) / std::max(along.squaredNorm(), 1e-300), 0.0, 1.0);
    return (at - from - t * along).norm();
}

/// How far the nearest end of the curve is from a bone at the end of a limb.
double end_to_bone(const CurveSkeleton& curve, const model::Skeleton& skeleton, const char* name) {
    const int joint = skeleton.find(name);
    if (joint < 0) return 1e300;
    const auto world = model::rest_world_matrices(skeleton);
    const model::Joint& last = skeleton.joints[static_cast<std::size_t>(joint)];
    const Vec3d from = model::joint_positions(world)[static_cast<std::size_t>(joint)];
    const Vec3d to =
        last.tip ? math::transform_point(world[static_cast<std::size_t>(joint)], *last.tip) : from;
    double min = 1e300;
    const std::vector<int> degree = degrees(curve);
    for (std::size_t n = 0; n < curve.nodes.size(); ++n) {
        if (degree[n] != 1) continue;
        min = std::min(min, distance_to_bone(curve.nodes[n].position, from, to));
    }
    return min;
}

class SilhouetteSamples : public testing::TestWithParam<Case> {};

TEST_P(SilhouetteSamples, EveryLimbIsABranchInsideAndCentred) {
    const Case& sample_case = GetParam();
    const model::Character character = test::sample(std::string(sample_case.name), sample_case.faces);
    const SilhouetteResult result = silhouette_skeleton(character.mesh);
    const SkeletonQuality quality = skeleton_quality(result.curve, character.mesh);
    EXPECT_EQ(quality.topology.pieces, 1);
    EXPECT_EQ(quality.topology.rings, 0);
    EXPECT_EQ(quality.inside_fraction, 1);
    EXPECT_EQ(result.inside_fraction, 1);
    EXPECT_LT(quality.centredness.mean, 0.1);
    const double diagonal = static_cast<double>(geometry::bounds(character.mesh.positions).diagonal());
    for (const char* limb : sample_case.limbs) {
        EXPECT_LT(end_to_bone(result.curve, character.skeleton, limb), 0.05 * diagonal) << limb;
    }
    if (std::string_view(sample_case.name) == "hand") {
        EXPECT_EQ(quality.topology.ends, 6) << "Xie 2009: wrist and five fingers";
        EXPECT_EQ(quality.topology.branches, 7);
    }
}

INSTANTIATE_TEST_SUITE_P(
    All, SilhouetteSamples,
    testing::Values(
        Case{"hand", 8000, {"ThumbDistal", "IndexDistal", "MiddleDistal", "RingDistal", "LittleDistal"}},
        Case{"man", 0, {"Head", "LeftMiddleDistal", "RightMiddleDistal", "LeftToes", "RightToes"}},
        Case{"ostrich", 8000, {"Head", "Tail1", "LeftToes", "RightToes"}},
        Case{"horse", 0, {"Tail3", "LeftHoof", "RightHoof", "LeftHindHoof", "RightHindHoof"}},
        Case{"cat", 8000, {"Tail4", "LeftFingers", "RightFingers", "LeftToes", "RightToes"}}),
    [](const auto& given) { return std::string(given.param.name); });

}  // namespace
}  // namespace sinew::rig
