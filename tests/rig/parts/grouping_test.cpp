// SPDX-License-Identifier: MIT
#include <algorithm>

#include "support/random.h"
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sinew/rig/parts/part_piece.h"

namespace sinew::rig {
namespace {

std::vector<OpeningFoot> on_axis(const std::vector<double>& places, double offset) {
    std::vector<OpeningFoot> feet;
    for (const double x : places) feet.push_back({{x, offset, 0}, {x, 0, 0}});
    return feet;
}

std::vector<int> sizes(const Grouping& grouping) {
    std::vector<int> list;
    for (const OpeningGroup& g : grouping.groups) list.push_back(g.last - g.first + 1);
    return list;
}

TEST(PartsGrouping, KnownScores) {
    const auto three = on_axis({0, 0.1, 1}, 0);
    const Grouping a = group_openings(three, 1);
    EXPECT_EQ(sizes(a), (std::vector<int>{2, 1}));
    EXPECT_NEAR(a.score, 0.050926, 1e-6);
    EXPECT_EQ(sizes(group_openings(on_axis({0, 0.5, 1}, 0), 1)), (std::vector<int>{1, 1, 1}));
    const Grouping c = group_openings(on_axis({0, 0.1, 0.2, 1}, 0), 1);
    EXPECT_EQ(sizes(c), (std::vector<int>{3, 1}));
    EXPECT_NEAR(c.score, 0.091667, 1e-6);
    const Grouping d = group_openings(on_axis({0, 0.05, 0.9, 1}, 0.2), 1);
    EXPECT_EQ(sizes(d), (std::vector<int>{2, 2}));
    EXPECT_NEAR(d.score, 0.053325, 1e-6);
    EXPECT_EQ(sizes(group_openings(on_axis({0, 1}, 0), 1)), (std::vector<int>{1, 1}));
    EXPECT_NEAR((d.groups[1].link - Vec3d(0.95, 0, 0)).norm(), 0, 1e-12);
}

TEST(PartsGrouping, NearFeetAreNeverDivided) {
    EXPECT_EQ(sizes(group_openings(on_axis({0.5, 0.51}, 0.3), 1)), (std::vector<int>{2}));
    EXPECT_EQ(sizes(group_openings(on_axis({0.5, 0.53}, 0.3), 1)), (std::vector<int>{1, 1}));
    EXPECT_EQ(sizes(group_openings(on_axis({0.1, 0.105, 0.9}, 0.3), 1)), (std::vector<int>{2, 1}));
    EXPECT_EQ(group_openings(on_axis({0.3}, 1), 1).groups.size(), 1u);
    EXPECT_TRUE(group_openings({}, 1).groups.empty());
}

TEST(PartsGrouping, TiesDoNotDependOnTheEnd) {
    test::Random random(4);
    for (int round = 0; round < 200; ++round) {
        std::vector<double> places;
        for (int i = 0; i < 5; ++i) places.push_back(random.uniform());
        std::sort(places.begin(), places.end());
        std::vector<double> mirrored;
        for (auto p = places.rbegin(); p != places.rend(); ++p) mirrored.push_back(1 - *p);
        std::vector<int> there = sizes(group_openings(on_axis(places, 0.1), 1));
        const std::vector<int> back = sizes(group_openings(on_axis(mirrored, 0.1), 1));
        std::reverse(there.begin(), there.end());
        EXPECT_EQ(there, back);
    }
}

std::vector<OpeningFoot> random_feet(test::Random& random) {
    const int count = random.integer(2, 7);
    std::vector<double> places;
    for (int i = 0; i < count; ++i) places.push_back(random.uniform());
    std::sort(places.begin(), places.end());
    std::vector<OpeningFoot> feet;
    for (const double x : places)
        feet.push_back({{x, random.uniform(-1, 1), random.uniform(-1, 1)}, {x, 0, 0}});
    return feet;
}

RC_GTEST_PROP(PartsGrouping, LossesLieBetweenZeroAndOne, ()) {
    test::Random random(*rc::gen::arbitrary<unsigned>());
    const auto feet = random_feet(random);
    const Grouping grouping = group_openings(feet, 1);
    for (const OpeningGroup& g : grouping.groups)
        for (int k = g.first; k <= g.last; ++k) {
            const double v = moved_part(feet, static_cast<std::size_t>(k), g.link);
            RC_ASSERT(v >= -1e-12 && v <= 1 + 1e-12);
        }
    RC_ASSERT(grouping.groups.front().first == 0);
    RC_ASSERT(grouping.groups.back().last == static_cast<int>(feet.size()) - 1);
}

RC_GTEST_PROP(PartsGrouping, DoesNotDependOnPlaceTurnOrScale, ()) {
    test::Random random(*rc::gen::arbitrary<unsigned>());
    auto feet = random_feet(random);
    const Grouping before = group_openings(feet, 1);
    const math::Quatd turn = random.rotation();
    const Vec3d shift = random.vector(5);
    const double scale = random.uniform(0.1, 20);
    for (OpeningFoot& f : feet) {
        f.opening = scale * (turn * f.opening) + shift;
        f.foot = scale * (turn * f.foot) + shift;
    }
    const Grouping after = group_openings(feet, scale);
    RC_ASSERT(sizes(before) == sizes(after));
    RC_ASSERT(std::abs(before.score - after.score) < 1e-9);
}

}  // namespace
}  // namespace sinew::rig
