// SPDX-License-Identifier: MIT
#include "sinew/math/dual_quaternion.h"

#include <array>
#include <vector>

#include "support/random.h"
#include <gtest/gtest.h>

namespace sinew::math {
namespace dual_quaternion_test {

double distance(const DualQuatd& a, const DualQuatd& b) {
    return (a.real.coeffs() - b.real.coeffs()).norm() + (a.dual.coeffs() - b.dual.coeffs()).norm();
}

/// Any dual quaternion, of any norm.
DualQuatd anything(test::Random& random) {
    const auto any = [&] {
        return Quatd(random.normal(), random.normal(), random.normal(), random.normal());
    };
    return {any(), any()};
}

/// Normalised linear blend, signs as they are.
DualQuatd linear_blend(double t, const DualQuatd& p, const DualQuatd& q) {
    return normalized(p * (1 - t) + q * t);
}

TEST(DualQuaternion, NormIsMultiplicative) {
    test::Random random;
    for (int n = 0; n < 1000; ++n) {
        const DualQuatd p = anything(random), q = anything(random);
        const auto np = norm(p), nq = norm(q), npq = norm(p * q);
        EXPECT_NEAR(npq.real, np.real * nq.real, 1e-12);
        EXPECT_NEAR(npq.dual, np.real * nq.dual + np.dual * nq.real, 1e-11);
    }
}

TEST(DualQuaternion, AssociativityConjugatesAndInverse) {
    test::Random random;
    for (int n = 0; n < 1000; ++n) {
        const DualQuatd p = anything(random), q = anything(random), r = anything(random);
        EXPECT_LT(distance((p * q) * r, p * (q * r)), 1e-11);
        EXPECT_LT(distance(conjugate(p * q), conjugate(q) * conjugate(p)), 1e-12);
        if (p.real.norm() > 0.3) {
            EXPECT_LT(distance(p * inverse(p), DualQuatd{}), 1e-10);
        }
        const DualQuatd unit = to_dual_quaternion(random.rigid());
        EXPECT_LT(distance(inverse(unit), conjugate(unit)), 1e-14);
    }
}

TEST(DualQuaternion, NormalizedIsUnitAndMovesPointsAlike) {
    test::Random random;
    for (int n = 0; n < 1000; ++n) {
        const DualQuatd q = anything(random), unit = normalized(q);
        EXPECT_NEAR(norm(unit).real, 1, 1e-14);
        EXPECT_NEAR(norm(unit).dual, 0, 1e-12 / std::min(1.0, q.real.norm()));
        // The part of the dual along the real part does not move a point.
        const DualQuatd plain = q * (1 / q.real.norm());
        const Vec3d v = random.vector();
        EXPECT_LT((transform(plain, v) - transform(unit, v)).norm(), 1e-12 / std::min(1.0, q.real.norm()));
    }
}

// Mocap test 3.
TEST(DualQuaternion, WorkedExamples) {
    const Quatd half_rotation = axis_angle<double>(Vec3d(1, 1, 1).normalized(), pi);
    const DualQuatd rotation = to_dual_quaternion(Rigidd{half_rotation, Vec3d::Zero()});
    EXPECT_LT((transform(rotation, Vec3d(1, 1, 0)) - Vec3d(1, 1, 4) / 3).norm(), 1e-12);
    const DualQuatd shift = to_dual_quaternion(Rigidd{Quatd::Identity(), Vec3d(5, 9, 9)});
    EXPECT_LT((transform(shift, Vec3d(-8, 12, -5)) - Vec3d(-3, 21, 4)).norm(), 1e-12);
    const DualQuatd both = rotation * to_dual_quaternion(Rigidd{Quatd::Identity(), Vec3d(1, 2, -5)});
    EXPECT_LT((transform(both, Vec3d(3, 2, 5)) - Vec3d(4, 4, 16) / 3).norm(), 1e-12);
    const Quatd expected(0.5774, -2.0207, 1.7321, 0.2887);
    EXPECT_LT((both.dual.coeffs() - expected.coeffs()).norm(), 1e-4);
}

TEST(DualQuaternion, PointsMove) {
    test::Random random;
    for (int n = 0; n < 300; ++n) {
        const Rigidd m = random.rigid();
        const DualQuatd q = to_dual_quaternion(m);
        const Vec3d v = random.vector();
        EXPECT_LT((transform(q, v) - m * v).norm(), 1e-13);
    }
}

// Mocap test 4: product, inverse and matrix against 4x4 matrices; a commuted last term must be found out.
TEST(DualQuaternion, AgreesWithMatrices) {
    test::Random random;
    double product_error = 0, inverse_error = 0, matrix_error = 0, commuted_error = 0;
    for (int n = 0; n < 100000; ++n) {
        const Rigidd a = random.rigid(), b = random.rigid();
        const DualQuatd p = to_dual_quaternion(a), q = to_dual_quaternion(b);
        const Mat4d ab = a.matrix() * b.matrix();
        product_error = std::max(product_error, (to_rigid(p * q).matrix() - ab).cwiseAbs().maxCoeff());
        inverse_error =
            std::max(inverse_error,
                     (to_rigid(inverse(p)).matrix() * a.matrix() - Mat4d::Identity()).cwiseAbs().maxCoeff());
        const Rigidd back{from_matrix(Mat3d(ab.topLeftCorner<3, 3>())), ab.topRightCorner<3, 1>()};
        matrix_error =
            std::max(matrix_error, (to_rigid(to_dual_quaternion(back)).matrix() - ab).cwiseAbs().maxCoeff());
        DualQuatd commuted = p * q;
        commuted.dual.coeffs() = (p.real * q.dual).coeffs() + (q.real * p.dual).coeffs();
        commuted_error = std::max(commuted_error, (to_rigid(commuted).matrix() - ab).cwiseAbs().maxCoeff());
    }
    EXPECT_LT(product_error, 1e-12);
    EXPECT_LT(inverse_error, 1e-12);
    EXPECT_LT(matrix_error, 1e-12);
    EXPECT_GT(commuted_error, 0.1);
}

// Skinning T12.
TEST(DualQuaternion, ScrewExample) {
    const Screw<double> screw{Vec3d::UnitZ(), Vec3d(1, 0, 0).cross(Vec3d(Vec3d::UnitZ())), pi / 2, 2};
    const DualQuatd q = from_screw(screw);
    const double r = std::sqrt(0.5);
    EXPECT_LT(distance(q, {Quatd(r, 0, 0, r), Quatd(-r, 0, -r, r)}), 1e-15);
    EXPECT_LT((translation(q) - Vec3d(1, -1, 2)).norm(), 1e-15);
    EXPECT_LT((log(q).real - Vec3d(0, 0, pi / 4)).norm(), 1e-15);
    EXPECT_LT((log(q).dual - Vec3d(0, -pi / 4, 1)).norm(), 1e-15);
    const DualQuatd one;
    const Vec3d v(2, 0, 0);
    EXPECT_LT((transform(sclerp(0.5, one, q), v) - Vec3d(1.7071068, 0.7071068, 1)).norm(), 1e-7);
    EXPECT_LT((transform(sclerp(0.25, one, q), v) - Vec3d(1.9238795, 0.3826834, 0.5)).norm(), 1e-7);
    EXPECT_LT((transform(linear_blend(0.25, one, q), v) - Vec3d(1.9297883, 0.3680947, 0.4383064)).norm(),
              1e-7);
    const Screw<double> back = to_screw(q);
    EXPECT_LT((back.direction - screw.direction).norm() + (back.moment - screw.moment).norm(), 1e-14);
    EXPECT_NEAR(back.angle, pi / 2, 1e-15);
    EXPECT_NEAR(back.pitch, 2, 1e-15);
}

TEST(DualQuaternion, ScrewOfRandomMotionsAndOfTranslations) {
    test::Random random;
    for (int n = 0; n < 1000; ++n) {
        const DualQuatd q = to_dual_quaternion(random.rigid());
        const Screw<double> screw = to_screw(q);
        EXPECT_NEAR(screw.direction.norm(), 1, 1e-13);
        EXPECT_NEAR(screw.direction.dot(screw.moment), 0, 1e-12);
        // A point of the axis only slides along it.
        const Vec3d on_axis = screw.direction.cross(screw.moment);
        EXPECT_LT((transform(q, on_axis) - on_axis - screw.pitch * screw.direction).norm(), 1e-11);
        const DualQuatd again = from_screw(screw);
        EXPECT_LT(distance(dot(again.real, q.real) < 0 ? -again : again, q), 1e-12);
    }
    const Screw<double> slide = to_screw(to_dual_quaternion(Rigidd{Quatd::Identity(), Vec3d(0, 3, 4)}));
    EXPECT_EQ(slide.angle, 0);
    EXPECT_NEAR(slide.pitch, 5, 1e-15);
    EXPECT_LT((slide.direction - Vec3d(0, 0.6, 0.8)).norm(), 1e-15);
    EXPECT_EQ(to_screw(DualQuatd{}).pitch, 0);
}

// Skinning T13: halfway the linear blend and the screw agree.
TEST(DualQuaternion, LinearBlendMeetsTheScrewHalfway) {
    test::Random random;
    for (int n = 0; n < 1000; ++n) {
        const DualQuatd p = to_dual_quaternion(random.rigid());
        DualQuatd q = to_dual_quaternion(random.rigid());
        if (dot(p.real, q.real) < 0) q = -q;
        if (dot(p.real, q.real) < 0.02) continue;  // nearly half a turn apart: the sum is short
        EXPECT_LT(distance(linear_blend(0.5, p, q), sclerp(0.5, p, q)), 1e-12);
    }
}

/// Angle and pitch of the linear blend from the identity to a screw about z.
std::array<double, 2> blended_screw(double t, double angle, double pitch) {
    const Screw<double> s =
        to_screw(linear_blend(t, {}, from_screw(Screw<double>{Vec3d::UnitZ(), Vec3d::Zero(), angle, pitch})));
    return {s.angle * s.direction.z(), s.pitch * s.direction.z()};
}

// Skinning T10 and T11: how far the linear blend leaves the even screw.
TEST(DualQuaternion, LinearBlendErrorBounds) {
    const std::array<std::array<double, 3>, 6> table = {{{30, 0.03309, 0.003317},
                                                         {60, 0.26748, 0.013499},
                                                         {90, 0.91882, 0.031293},
                                                         {120, 2.23397, 0.058108},
                                                         {150, 4.51401, 0.096356},
                                                         {179.9999, 8.14914, 0.150142}}};
    for (const auto& [rotation, angle_error, pitch_error] : table) {
        double worst_angle = 0, worst_pitch = 0;
        for (int i = 1; i < 5000; ++i) {
            const double t = i / 5000.0;
            const auto [angle, pitch] = blended_screw(t, radians(rotation), 3);
            worst_angle = std::max(worst_angle, std::abs(degrees(angle) - t * rotation));
            worst_pitch = std::max(worst_pitch, std::abs(pitch / 3 - t));
        }
        EXPECT_NEAR(worst_angle, angle_error, 2e-5) << rotation;
        EXPECT_NEAR(worst_pitch, pitch_error, 1e-6) << rotation;
    }
    EXPECT_NEAR(0.257066 - blended_screw(0.257066, pi, 1)[1], 0.1501416, 1e-6);
}

TEST(DualQuaternion, LinearBlendNeverLeavesTheBounds) {
    test::Random random;
    for (int n = 0; n < 20000; ++n) {
        const double angle = random.uniform(0.01, pi), pitch = random.uniform(-2, 2),
                     t = random.uniform(0.001, 0.999);
        const auto [a, p] = blended_screw(t, angle, pitch);
        ASSERT_LT(std::abs(a - t * angle), 0.14223);
        ASSERT_LT(std::abs(p - t * pitch), 0.15015 * std::abs(pitch) + 1e-9);
    }
}

// Skinning T26.
TEST(DualQuaternion, ExpUndoesLogAtEveryAngle) {
    test::Random random;
    for (const double half :
         {0.0, 1e-12, 1e-7, 0.99e-4, 1.01e-4, 1e-3, 0.5, pi / 2, 3.0, pi - 1e-3, pi - 1e-6}) {
        for (int n = 0; n < 50; ++n) {
            const Rigidd m{exp(Vec3d(half * random.unit_vector())), random.vector()};
            const DualQuatd q = to_dual_quaternion(m);
            // Beyond half a turn the axis of the literal branch lies far away, and the log is as large.
            EXPECT_LT(distance(exp(log(q)), q), 1e-12 + 4e-15 * log(q).dual.norm()) << half;
            EXPECT_LT(distance(to_dual_quaternion(to_rigid(q)), q), 1e-12);
            const DualVector<double> shortest = log_shortest(q);
            EXPECT_LE(shortest.real.norm(), pi / 2 + 1e-15);
            EXPECT_LT((to_rigid(exp(shortest)).matrix() - m.matrix()).norm(), 1e-12);
        }
    }
}

TEST(DualQuaternion, LogOfMinusOneKeepsTheTranslation) {
    const DualQuatd q = -to_dual_quaternion(Rigidd{Quatd::Identity(), Vec3d(1, -2, 3)});
    EXPECT_LT(distance(exp(log(q)), q), 1e-15);
    EXPECT_LT(distance(exp(log(-DualQuatd{})), -DualQuatd{}), 1e-15);
}

TEST(DualQuaternion, PowersAndConjugation) {
    test::Random random;
    for (int n = 0; n < 500; ++n) {
        const DualQuatd q = to_dual_quaternion(Rigidd{random.rotation(2.0), random.vector()});
        const double a = random.uniform(-0.5, 0.5), b = random.uniform(-0.5, 0.5);
        EXPECT_LT(distance(pow(q, a) * pow(q, b), pow(q, a + b)), 1e-12);
        const DualQuatd m = to_dual_quaternion(random.rigid());
        EXPECT_LT(distance(pow(m * q * conjugate(m), a), m * pow(q, a) * conjugate(m)), 1e-12);
        // Literal branch: -q turns the other way round and slides as far (T27).
        EXPECT_LT((to_rigid(pow(-q, 1.0)).matrix() - to_rigid(q).matrix()).norm(), 1e-12);
    }
}

// Screw interpolation: constant axis, even angle and pitch, left and right invariant (axioms 4, 5, 7, 8).
TEST(DualQuaternion, SclerpAxioms) {
    test::Random random;
    for (int n = 0; n < 500; ++n) {
        const DualQuatd p = to_dual_quaternion(random.rigid()), u = to_dual_quaternion(random.rigid(3));
        const DualQuatd q = p * to_dual_quaternion(Rigidd{random.rotation(2.6), random.vector()});
        const double t = random.uniform(0.1, 0.9);
        EXPECT_LT(distance(sclerp(0.0, p, q), p) + distance(sclerp(1.0, p, q), q), 1e-12);
        EXPECT_LT(distance(u * sclerp(t, p, q), sclerp(t, u * p, u * q)), 1e-11);
        EXPECT_LT(distance(sclerp(t, p, q) * u, sclerp(t, p * u, q * u)), 1e-11);
        const Screw<double> whole = to_screw(conjugate(p) * q),
                            part = to_screw(conjugate(p) * sclerp(t, p, q));
        EXPECT_NEAR(part.angle, t * whole.angle, 1e-12);
        EXPECT_NEAR(part.pitch, t * whole.pitch, 1e-11);
        if (whole.angle < 0.05) continue;  // the axis of a tiny turn lies far away
        EXPECT_LT((part.direction - whole.direction).norm() + (part.moment - whole.moment).norm(), 1e-9);
    }
}

// The linear blend of several: interpolation, permutation, left and right invariance (axioms 1 to 6).
TEST(DualQuaternion, LinearBlendAxioms) {
    test::Random random;
    for (int n = 0; n < 500; ++n) {
        const int count = random.integer(2, 6);
        const DualQuatd u = to_dual_quaternion(random.rigid(3));
        const std::vector<double> weights = random.weights(count);
        std::vector<DualQuatd> q, left, right;
        for (int i = 0; i < count; ++i)
            q.push_back(to_dual_quaternion(Rigidd{random.rotation(1.3), random.vector()}));
        for (const DualQuatd& x : q) left.push_back(u * x), right.push_back(x * u);
        const DualQuatd b = normalized(weighted_sum<double>(weights, q));
        EXPECT_NEAR(b.real.norm(), 1, 1e-14);
        EXPECT_LT(distance(normalized(weighted_sum<double>(weights, left)), u * b), 1e-12);
        EXPECT_LT(distance(normalized(weighted_sum<double>(weights, right)), b * u), 1e-12);
    }
}

TEST(Rigid, ComposesInvertsAndTurnsAboutAPoint) {
    test::Random random;
    for (int n = 0; n < 500; ++n) {
        const Rigidd a = random.rigid(), b = random.rigid();
        EXPECT_LT(((a * b).matrix() - a.matrix() * b.matrix()).norm(), 1e-13);
        EXPECT_LT(((a.inverse() * a).matrix() - Mat4d::Identity()).norm(), 1e-13);
        const Vec3d point = random.vector();
        EXPECT_LT((rotation_about<double>(point, random.unit_vector(), 2.0) * point - point).norm(), 1e-13);
    }
}

}  // namespace dual_quaternion_test
}  // namespace sinew::math
