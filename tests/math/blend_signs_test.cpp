// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>

#include "support/blends.h"
#include <gtest/gtest.h>

#include "sinew/math/blend.h"

namespace sinew::math {
namespace {

using test::about_z;

std::vector<Quatd> random_rotations(test::Random& random, int count) {
    std::vector<Quatd> result;
    for (int i = 0; i < count; ++i) result.push_back(random.rotation());
    return result;
}

Quatd blended(std::span<const double> weights, std::span<const Quatd> q, const Signs& signs) {
    return blend_linear<double>(weights, with_signs(q, signs));
}

double sum_length(std::span<const double> weights, std::span<const Quatd> q, const Signs& signs) {
    Vec4d sum = Vec4d::Zero();
    for (std::size_t i = 0; i < q.size(); ++i) sum += weights[i] * signs[i] * q[i].coeffs();
    return sum.norm();
}

// Skinning T25: a chain twisted by 0, 120, 240 degrees.
TEST(BlendSigns, HierarchyTakesTheLongWayAlongAChain) {
    const std::vector<Quatd> chain = {about_z(0), about_z(120), about_z(240)};
    const std::vector<double> weights(3, 1.0 / 3);
    const std::vector<int> parents = {-1, 0, 1};
    const Signs signs = hierarchy_signs(parents, chain);
    EXPECT_NEAR(angle_between(blended(weights, chain, signs), about_z(120)), 0, 1e-12);
    EXPECT_NEAR(sum_length(weights, chain, signs), 2.0 / 3, 1e-12);
}

// Skinning T24, T25: rule A gives another answer for each order, each a sensible one.
TEST(BlendSigns, FirstDependsOnTheOrder) {
    std::vector<Quatd> chain = {about_z(0), about_z(120), about_z(240)};
    const std::vector<double> weights(3, 1.0 / 3);
    for (const double expected : {0.0, 120.0, 240.0}) {
        const Quatd middle = blended(weights, chain, first_signs(chain));
        EXPECT_NEAR(angle_between(middle, about_z(expected)), 0, 1e-12);
        std::ranges::rotate(chain, chain.begin() + 1);
    }
}

// Skinning T24: the signs the inputs come with, and their order, do not matter.
TEST(BlendSigns, GivenSignsAndOrderDoNotMatter) {
    test::Random random(24);
    for (int n = 0; n < 1000; ++n) {
        const int count = random.integer(1, 6);
        const std::vector<Quatd> q = random_rotations(random, count);
        const std::vector<double> weights = random.weights(count);
        std::vector<int> parents(q.size(), -1);
        for (int i = 1; i < count; ++i) parents[static_cast<std::size_t>(i)] = random.integer(0, i - 1);
        Signs flips;
        for (int i = 0; i < count; ++i) flips.push_back(random.integer(0, 1) == 1 ? -1 : 1);
        const std::vector<Quatd> flipped = with_signs(q, flips);
        const auto same = [&](const Signs& a, const Signs& b) {
            return angle_between(blended(weights, q, a), blended(weights, flipped, b));
        };
        if (sum_length(weights, q, hierarchy_signs(parents, q)) > 1e-3) {
            EXPECT_LT(same(hierarchy_signs(parents, q), hierarchy_signs(parents, flipped)), 1e-10);
        }
        EXPECT_LT(same(heaviest_signs(weights, q), heaviest_signs(weights, flipped)), 1e-10);

        std::vector<std::size_t> order(q.size());
        std::iota(order.begin(), order.end(), 0u);
        std::ranges::reverse(order);
        std::ranges::rotate(order, order.begin() + random.integer(0, count - 1));
        std::vector<Quatd> shuffled;
        std::vector<double> shuffled_weights;
        for (const std::size_t i : order) {
            shuffled.push_back(q[i]);
            shuffled_weights.push_back(weights[i]);
        }
        const auto moved = [&](const Signs& a, const Signs& b) {
            return angle_between(blended(weights, q, a), blended(shuffled_weights, shuffled, b));
        };
        EXPECT_LT(moved(heaviest_signs(weights, q), heaviest_signs(shuffled_weights, shuffled)), 1e-10);
    }
}

TEST(BlendSigns, HeaviestNeverCancels) {
    test::Random random;
    for (int n = 0; n < 2000; ++n) {
        const int count = random.integer(2, 8);
        const std::vector<Quatd> q = random_rotations(random, count);
        const std::vector<double> weights = random.weights(count);
        EXPECT_GE(sum_length(weights, q, heaviest_signs(weights, q)), std::ranges::max(weights) - 1e-12);
    }
    // Rule A can: the first, light one sees the two others on different sides.
    const std::vector<Quatd> q = {about_z(0), about_z(179), about_z(-179)};
    const std::vector<double> weights = {0.01, 0.495, 0.495};
    EXPECT_LT(sum_length(weights, q, first_signs(q)), 0.05);
    EXPECT_GT(sum_length(weights, q, heaviest_signs(weights, q)), 0.9);
}

TEST(BlendSigns, DualQuaternionsFlipWhole) {
    test::Random random;
    const std::vector<Rigidd> m = test::random_rigids(random, 3);
    const std::vector<DualQuatd> q = dual_quaternions_of(m);
    const std::vector<DualQuatd> flipped = with_signs(q, {1, -1, 1});
    EXPECT_EQ(flipped[1].real.coeffs(), -q[1].real.coeffs());
    EXPECT_EQ(flipped[1].dual.coeffs(), -q[1].dual.coeffs());
    EXPECT_LT(test::distance(flipped[1], q[1]), 1e-14);
}

}  // namespace
}  // namespace sinew::math
