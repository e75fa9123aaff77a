// SPDX-License-Identifier: MIT
#include "sinew/rig/body/body_limbs.h"

#include <algorithm>
#include <cmath>

#include "rig/limbs.h"
#include <gtest/gtest.h>

#include "sinew/rig/curve/skeleton_quality.h"
#include "sinew/rig/curve/voxel_skeleton.h"

namespace sinew::rig {
namespace {

TEST(BodyLimbs, TheLimitLiesInTheWidestGap) {
    EXPECT_NEAR(widest_gap({8, 2.9, 2.8}, 2.6, 4.2), std::sqrt(4.2 * 2.9), 1e-12);
    EXPECT_NEAR(widest_gap({8, 3.9, 2.7}, 2.6, 4.2), std::sqrt(3.9 * 2.7), 1e-12);
    EXPECT_NEAR(widest_gap({3.9, 3.8, 1}, 2.6, 4.2), std::sqrt(3.8 * 2.6), 1e-12);
    EXPECT_NEAR(widest_gap({}, 2, 8), 4, 1e-12);
}

TEST(BodyLimbs, ALittleNoiseOfTheValuesDoesNotChangeWhatCounts) {
    const std::vector<double> values = {40, 9, 8.5, 3.9, 2.8, 2.7};
    for (const double noise : {-0.15, -0.05, 0.05, 0.15}) {
        std::vector<double> moved = values;
        for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += i % 2 == 0 ? noise : -noise;
        const double limit = widest_gap(moved, 2.6, 4.2);
        EXPECT_EQ(std::ranges::count_if(moved, [&](double value) { return value >= limit; }), 4) << noise;
    }
}

/// A thick body with a thin ear on each side.
std::vector<test::Limb> eared() {
    return {{{0, -1, 0}, {0, 1, 0}, 0.35},
            {{0.2, 0.7, 0}, {0.75, 0.9, 0}, 0.05},
            {{-0.2, 0.7, 0}, {-0.75, 0.9, 0}, 0.05}};
}

TEST(BodyLimbs, EarsStandOutFromTheSide) {
    const BodyField field = body_field(test::body_of(eared()));
    const BodyGraph graph(field);
    std::vector<BodyTip> ends = limb_tips(field, graph);
    const double fifth = 0.2 * field.diagonal / field.cell();  // of the diagonal, in cells: not the ears
    std::erase_if(ends, [&](const BodyTip& tip) { return static_cast<double>(tip.prominence) < fifth; });
    const CurveSkeleton curve = limb_curve(field, graph, ends);
    EXPECT_EQ(topology_of(curve).ends, 2);
    const std::vector<BodyTip> tips = side_tips(curve, {}, field, graph);
    ASSERT_EQ(tips.size(), 2u);
    for (const BodyTip& tip : tips) {
        EXPECT_TRUE(tip.side);
        const Vec3d at = graph.position(tip.node);
        EXPECT_NEAR(std::abs(at.x()), 0.8, 0.06);
        EXPECT_NEAR(at.y(), 0.9, 0.08);
    }
    EXPECT_TRUE(side_tips(curve, tips, field, graph).empty()) << "known tips are not found again";
}

TEST(BodyLimbs, ABumpIsNoEar) {
    std::vector<test::Limb> limbs = eared();
    for (std::size_t i = 1; i < limbs.size(); ++i) {
        limbs[i].to = limbs[i].from + 0.25 * (limbs[i].to - limbs[i].from);
        limbs[i].radius = 0.2;
    }
    const BodyField field = body_field(test::body_of(limbs));
    const BodyGraph graph(field);
    const CurveSkeleton curve = limb_curve(field, graph, limb_tips(field, graph));
    EXPECT_TRUE(side_tips(curve, {}, field, graph).empty());
}

}  // namespace
}  // namespace sinew::rig
