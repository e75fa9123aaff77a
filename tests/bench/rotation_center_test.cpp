// SPDX-License-Identifier: MIT
#include "bench/study/blend_rigid.h"
#include "support/blends.h"
#include <gtest/gtest.h>

#include "sinew/math/blend.h"

namespace sinew::math {
namespace {

using test::about_z;
using test::random_rigids;

/// The equations as the sum over all pairs, which the closed form replaces.
CenterEquations pair_sum(std::span<const double> weights, std::span<const Rigidd> m) {
    CenterEquations system;
    for (std::size_t a = 0; a < m.size(); ++a) {
        for (std::size_t b = a + 1; b < m.size(); ++b) {
            const double u = weights[a] * weights[b];
            const Mat3d d = to_matrix(m[a].rotation) - to_matrix(m[b].rotation);
            system.a += u * d.transpose() * d;
            system.b += u * d.transpose() * (m[b].translation - m[a].translation);
            system.pair_weight += u;
        }
    }
    return system;
}

// Skinning T19: A = I - M^T M equals the pair sum.
TEST(RotationCenter, ClosedFormEqualsTheSumOverPairs) {
    test::Random random(19);
    for (int n = 0; n < 1000; ++n) {
        const int count = random.integer(1, 6);
        const std::vector<Rigidd> m = random_rigids(random, count);
        const std::vector<double> weights = random.weights(count);
        const CenterEquations closed = center_equations(weights, m), pairs = pair_sum(weights, m);
        EXPECT_LT((closed.a - pairs.a).norm(), 1e-14);
        EXPECT_LT((closed.b - pairs.b).norm(), 1e-14);
        EXPECT_NEAR(closed.pair_weight, pairs.pair_weight, 1e-15);
        Mat3d mean = Mat3d::Zero();
        for (std::size_t i = 0; i < m.size(); ++i) mean += weights[i] * to_matrix(m[i].rotation);
        EXPECT_LT((closed.a - (Mat3d::Identity() - mean.transpose() * mean)).norm(), 1e-14);
    }
}

// Tiny relative rotations: I - M^T M has lost all digits, the closed form here has not.
TEST(RotationCenter, ClosedFormKeepsItsDigitsForTinyRotations) {
    const std::vector<Rigidd> m = {{about_z(0), Vec3d::Zero()},
                                   {axis_angle<double>(Vec3d::UnitX(), 1e-9), Vec3d::UnitY()}};
    const std::vector<double> half = {0.5, 0.5};
    const CenterEquations closed = center_equations(half, m);
    EXPECT_NEAR(closed.a(1, 1) / (0.25 * 1e-18), 1, 1e-6);
    EXPECT_NEAR(closed.a(2, 2) / (0.25 * 1e-18), 1, 1e-6);
}

// Skinning T19: the centre against the pseudo-inverse of the stacked pairs.
TEST(RotationCenter, EqualsTheSourcesSvd) {
    test::Random random(20);
    for (int n = 0; n < 1000; ++n) {
        const std::vector<Rigidd> m = random_rigids(random, random.integer(2, 6));
        const RotationCenter closed = rotation_center({}, m), svd = rotation_center_svd(m);
        EXPECT_EQ(closed.rank, svd.rank);
        EXPECT_LT((closed.center - svd.center).norm(), 1e-8 * (1 + svd.center.norm()));
    }
}

TEST(RotationCenter, NearlyOneAxisIsThePseudoInverseOnBothSidesOfTheCut) {
    test::Random random(28);
    int ranks[4] = {};
    for (int n = 0; n < 2000; ++n) {
        const Vec3d axis = random.unit_vector();
        const double tilt = std::pow(10.0, random.uniform(-8, -0.5)),
                     angle = std::pow(10.0, random.uniform(-3.5, 0));
        std::vector<Rigidd> m;
        for (int i = 0; i < random.integer(3, 5); ++i) {
            const Vec3d own = (axis + tilt * random.unit_vector()).normalized();
            m.push_back(rotation_about<double>(random.vector(), own, random.uniform(-angle, angle)));
        }
        for (const double threshold : {rank_threshold, rank_threshold_float}) {
            const RotationCenter closed = rotation_center({}, m, threshold),
                                 svd = rotation_center_svd(m, threshold);
            ++ranks[closed.rank];
            ASSERT_EQ(closed.rank, svd.rank) << tilt << " " << angle;
            // Along an axis of eigenvalue l the centre has lost the digits that l has.
            EXPECT_LT((closed.center - svd.center).norm(), 1e-4 * (1e-3 + svd.center.norm()));
            const std::vector<double> half(m.size(), 1 / static_cast<double>(m.size()));
            const Vec3d v = random.vector();
            EXPECT_LT((blend_about(half, m, closed.center) * v - blend_about(half, m, svd.center) * v).norm(),
                      1e-7);
        }
    }
    EXPECT_GT(ranks[2], 500);
    EXPECT_GT(ranks[3], 500);
}

TEST(RotationCenter, RanksOfEqualRotationsCommonAxisAndPoint) {
    test::Random random(21);
    for (int n = 0; n < 300; ++n) {
        const int count = random.integer(2, 6);
        const Quatd common = random.rotation();
        const Vec3d axis = random.unit_vector(), point = random.vector();
        std::vector<Rigidd> equal, around;
        for (int i = 0; i < count; ++i) {
            equal.push_back({common, random.vector()});
            around.push_back(rotation_about<double>(point, axis, 0.2 + 0.4 * i));
        }
        for (const auto& [m, rank] : {std::pair(equal, 0), std::pair(around, 2)}) {
            const RotationCenter closed = rotation_center({}, m), svd = rotation_center_svd(m);
            EXPECT_EQ(closed.rank, rank);
            EXPECT_EQ(svd.rank, rank);
            EXPECT_LT((closed.center - svd.center).norm(), 1e-8);
        }
        EXPECT_EQ(rotation_center({}, equal).center.norm(), 0);
        // On the axis, and of all its points the one nearest to the origin.
        const Vec3d center = rotation_center({}, around).center;
        EXPECT_LT((center - point).cross(axis).norm(), 1e-9);
        EXPECT_NEAR(center.dot(axis), 0, 1e-9);
    }
    const std::vector<Rigidd> generic = random_rigids(random, 3);
    EXPECT_EQ(rotation_center({}, generic).rank, 3);
}

// Weights far from uniform change the centre, and only then.
TEST(RotationCenter, EmptyWeightsAreUniform) {
    test::Random random(22);
    const std::vector<Rigidd> m = random_rigids(random, 3);
    const std::vector<double> uniform(3, 1.0 / 3), other = {0.8, 0.1, 0.1};
    EXPECT_LT((rotation_center({}, m).center - rotation_center(uniform, m).center).norm(), 1e-12);
    EXPECT_GT((rotation_center({}, m).center - rotation_center(other, m).center).norm(), 1e-3);
}

// Skinning T21: a null vector added to the centre leaves the blend as it is.
TEST(RotationCenter, NullVectorsDoNotMatter) {
    test::Random random(23);
    for (int n = 0; n < 300; ++n) {
        const int count = random.integer(2, 5);
        const Vec3d axis = random.unit_vector(), point = random.vector();
        const Rigidd u = random.rigid();
        std::vector<Rigidd> m;
        for (int i = 0; i < count; ++i) {
            Rigidd turn = rotation_about<double>(point, axis, random.uniform(-1.2, 1.2));
            turn.translation += random.uniform(-1, 1) * axis;
            m.push_back(u * turn);
        }
        const std::vector<double> weights = random.weights(count);
        m = with_signs(m, heaviest_signs(weights, rotations_of(m)));
        const Vec3d center = rotation_center({}, m).center;
        const Rigidd a = blend_about(weights, m, center), b = blend_about(weights, m, center + 7.5 * axis);
        EXPECT_LT(test::distance(a, b), 1e-10);
        EXPECT_GT(test::distance(a, blend_about(weights, m, center + axis.unitOrthogonal())), 1e-6);
    }
}

// Skinning T21: moving the origin of the rest pose by 100 changes nothing.
TEST(RotationCenter, RestOriginDoesNotMatter) {
    test::Random random(25);
    for (int n = 0; n < 300; ++n) {
        const int count = random.integer(2, 5);
        const std::vector<double> weights = random.weights(count);
        std::vector<Rigidd> m = random_rigids(random, count), moved;
        m = with_signs(m, heaviest_signs(weights, rotations_of(m)));
        const Rigidd shift{Quatd::Identity(), Vec3d(100, 100, -100)};
        for (const Rigidd& x : m) moved.push_back(x * shift);
        const Vec3d v = random.vector(), other = shift.inverse() * v;
        EXPECT_LT((blend_spherical(weights, m) * v - blend_spherical(weights, moved) * other).norm(), 1e-9);
        EXPECT_LT(
            (blend_spherical_weighted(weights, m) * v - blend_spherical_weighted(weights, moved) * other)
                .norm(),
            1e-9);
    }
}

// Skinning T22: a weight that goes to zero. The weighted centre follows, the uniform one may jump.
TEST(RotationCenter, WeightedCentreIsContinuous) {
    test::Random random(26);
    double largest = 0, uniform = 0;
    for (int n = 0; n < 300; ++n) {
        std::vector<Rigidd> three = random_rigids(random, 3);
        const double w = random.uniform(0.2, 0.8);
        const std::vector<double> pair = {w, 1 - w}, all = {w * (1 - 1e-6), (1 - w) * (1 - 1e-6), 1e-6};
        three = with_signs(three, heaviest_signs(all, rotations_of(three)));
        const std::vector<Rigidd> two(three.begin(), three.begin() + 2);
        if (angle_between(two[0].rotation, two[1].rotation) < 0.2) continue;
        const Vec3d v = random.vector();
        largest = std::max(
            largest,
            (blend_spherical_weighted(all, three) * v - blend_spherical_weighted(pair, two) * v).norm());
        uniform =
            std::max(uniform, (blend_spherical(all, three) * v - blend_spherical(pair, two) * v).norm());
    }
    EXPECT_LT(largest, 1e-4);
    EXPECT_GT(uniform, 1e-2) << "the uniform centre jumps, which is why the weighted one exists";
}

// Skinning T23: relative rotations down to zero between joints that are pulled apart.
TEST(RotationCenter, TinyRelativeRotationsStayNear) {
    const std::vector<double> half = {0.5, 0.5};
    const Vec3d v(0.3, -0.7, 0.2);
    Vec3d last = Vec3d::Zero();
    for (const double angle : {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 0.0}) {
        const std::vector<Rigidd> m = {{Quatd::Identity(), Vec3d::Zero()},
                                       {axis_angle<double>(Vec3d::UnitZ(), angle), Vec3d::UnitX()}};
        const Vec3d moved = blend_spherical(half, m) * v;
        ASSERT_TRUE(moved.allFinite());
        EXPECT_LT((moved - (v + 0.5 * Vec3d::UnitX())).norm(), angle + 1e-9) << angle;
        if (angle < 1e-5) {
            EXPECT_LT((moved - last).norm(), 1e-5);
        }
        last = moved;
    }
    // Across the cut itself.
    const auto at = [&](double angle) {
        const std::vector<Rigidd> m = {{Quatd::Identity(), Vec3d::Zero()},
                                       {axis_angle<double>(Vec3d::UnitZ(), angle), Vec3d::UnitX()}};
        return std::pair(rotation_center({}, m).rank, Vec3d(blend_spherical(half, m) * v));
    };
    const auto [rank_below, below] = at(rank_threshold * 0.999);
    const auto [rank_above, above] = at(rank_threshold * 1.001);
    EXPECT_EQ(rank_below, 0);
    EXPECT_EQ(rank_above, 2);
    EXPECT_LT((below - above).norm(), 1e-6);
}

TEST(RotationCenter, NeighboursShareTheirJoint) {
    test::Random random(28);
    for (int n = 0; n < 100; ++n) {
        const Vec3d joint = random.vector();
        const Rigidd parent = random.rigid();
        const Rigidd child =
            parent * rotation_about<double>(joint, random.unit_vector(), random.uniform(0.1, 3));
        EXPECT_TRUE(share_point(parent, child, joint));
        EXPECT_FALSE(share_point(parent, child, joint + random.vector()));
        EXPECT_FALSE(share_point(
            parent, Rigidd{child.rotation, child.translation + 1e-3 * random.unit_vector()}, joint));
        const std::vector<double> weights = random.weights(2);
        std::vector<Rigidd> m = {parent, child};
        m = with_signs(m, heaviest_signs(weights, rotations_of(m)));
        EXPECT_LT(test::distance(blend_about(weights, m, joint), blend_spherical(weights, m)), 1e-10);
    }
}

}  // namespace
}  // namespace sinew::math
