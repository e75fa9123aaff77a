// SPDX-License-Identifier: MIT
#include "sinew/math/quaternion.h"

#include <array>
#include <vector>

#include "support/random.h"
#include <gtest/gtest.h>

namespace sinew::math {
namespace {

const std::array<Quatd, 4> units = {Quatd(1, 0, 0, 0), Quatd(0, 1, 0, 0), Quatd(0, 0, 1, 0),
                                    Quatd(0, 0, 0, 1)};

double distance(const Quatd& a, const Quatd& b) {
    return (a.coeffs() - b.coeffs()).norm();
}

TEST(Quaternion, ProductTable) {
    const auto& [one, i, j, k] = units;
    EXPECT_EQ(distance(i * j, k), 0);
    EXPECT_EQ(distance(j * k, i), 0);
    EXPECT_EQ(distance(k * i, j), 0);
    EXPECT_EQ(distance(j * i, negated(k)), 0);
    EXPECT_EQ(distance(k * j, negated(i)), 0);
    EXPECT_EQ(distance(i * k, negated(j)), 0);
    for (const Quatd& u : {i, j, k}) EXPECT_EQ(distance(u * u, negated(one)), 0);
}

TEST(Quaternion, AlgebraOfAnyLength) {
    test::Random random;
    for (int n = 0; n < 1000; ++n) {
        const Quatd p(random.normal(), random.normal(), random.normal(), random.normal());
        const Quatd q(random.normal(), random.normal(), random.normal(), random.normal());
        const Quatd r(random.normal(), random.normal(), random.normal(), random.normal());
        EXPECT_LT(distance((p * q) * r, p * (q * r)), 1e-12);
        EXPECT_LT(distance((p * q).conjugate(), q.conjugate() * p.conjugate()), 1e-12);
        EXPECT_NEAR((p * q).norm(), p.norm() * q.norm(), 1e-12);
        EXPECT_LT(distance(p * p.inverse(), Quatd::Identity()), 1e-12);
    }
}

TEST(Quaternion, ProductAppliesTheRightFactorFirst) {
    const Quatd x = axis_angle<double>(Vec3d::UnitX(), pi / 2),
                z = axis_angle<double>(Vec3d::UnitZ(), pi / 2);
    EXPECT_LT(((z * x) * Vec3d::UnitY() - z * Vec3d(Vec3d::UnitZ())).norm(), 1e-15);
}

TEST(Quaternion, MatrixOfAnyLengthAndBack) {
    test::Random random;
    for (int n = 0; n < 2000; ++n) {
        const Quatd q = random.rotation();
        Quatd longer;
        longer.coeffs() = random.uniform(0.1, 30) * q.coeffs();
        const Mat3d m = to_matrix(longer);
        EXPECT_LT((m - q.toRotationMatrix()).norm(), 1e-13);
        EXPECT_LT(distance(aligned(from_matrix(m), q), q), 1e-13);
    }
}

TEST(Quaternion, FromMatrixAtHalfTurns) {
    // The trace is -1 here and the plain formula would divide by zero.
    test::Random random;
    for (int n = 0; n < 300; ++n) {
        const Vec3d axis = n < 3 ? Vec3d(Vec3d::Unit(n)) : random.unit_vector();
        for (const double angle : {pi, pi - 1e-8, pi + 1e-8, pi - 1e-3}) {
            const Quatd q = axis_angle(axis, angle);
            EXPECT_LT(distance(aligned(from_matrix(to_matrix(q)), q), q), 1e-13);
        }
    }
}

TEST(Quaternion, ExpUndoesLog) {
    test::Random random;
    for (int n = 0; n < 1000; ++n) {
        const Quatd q = random.rotation();
        EXPECT_LT(distance(exp(log(q)), q), 1e-12);
    }
}

TEST(Quaternion, LogKeepsItsDigitsAtEveryAngle) {
    test::Random random;
    for (const double half :
         {0.0, 1e-300, 1e-12, 1e-7, 0.99e-4, 1.01e-4, 0.1, pi / 2, 3.0, pi - 1e-4, pi - 1e-6}) {
        const Vec3d v = half * random.unit_vector();
        const Quatd q = exp(v);
        EXPECT_NEAR(q.norm(), 1, 1e-15);
        // Near pi the axis carries sin(half): its digits are what that leaves.
        const double tolerance = 1e-15 + 4e-16 * half / std::max(std::sin(half), 1e-9);
        EXPECT_LE((log(q) - v).norm(), std::min(tolerance, half < 1 ? 4e-16 * half + 1e-310 : tolerance))
            << half;
        EXPECT_LT(distance(exp(log(q)), q), 1e-14) << half;
    }
}

TEST(Quaternion, LogOfMinusOneHasLengthPi) {
    const Quatd q(-1, 0, 0, 0);
    EXPECT_DOUBLE_EQ(log(q).norm(), pi);
    EXPECT_LT(distance(exp(log(q)), q), 1e-15);
    EXPECT_EQ(log_shortest(q).norm(), 0);
}

TEST(Quaternion, ShortestLogStaysBelowAQuarterTurn) {
    test::Random random;
    for (int n = 0; n < 1000; ++n) {
        const Quatd q = random.rotation();
        EXPECT_LE(log_shortest(q).norm(), pi / 2 + 1e-15);
        EXPECT_LT((log_shortest(q) - log_shortest(negated(q))).norm(), 1e-14);
        EXPECT_LT((to_matrix(from_rotation_vector(rotation_vector(q))) - to_matrix(q)).norm(), 1e-13);
    }
}

// Skinning T27: pow(q, t) and pow(-q, t) turn opposite ways and meet at the end.
TEST(Quaternion, PowersOfBothSignsTurnOppositeWays) {
    test::Random random;
    for (int n = 0; n < 300; ++n) {
        const Vec3d axis = random.unit_vector();
        const double angle = random.uniform(0.1, 2 * pi - 0.1);
        const Quatd q = exp(Vec3d(angle / 2 * axis));
        const double t = random.uniform(0.01, 0.49);
        const Quatd one_way = pow(q, t), other_way = pow(negated(q), t);
        EXPECT_NEAR(2 * log(one_way).dot(axis), t * angle, 1e-12);
        EXPECT_NEAR(2 * log(other_way).dot(axis), t * (angle - 2 * pi), 1e-12);
        EXPECT_LT((to_matrix(pow(q, 1.0)) - to_matrix(pow(negated(q), 1.0))).norm(), 1e-12);
        EXPECT_LT(distance(pow(q, t) * pow(q, 0.5 - t), pow(q, 0.5)), 1e-12);
    }
}

// Mocap test 10.
TEST(Quaternion, SlerpIsExactAtItsEndsAndEvenBetween) {
    test::Random random;
    for (int n = 0; n < 300; ++n) {
        const Quatd a = random.rotation(), b = aligned(random.rotation(), a);
        EXPECT_EQ(distance(slerp(0.0, a, b), a), 0);
        EXPECT_EQ(distance(slerp(1.0, a, b), b), 0);
        const double t = random.uniform();
        EXPECT_NEAR(angle_between(a, slerp(t, a, b)), t * angle_between(a, b), 1e-12);
        EXPECT_LT(distance(slerp(t, a, b), a * pow(Quatd(a.conjugate() * b), t)), 1e-12);
        EXPECT_LT(distance(slerp(t, a, negated(b)), slerp(t, a, b)), 1e-15);
    }
    const Quatd quarter = axis_angle<double>(Vec3d::UnitY(), pi / 2);
    EXPECT_NEAR(degrees(angle_between(Quatd::Identity(), slerp(0.3, Quatd::Identity(), quarter))), 27, 1e-6);
}

TEST(Quaternion, SlerpOfTinyAngles) {
    test::Random random;
    for (const double angle : {0.0, 1e-12, 1e-8, 1.9e-6, 2.1e-6, 1e-4}) {
        const Quatd a = random.rotation(), b = a * axis_angle(random.unit_vector(), angle);
        const Quatd middle = slerp(0.25, a, b);
        EXPECT_NEAR(middle.norm(), 1, 1e-15);
        EXPECT_NEAR(angle_between(a, middle), angle / 4, 1e-15 + 1e-9 * angle);
    }
}

double largest_nlerp_error(double angle, double& at) {
    const Quatd a = Quatd::Identity(), b = axis_angle<double>(Vec3d::UnitZ(), angle);
    double worst = 0;
    for (int i = 0; i <= 20000; ++i) {
        const double t = i / 20000.0;
        const double error = std::abs(2 * std::atan2(nlerp(t, a, b).z(), nlerp(t, a, b).w()) - t * angle);
        if (error > worst) {
            worst = error;
            at = std::min(t, 1 - t);
        }
    }
    return worst;
}

// Skinning T9 and the first row of T11; mocap 3.1.
TEST(Quaternion, LinearBlendErrorFigures) {
    double at = 0;
    const std::array<std::array<double, 2>, 6> table = {
        {{30, 0.03309}, {60, 0.26748}, {90, 0.91882}, {120, 2.23397}, {150, 4.51401}, {180, 8.14914}}};
    for (const auto& [angle, error] : table) {
        EXPECT_NEAR(degrees(largest_nlerp_error(radians(angle), at)), error, 1e-5) << angle;
    }
    EXPECT_NEAR(at, 0.238638, 1e-4);
    const Quatd half = axis_angle<double>(Vec3d::UnitZ(), pi);
    const Quatd there = nlerp(0.238638, Quatd::Identity(), half);
    EXPECT_NEAR(std::abs(2 * std::atan2(there.z(), there.w()) - 0.238638 * pi), 0.1422293, 1e-6);
}

TEST(Quaternion, LinearBlendOfSeveral) {
    // 0, 60 and 120 degrees about z with weights 1/2, 1/4, 1/4 (the quaternion part of skinning T15).
    const std::vector<Quatd> rotations = {axis_angle<double>(Vec3d::UnitZ(), 0),
                                          axis_angle<double>(Vec3d::UnitZ(), pi / 3),
                                          axis_angle<double>(Vec3d::UnitZ(), 2 * pi / 3)};
    const std::vector<double> weights = {0.5, 0.25, 0.25};
    const Quatd q = blend_linear<double>(weights, rotations);
    EXPECT_NEAR(degrees(angle_between(Quatd::Identity(), q)), 44.177326, 1e-6);
    // q and -q cancel: the heaviest decides.
    const std::vector<Quatd> opposite = {negated(rotations[1]), rotations[1]};
    const std::vector<double> halves = {0.5, 0.5};
    EXPECT_EQ(distance(blend_linear<double>(halves, opposite), opposite[0]), 0);
}

// Mocap test 27, and every distance from the antiparallel between.
TEST(Quaternion, RotationBetweenHardCases) {
    test::Random random;
    for (int n = 0; n < 300; ++n) {
        const Vec3d a = n < 3 ? Vec3d(Vec3d::Unit(n)) : random.unit_vector();
        for (const double apart : {0.0, 1e-16, 1e-12, 1e-9, 1e-7, 1e-6, 1e-5, 1e-4, 1e-2, 0.4, 0.5}) {
            for (const double side : {1.0, -1.0}) {
                const Vec3d b = (side * a + apart * random.unit_vector()).normalized();
                const Quatd q = rotation_between(a, b);
                EXPECT_NEAR(q.norm(), 1, 1e-14);
                EXPECT_LT((q * a - b).norm(), 1e-14) << side << ' ' << apart;
                // The smallest rotation turns across both; near -a the axis itself is only as sure as b is.
                EXPECT_LT(std::abs(q.vec().dot(a)), 1e-14 + (apart < 1e-3 ? 0 : 1e-13));
                EXPECT_NEAR(angle_between(Quatd::Identity(), q), std::atan2(a.cross(b).norm(), a.dot(b)),
                            2e-8);
            }
        }
    }
}

TEST(Quaternion, RotationBetweenInSinglePrecision) {
    test::Random random;
    for (int n = 0; n < 1000; ++n) {
        const Vec3<float> a = random.unit_vector().cast<float>().normalized();
        const double apart = std::pow(10, random.uniform(-9, 0.3));
        const Vec3<float> b = (-a + (apart * random.unit_vector()).cast<float>()).normalized();
        EXPECT_LT((rotation_between<float>(a, b) * a - b).norm(), 2e-6f) << apart;
    }
}

TEST(Quaternion, AngleBetweenSmallAndLarge) {
    test::Random random;
    for (const double angle : {0.0, 1e-12, 1e-7, 1.0, pi - 1e-7, pi}) {
        const Quatd a = random.rotation();
        const Quatd b = a * axis_angle(random.unit_vector(), angle);
        EXPECT_NEAR(angle_between(a, b), angle, 1e-15 + 1e-15 * angle + (angle < 1e-9 ? 2e-16 : 1e-15));
        EXPECT_NEAR(angle_between(a, negated(b)), angle, 2e-15);
    }
}

}  // namespace
}  // namespace sinew::math
