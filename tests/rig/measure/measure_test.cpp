// SPDX-License-Identifier: MIT
#include "sinew/rig/measure.h"

#include "support/random.h"
#include "support/shapes.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"

namespace sinew::rig {
namespace {

using math::Mat4d;
using math::Quatd;
using math::Vec3d;
using model::Character;
using model::Skeleton;

/// Joints in a row, each the child of the one before.
Skeleton chain(const std::vector<Vec3d>& points) {
    Skeleton s;
    for (std::size_t j = 0; j < points.size(); ++j) {
        const Vec3d offset = j == 0 ? points[0] : Vec3d(points[j] - points[j - 1]);
        s.joints.push_back({"j" + std::to_string(j),
                            static_cast<int>(j) - 1,
                            {offset, Quatd::Identity(), Vec3d::Ones()},
                            {}});
    }
    return s;
}

TEST(SkeletonMeasure, EqualSkeletons) {
    test::Random random;
    std::vector<Vec3d> points;
    for (int j = 0; j < 20; ++j) points.push_back(random.vector());
    const SkeletonDifference d = measure(chain(points), chain(points));
    EXPECT_NEAR(d.j2j_percent, 0, 1e-12);
    EXPECT_NEAR(d.j2b_percent, 0, 1e-12);
    EXPECT_NEAR(d.b2b_percent, 0, 1e-12);
    EXPECT_EQ(d.precision, 1);
    EXPECT_EQ(d.recall, 1);
}

TEST(SkeletonMeasure, ParallelBones) {
    // A bone of length 10 and the same one 0.5 beside it: every distance is 5 percent of the diagonal.
    const SkeletonDifference d = measure(chain({{0, 0, 0}, {10, 0, 0}}), chain({{0, 0.5, 0}, {10, 0.5, 0}}));
    EXPECT_NEAR(d.diagonal, 10, 1e-12);
    EXPECT_NEAR(d.j2j_percent, 5, 1e-12);
    EXPECT_NEAR(d.j2b_percent, 5, 1e-12);
    EXPECT_NEAR(d.b2b_percent, 5, 1e-12);
    EXPECT_EQ(d.precision, 0);
    EXPECT_EQ(d.recall, 0);
    const SkeletonDifference wide =
        measure(chain({{0, 0, 0}, {10, 0, 0}}), chain({{0, 0.5, 0}, {10, 0.5, 0}}), {50});
    EXPECT_NEAR(wide.j2j_percent, 1, 1e-12);
    EXPECT_EQ(wide.recall, 1);  // 0.5 is within 2 percent of 50
}

TEST(SkeletonMeasure, ByHand) {
    // A: 0 -- 10. B: 0 -- 10 -- 10,10 with the corner a joint of A and the rest hanging off.
    const SkeletonDifference d =
        measure(chain({{0, 0, 0}, {10, 0, 0}}), chain({{0, 0, 0}, {10, 0, 0}, {10, 10, 0}}));
    EXPECT_NEAR(d.j2j_percent, 100 * (0 + (0 + 0 + 10.0) / 3) / 2 / 10, 1e-9);
    EXPECT_NEAR(d.j2b_percent, 100 * (0 + (0 + 0 + 10.0) / 3) / 2 / 10, 1e-9);
    // From B: half of its length lies on A, the other half is 5 away on average.
    EXPECT_NEAR(d.b2b_percent, 100 * (0 + 2.5) / 2 / 10, 1e-9);
    EXPECT_NEAR(d.precision, 2.0 / 3, 1e-12);
    EXPECT_EQ(d.recall, 1);
}

TEST(SkeletonMeasure, JointOnABoneIsFarFromJointsOnly) {
    const SkeletonDifference d =
        measure(chain({{0, 0, 0}, {10, 0, 0}}), chain({{0, 0, 0}, {5, 0, 0}, {10, 0, 0}}));
    EXPECT_NEAR(d.j2j_percent, 100 * (5.0 / 3) / 2 / 10, 1e-9);
    EXPECT_NEAR(d.j2b_percent, 0, 1e-9);
    EXPECT_NEAR(d.b2b_percent, 0, 1e-9);
}

TEST(SkeletonMeasure, TipsAreJointsAndTwinsCountOnce) {
    Skeleton tipped = chain({{0, 0, 0}, {5, 0, 0}});
    tipped.joints[1].tip = Vec3d(5, 0, 0);
    const SkeletonDifference d = measure(chain({{0, 0, 0}, {5, 0, 0}, {5, 0, 0}, {10, 0, 0}}), tipped);
    EXPECT_NEAR(d.j2j_percent, 0, 1e-12);
    EXPECT_EQ(d.precision, 1);
    EXPECT_EQ(d.recall, 1);
}

TEST(SkeletonMeasure, PairsAreOneToOneAndAsManyAsPossible) {
    // Three joints crowd around one of the reference: one pair only. The chain of choices must be undone.
    const SkeletonDifference crowd =
        measure(chain({{0, 0, 0}, {100, 0, 0}}), chain({{0, 0, 0}, {0, 1, 0}, {0, 0, 1}, {100, 0, 0}}));
    EXPECT_NEAR(crowd.precision, 0.5, 1e-12);
    EXPECT_EQ(crowd.recall, 1);
    // 0 fits both -1.5 and 1.5, but 3 only fits 1.5: greedy pairing from the wrong end would lose one.
    const SkeletonDifference shifted =
        measure(chain({{0, 0, 0}, {3, 0, 0}, {100, 0, 0}}), chain({{1.5, 0, 0}, {-1.5, 0, 0}, {100, 0, 0}}));
    EXPECT_EQ(shifted.recall, 1);
}

TEST(SkeletonMeasure, Errors) {
    EXPECT_THROW(measure(Skeleton{}, chain({{0, 0, 0}})), Error);
    EXPECT_THROW(measure(chain({{1, 1, 1}}), chain({{0, 0, 0}})), Error);
    EXPECT_NO_THROW(measure(chain({{0, 0, 0}, {1, 0, 0}}), chain({{0, 0, 0}})));
}

Character skinned(const std::vector<std::string>& names,
                  const std::vector<std::vector<model::Influence>>& lists) {
    Character c;
    for (const std::string& name : names) c.skeleton.joints.push_back({name, -1, {}, {}});
    c.skin.joints = model::bind_at_rest(c.skeleton);
    for (const auto& list : lists) c.skin.push_vertex(list);
    return c;
}

TEST(WeightMeasure, ByHand) {
    const Character a = skinned({"arm", "leg"}, {{{0, 1.0f}}, {{0, 0.5f}, {1, 0.5f}}, {{1, 1.0f}}});
    const Character b = skinned({"LEG", "Arm", "tail"}, {{{1, 1.0f}}, {{0, 0.25f}, {1, 0.75f}}, {{2, 1.0f}}});
    const WeightDifference d = measure_weights(a, b);
    EXPECT_NEAR(d.mean_l1, (0 + 0.5 + 2) / 3, 1e-7);
    EXPECT_NEAR(d.max_l1, 2, 1e-7);
    EXPECT_NEAR(d.precision, 3.0 / 4, 1e-12);
    EXPECT_NEAR(d.recall, 3.0 / 4, 1e-12);
    EXPECT_EQ(d.vertices, 3u);
}

TEST(WeightMeasure, TinyInfluencesDoNotCountButTheirWeightDoes) {
    const Character a = skinned({"x", "y"}, {{{0, 1.0f}}});
    const Character b = skinned({"x", "y"}, {{{0, 0.99995f}, {1, 0.00005f}}});
    const WeightDifference d = measure_weights(a, b);
    EXPECT_EQ(d.precision, 1);
    EXPECT_EQ(d.recall, 1);
    EXPECT_NEAR(d.mean_l1, 1e-4, 1e-6);
    EXPECT_NEAR(measure_weights(a, a).mean_l1, 0, 1e-15);
}

TEST(WeightMeasure, TwoBindsOfOneJointAreOneJoint) {
    Character a = skinned({"x"}, {{{0, 1.0f}}});
    Character b = skinned({"x"}, {});
    b.skin.joints.push_back(b.skin.joints[0]);
    b.skin.push_vertex(std::vector<model::Influence>{{0, 0.5f}, {1, 0.5f}});
    EXPECT_NEAR(measure_weights(a, b).mean_l1, 0, 1e-12);
    EXPECT_EQ(measure_weights(a, b).precision, 1);
}

TEST(WeightMeasure, Errors) {
    const Character a = skinned({"x"}, {{{0, 1.0f}}});
    EXPECT_THROW(measure_weights(a, Character{}), Error);
    EXPECT_THROW(measure_weights(a, skinned({"x"}, {{{0, 1.0f}}, {{0, 1.0f}}})), Error);
}

}  // namespace
}  // namespace sinew::rig
