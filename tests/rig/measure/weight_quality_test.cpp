// SPDX-License-Identifier: MIT
#include "support/samples.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/rig/bind/weight_table.h"
#include "sinew/rig/measure.h"

namespace sinew::rig {
namespace {

/// Three joints in a row along y and four vertices of one triangle strip.
model::Character strip(const std::vector<WeightRow>& rows) {
    model::Character character;
    character.mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    character.mesh.triangles = {{0, 1, 2}, {1, 3, 2}};
    character.skeleton.joints = {{"a", -1, {}, {}, {}}, {"b", 0, {}, {}, {}}, {"c", 1, {}, {}, {}}};
    for (std::size_t j = 1; j < 3; ++j) character.skeleton.joints[j].rest.translation = {0, 1, 0};
    character.skin = make_skin(table_from(rows), character.skeleton, character.mesh, {0, 0});
    return character;
}

TEST(WeightQuality, LeakageIsTheWeightOfJointsTwoLinksAway) {
    const WeightQuality good =
        weight_quality(strip({{{0, 0.6}, {1, 0.4}}, {{1, 1.0}}, {{1, 0.7}, {2, 0.3}}, {{2, 1.0}}}));
    EXPECT_EQ(good.leakage, 0);
    const WeightQuality bad =
        weight_quality(strip({{{0, 0.8}, {2, 0.2}}, {{1, 1.0}}, {{1, 1.0}}, {{2, 0.6}, {0, 0.4}}}));
    EXPECT_NEAR(bad.leakage, (0.2 + 0.4) / 4, 1e-6);
    EXPECT_NEAR(bad.max_leakage, 0.4, 1e-6);
    EXPECT_NEAR(bad.influences, 1.5, 1e-9);
    EXPECT_EQ(bad.max_influences, 2);
    EXPECT_EQ(good.unused, 0u);
}

TEST(WeightQuality, SlopesAreTakenPerDiagonalAndTearsAreFound) {
    model::Character character = strip({{{0, 1.0}}, {{0, 1.0}}, {{0, 0.5}, {1, 0.5}}, {{0, 1.0}}});
    EXPECT_NEAR(weight_quality(character).steepest, 0.5 * std::sqrt(2.0), 1e-6);
    EXPECT_EQ(weight_quality(character).torn, 0u);
    character.mesh.positions[3] = character.mesh.positions[2];
    EXPECT_EQ(weight_quality(character).torn, 1u);
    EXPECT_THROW(weight_quality(model::Character{}), Error);
}

TEST(WeightQuality, ARigidTubeTearsMoreThanASmoothOneAndKeepsNothing) {
    model::Character tube = test::sample("tube");
    const SweepQuality smooth = sweep_joints(tube);
    const WeightTable truth = table_of(tube.skin);
    std::vector<WeightRow> rigid;
    for (std::size_t v = 0; v < truth.size(); ++v) {
        const auto max = std::max_element(truth[v].begin(), truth[v].end(),
                                          [](const auto& a, const auto& b) { return a.weight < b.weight; });
        rigid.push_back({{max->joint, 1.0}});
    }
    tube.skin = make_skin(table_from(rigid), tube.skeleton, tube.mesh);
    const SweepQuality stiff = sweep_joints(tube);
    ASSERT_FALSE(smooth.joints.empty());
    EXPECT_EQ(smooth.joints.size(), stiff.joints.size());
    EXPECT_GT(stiff.worst_stretch, 2 * smooth.worst_stretch);
    EXPECT_LT(smooth.volume_change, 0.2);
    SweepOptions still;
    still.degrees = {0, 0, 0, 0};
    EXPECT_LT(sweep_joints(tube, still).worst_stretch, 1e-4) << "no turn, no change";
}

TEST(WeightQuality, AJointBendsAboutTheAxisItsBonesBendAbout) {
    model::Skeleton elbow;
    elbow.joints = {{"upper", -1, {}, {}, {}}, {"lower", 0, {}, math::Vec3d(0, 0, 1), {}}};
    elbow.joints[1].rest.translation = {0, 1, 0};
    EXPECT_NEAR(std::abs(bend_axis(elbow, 1).x()), 1, 1e-9) << "across y and z";
    const auto pose = bent_pose(elbow, 1, math::radians(90));
    const auto world = model::world_matrices(elbow, pose);
    const math::Vec3d tip = math::transform_point(world[1], *elbow.joints[1].tip);
    EXPECT_NEAR((tip - math::Vec3d(0, 1, 0)).norm(), 1, 1e-9);
    EXPECT_NEAR(std::abs(tip.y() - 1), 1, 1e-9) << "the tip has turned into the line of the upper bone";
}

}  // namespace
}  // namespace sinew::rig
