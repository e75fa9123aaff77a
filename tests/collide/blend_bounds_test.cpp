// SPDX-License-Identifier: MIT
#include "sinew/collide/body/blend_bounds.h"

#include <cmath>

#include "support/random.h"
#include <gtest/gtest.h>

#include "sinew/math/dual_quaternion.h"

namespace sinew::collide {
namespace {

using math::DualQuatd;
using math::Rigidd;
using test::Random;

const Quatd one(1, 0, 0, 0), i(0, 1, 0, 0), j(0, 0, 1, 0);

TEST(QuotientBound, HoldsForAllCombinationsAndAnyScale) {
    Random random(22);
    const auto any = [&] {
        return Quatd(random.normal(), random.normal(), random.normal(), random.normal());
    };
    int checked = 0;
    for (int round = 0; round < 3000; ++round) {
        std::vector<QuotientTerm> terms(static_cast<std::size_t>(random.integer(1, 5)));
        Quatd s = random.rotation();
        for (QuotientTerm& term : terms) {
            term = {any(), any()};
            if (math::dot(term.b, s) < 0) term.b = math::negated(term.b);
        }
        const Quatd h = any();
        const double bound = quotient_bound(terms, s, h);
        auto scaled = terms;
        for (QuotientTerm& term : scaled) {
            const double factor = random.uniform(0.1, 10);
            term.e.coeffs() *= factor;
            term.b.coeffs() *= factor;
        }
        ASSERT_NEAR(quotient_bound(scaled, s, h), bound, 1e-9 * bound);
        for (int trial = 0; trial < 10; ++trial) {
            Quatd e(0, 0, 0, 0), b(0, 0, 0, 0);
            for (const QuotientTerm& term : terms) {
                const double u = random.uniform();
                e.coeffs() += u * term.e.coeffs();
                b.coeffs() += u * term.b.coeffs();
            }
            ASSERT_LE(((e * b.inverse()).coeffs() - h.coeffs()).norm(), bound * (1 + 1e-12));
            ++checked;
        }
    }
    EXPECT_EQ(checked, 30000);
    const QuotientTerm single[]{{any(), any()}};
    const Quatd exact = single[0].e * single[0].b.inverse();
    EXPECT_NEAR(quotient_bound(single, single[0].b.normalized(), exact), 0, 1e-12);
    EXPECT_TRUE(std::isinf(quotient_bound(single, math::negated(single[0].b.normalized()), exact)));
}

DualCorner dual_corner(const DualQuatd& q, const Vec3d& p) {
    Quatd e = q.real * Quatd(0, p.x(), p.y(), p.z());
    e.coeffs() += 2 * q.dual.coeffs();
    return {e, q.real};
}

TEST(DualBound, PointIsTheSkinnedOne) {
    Random random(23);
    for (int round = 0; round < 1000; ++round) {
        const DualQuatd q = math::to_dual_quaternion(random.rigid(3)) * random.uniform(0.3, 1);
        const Vec3d p = random.vector(2);
        const DualCorner corner[]{dual_corner(q, p)};
        double smallest = 0;
        const Sphere sphere = dual_bound(corner, false, smallest);
        EXPECT_EQ(sphere.radius, 0);
        ASSERT_NEAR((sphere.center - math::transform(math::normalized(q), p)).norm(), 0, 1e-12);
    }
}

TEST(DualBound, HalfTurnRunsThroughTheHalfCircle) {
    const Rigidd half{math::axis_angle<double>(Vec3d::UnitZ(), math::pi), Vec3d::Zero()};
    const Vec3d p(1, 0, 0);
    const DualCorner corners[]{dual_corner({}, p), dual_corner(math::to_dual_quaternion(half), p)};
    double smallest = 0;
    const Sphere sphere = dual_bound(corners, true, smallest);
    EXPECT_NEAR(sphere.center.norm(), 0, 1e-15);
    EXPECT_NEAR(sphere.radius, 1, 1e-15);
}

/// Largest distance of blends of the corners from the centre, over the radius.
double overshoot(const std::vector<DualQuatd>& duals, const Vec3d& p, const Sphere& sphere, Random& random) {
    double largest = 0;
    for (int trial = 0; trial < 60; ++trial) {
        const auto w = random.weights(static_cast<int>(duals.size()));
        const DualQuatd sum = math::weighted_sum<double>(w, duals);
        const Vec3d y = math::transform(math::normalized(sum), p);
        largest = std::max(largest, (y - sphere.center).norm() / sphere.radius);
    }
    return largest;
}

TEST(DualBound, TwoJointsStayInTheSphereOnTheChord) {
    Random random(24);
    for (int round = 0; round < 2000; ++round) {
        DualQuatd a = math::to_dual_quaternion(random.rigid(1)),
                  b = math::to_dual_quaternion(random.rigid(1));
        if (math::dot(a.real, b.real) < 0) b = -b;
        const double t0 = random.uniform(), t1 = random.uniform();
        const Vec3d p = random.vector(1);
        const std::vector<DualQuatd> ends{a * (1 - t0) + b * t0, a * (1 - t1) + b * t1};
        const DualCorner corners[]{dual_corner(ends[0], p), dual_corner(ends[1], p)};
        double smallest = 0;
        const Sphere sphere = dual_bound(corners, true, smallest);
        ASSERT_LE(overshoot(ends, p, sphere, random), 1 + 1e-9) << round;
    }
}

TEST(DualBound, GeneralBoundHoldsWhereTheChordDoesNot) {
    Random random(25);
    int chord_fails = 0;
    for (int round = 0; round < 3000; ++round) {
        std::vector<DualQuatd> joints;
        for (int k = 0; k < 3; ++k) {
            joints.push_back(math::to_dual_quaternion(random.rigid(2)));
            if (math::dot(joints[0].real, joints.back().real) < 0) joints.back() = -joints.back();
        }
        const auto u = random.weights(3), v = random.weights(3);
        const std::vector<DualQuatd> ends{math::weighted_sum<double>(u, joints),
                                          math::weighted_sum<double>(v, joints)};
        const Vec3d p = random.vector(1);
        const DualCorner corners[]{dual_corner(ends[0], p), dual_corner(ends[1], p)};
        double smallest = 0;
        const Sphere general = dual_bound(corners, false, smallest),
                     chord = dual_bound(corners, true, smallest);
        if (!general.bounded()) continue;
        ASSERT_LE(overshoot(ends, p, general, random), 1 + 1e-9) << round;
        chord_fails += overshoot(ends, p, chord, random) > 1 + 1e-6;
    }
    EXPECT_GT(chord_fails, 0);
}

TEST(DualBound, NearCancellationIsUnbounded) {
    DualQuatd a;
    DualQuatd b = -a;
    b.real = math::axis_angle<double>(Vec3d::UnitX(), 2 * math::pi - 0.01);
    const DualCorner corners[]{dual_corner(a, Vec3d(1, 1, 1)), dual_corner(b, Vec3d(1, 1, 1))};
    double smallest = 0;
    EXPECT_FALSE(dual_bound(corners, false, smallest).bounded());
}

TEST(SphericalBound, HoldsForAllWeightsAndIsNoLargerThanTheWholeSphere) {
    Random random(26);
    for (int round = 0; round < 3000; ++round) {
        const int n = random.integer(2, 5);
        const double angle = round % 2 == 0 ? 1.0 : 2.5;
        std::vector<SphericalCorner> joints;
        for (int k = 0; k < n; ++k) {
            joints.push_back({random.rotation(angle), random.vector(0.3)});
            if (math::dot(joints[0].q, joints.back().q) < 0) joints.back().q = math::negated(joints.back().q);
        }
        const Vec3d g = random.vector(1);
        double smallest = 0;
        const Sphere sphere = spherical_bound(joints, g, smallest);
        Vec3d mean = Vec3d::Zero();
        for (const SphericalCorner& joint : joints) mean += joint.l / n;
        double spread = 0;
        for (const SphericalCorner& joint : joints) spread = std::max(spread, (joint.l - mean).norm());
        ASSERT_LE(sphere.radius, g.norm() + spread + 1e-12);
        for (int trial = 0; trial < 50; ++trial) {
            const auto w = random.weights(n);
            Quatd b(0, 0, 0, 0);
            Vec3d l = Vec3d::Zero();
            for (int k = 0; k < n; ++k) {
                b.coeffs() += w[static_cast<std::size_t>(k)] * joints[static_cast<std::size_t>(k)].q.coeffs();
                l += w[static_cast<std::size_t>(k)] * joints[static_cast<std::size_t>(k)].l;
            }
            const Vec3d y = rotated(b, g) + l;
            ASSERT_LE((y - sphere.center).norm(), sphere.radius * (1 + 1e-9)) << round;
        }
    }
}

}  // namespace
}  // namespace sinew::collide
