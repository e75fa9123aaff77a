// SPDX-License-Identifier: MIT
#include "sinew/fit/proxy/dual_fit.h"

#include "fit/sequences.h"
#include <Eigen/QR>
#include <gtest/gtest.h>

#include "sinew/fit/decomposition/target.h"
#include "sinew/fit/proxy/affine_fit.h"
#include "sinew/fit/proxy/proxy_joints.h"

namespace sinew::fit {
namespace {

using math::DualQuatd;
using math::Quatd;
using test::Random;

struct Case {
    std::vector<Vec3d> rest;
    JointRig rig;
    DualSystem system;
    double size;

    Case(const geometry::Mesh& mesh, std::span<const Vec3d> joints, const BlendWeights& weights)
        : rest(test::doubles(mesh.positions)),
          rig(make_rig(rest, joints, weights)),
          system(rig),
          size(test::diagonal(mesh)) {}
    Case(const Case&) = delete;

    double rms(const BonePose& pose, std::span<const Vec3d> goals) const {
        double sum = 0;
        for (std::size_t v = 0; v < rest.size(); ++v) {
            const Vec3d p = pose.duals.empty()
                                ? Vec3d(blended_matrix(rig.weights.of(v), pose) * rest[v].homogeneous())
                                : move(blended_dual(rig.weights.of(v), pose), rest[v]);
            sum += (p - goals[v]).squaredNorm();
        }
        return std::sqrt(sum / static_cast<double>(rest.size()));
    }
    std::vector<Vec3d> played(const BonePose& pose) const {
        std::vector<Vec3d> goals;
        for (std::size_t v = 0; v < rest.size(); ++v)
            goals.push_back(move(blended_dual(rig.weights.of(v), pose), rest[v]));
        return goals;
    }
    DualFrame fit(DualMethod method, std::span<const Vec3d> goals, int iterations = 8) const {
        DualOptions options;
        options.method = method;
        options.linear_iterations = iterations;
        return fit_dual_frame(rig, system, goals, options);
    }
};

std::unique_ptr<Case> sheet_case(int joints, std::uint32_t n = 14) {
    const geometry::Mesh mesh = test::sheet(n, 0.3);
    const ProxyJoints positioned = set_joint_positions(mesh, joints);
    std::vector<Vec3d> centers;
    for (const auto v : positioned.vertices) centers.push_back(mesh.positions[v].cast<double>());
    return std::make_unique<Case>(mesh, centers, hat_weights(mesh, positioned));
}

/// A bar of 1 x 0.25 x 0.25 along x: rings of `side` vertices on each of four sides.
geometry::Mesh square_bar(int slices, int side) {
    geometry::Mesh mesh;
    for (int i = 0; i < slices; ++i) {
        for (int j = 0; j < 4 * side; ++j) {
            const double along = 0.25 * (j % side) / side - 0.125;
            const Vec3d edge =
                Eigen::AngleAxisd(j / side * math::pi / 2, Vec3d::UnitX()) * Vec3d(0, along, 0.125);
            mesh.positions.push_back(Vec3d(i / (slices - 1.0), edge.y(), edge.z()).cast<float>());
        }
    }
    mesh.triangles = sinew::test::grid(static_cast<std::uint32_t>(slices),
                                       static_cast<std::uint32_t>(4 * side), false, true);
    return mesh;
}

BonePose random_pose(Random& random, std::size_t joints, double angle, double shift) {
    BonePose pose;
    for (std::size_t j = 0; j < joints; ++j)
        pose.duals.push_back(
            math::to_dual_quaternion(math::Rigidd{random.rotation(angle), random.vector(shift)}));
    for (DualQuatd& q : pose.duals) {
        if (q.real.w() < 0) q = -q;
    }
    return pose;
}

TEST(DualRows, TheLinearRowsAreTheDistanceAndTheStudyTerm) {
    Random random(4);
    for (int trial = 0; trial < 10000; ++trial) {
        DualQuatd q;
        for (int c = 0; c < 4; ++c) {
            q.real.coeffs()(c) = random.normal();
            q.dual.coeffs()(c) = random.normal();
        }
        const Vec3d v = random.vector(), g = random.vector();
        const double n = q.real.squaredNorm();
        const double left = dual_rows(DualRowKind::quaternion, q, v, g).residual.squaredNorm();
        const double study = q.real.dot(q.dual);
        const double right = n * (g - move(q, v)).squaredNorm() + 4 * study * study / n;
        ASSERT_NEAR(left, right, 1e-12 * (1 + left));
    }
}

TEST(DualRows, TheDualPartMovesAPoint) {
    // B v B^-1 without the conjugate of the dual unit has A v A^-1 as its dual part, whatever E is: the
    // motion would be lost.
    Random random(5);
    for (int trial = 0; trial < 100; ++trial) {
        const DualQuatd q = math::to_dual_quaternion(random.rigid());
        DualQuatd rotated = q;
        rotated.dual.coeffs().setZero();
        const Vec3d v = random.vector();
        const Quatd inverse = q.real.inverse();
        const Quatd moved = q.real * Quatd(0, v.x(), v.y(), v.z()) * inverse;
        const Quatd unconjugated((q.dual * inverse).coeffs() + moved.coeffs() -
                                 (q.real * inverse * q.dual * inverse).coeffs());
        EXPECT_LT((unconjugated.vec() - move(rotated, v)).norm(), 1e-12);
        const Vec3d shift = 2 * (q.dual * q.real.conjugate()).vec();
        EXPECT_GT(shift.norm(), 1e-3);
        EXPECT_LT((move(q, v) - move(rotated, v) - shift).norm(), 1e-12);
    }
}

TEST(DualRows, RigidStepsAgreeWithDifferences) {
    // V_def by omega and tau of q <- (1 + (omega + e tau) / 2) q of one joint of a blend.
    Random random(16);
    for (int trial = 0; trial < 50; ++trial) {
        const DualQuatd own = math::to_dual_quaternion(random.rigid()),
                        other = math::to_dual_quaternion(random.rigid());
        const double w = random.uniform(0.1, 0.9);
        const Vec3d v = random.vector();
        const auto blend = [&](const DualQuatd& q) { return q * w + other * (1 - w); };
        if (blend(own).real.norm() < 0.2) continue;
        const Eigen::Matrix<double, 3, 8> slope =
            dual_rows(DualRowKind::geometric, blend(own), v, Vec3d::Zero()).slope.topRows<3>();
        const JointBasis basis = rigid_basis(own);
        for (int c = 0; c < 6; ++c) {
            const auto stepped = [&](double h) {
                DualQuatd small;
                (c < 3 ? small.real : small.dual).coeffs()(c % 3) = h / 2;
                return move(blend(small * own), v);
            };
            const Vec3d expected = (stepped(1e-6) - stepped(-1e-6)) / 2e-6;
            EXPECT_LT((w * slope * basis.col(c) - expected).norm(), 1e-6 * (1 + expected.norm()));
        }
    }
}

TEST(DualRows, SlopesAgreeWithDifferences) {
    Random random(6);
    for (const DualRowKind kind : {DualRowKind::quaternion, DualRowKind::geometric}) {
        for (int trial = 0; trial < 20; ++trial) {
            DualQuatd q = math::to_dual_quaternion(random.rigid());
            q = q * 1.3;
            const Vec3d v = random.vector(), g = random.vector();
            const DualRows rows = dual_rows(kind, q, v, g);
            for (int c = 0; c < 8; ++c) {
                const double h = 1e-6;
                DualQuatd above = q, below = q;
                (c < 4 ? above.real : above.dual).coeffs()(c % 4) += h;
                (c < 4 ? below.real : below.dual).coeffs()(c % 4) -= h;
                const Eigen::Vector4d slope =
                    (dual_rows(kind, above, v, g).residual - dual_rows(kind, below, v, g).residual) / (2 * h);
                EXPECT_LT((slope - rows.slope.col(c)).norm(), 1e-6 * (1 + slope.norm()));
            }
        }
    }
}

TEST(DualFit, OneJointFollowsAnyRigidMotionHalfTurnsToo) {
    const auto c = sheet_case(1);
    Random random(1);
    for (const double angle : {0.3, 1.0, 2.9, math::pi}) {
        const math::Rigidd motion{Quatd(Eigen::AngleAxisd(angle, random.unit_vector())), random.vector(3)};
        BonePose truth;
        truth.duals.push_back(math::to_dual_quaternion(motion));
        const auto goals = c->played(truth);
        EXPECT_LT(c->rms(c->fit(DualMethod::reference, goals).pose, goals), 1e-9 * c->size) << angle;
        EXPECT_LT(c->rms(c->fit(DualMethod::newton, goals).pose, goals), 1e-9 * c->size) << angle;
        const DualFrame published = c->fit(DualMethod::published, goals);
        if (angle < 2.95) {
            EXPECT_LT(c->rms(published.pose, goals), 1e-5 * c->size) << angle;
        }
        EXPECT_EQ(published.ill_posed, angle > 3.1) << angle;
    }
}

TEST(DualFit, WithNoiseOneJointIsTheProcrustesMotion) {
    const auto c = sheet_case(1);
    Random random(8);
    const math::Rigidd motion = random.rigid();
    std::vector<Vec3d> goals;
    for (const Vec3d& p : c->rest)
        goals.push_back(motion.rotation * p + motion.translation + random.vector(0.05));
    Mat34d cross = Mat34d::Zero();
    math::Mat4d moments = math::Mat4d::Zero();
    for (std::size_t v = 0; v < goals.size(); ++v) {
        const math::Vec4d u = c->rest[v].homogeneous();
        cross += goals[v] * u.transpose();
        moments += u * u.transpose();
    }
    BonePose best;
    best.matrices.push_back(rigid_motion(cross, moments));
    const double expected = c->rms(best, goals);
    EXPECT_NEAR(c->rms(c->fit(DualMethod::reference, goals).pose, goals), expected, 1e-8 * expected);
}

TEST(DualFit, UnitJointsAreFoundAgainByNewtonButNotByTheLinearFit) {
    Random random(12);
    for (const std::size_t joints : {2u, 8u, 20u, 40u}) {
        const auto c = sheet_case(static_cast<int>(joints), joints > 20 ? 22 : 14);
        const auto goals = c->played(random_pose(random, joints, math::pi / 3, 0.6));
        EXPECT_LT(c->rms(c->fit(DualMethod::newton, goals).pose, goals), 1e-11 * c->size) << joints;
        EXPECT_GT(c->rms(c->fit(DualMethod::published, goals).pose, goals),
                  (joints > 2 ? 1e-3 : 3e-4) * c->size)
            << joints;
    }
}

TEST(DualFit, ATwistedBarShowsTheCandyWrapperOfMatrices) {
    const geometry::Mesh mesh = square_bar(33, 8);
    BlendWeights weights(mesh.positions.size(), 2);
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const double x = static_cast<double>(mesh.positions[v].x());
        const BoneWeight both[] = {{0, 1 - x}, {1, x}};
        weights.set(v, both);
    }
    const std::vector<Vec3d> joints = {Vec3d::Zero(), Vec3d::UnitX()};
    const Case c(mesh, joints, weights);
    BonePose truth;
    truth.duals.resize(2);
    truth.duals[1].real = Quatd(Eigen::AngleAxisd(math::radians(150), Vec3d::UnitX()));
    const auto goals = c.played(truth);
    EXPECT_LT(c.rms(c.fit(DualMethod::newton, goals).pose, goals), 1e-10 * c.size);
    EXPECT_LT(c.rms(c.fit(DualMethod::reference, goals, 20).pose, goals), 1e-10 * c.size);
    EXPECT_NEAR(c.rms(c.fit(DualMethod::published, goals).pose, goals), 0.026 * c.size, 0.006 * c.size);
    EXPECT_NEAR(c.rms(AffineFitter(c.rig).fit(goals), goals), 0.032 * c.size, 0.012 * c.size);
    EXPECT_GT(c.rms(AffineFitter(c.rig).fit(goals), goals), 0.02 * c.size);
}

TEST(DualFit, NewtonNeverRisesAndKeepsJointsRigid) {
    const auto c = sheet_case(16);
    std::vector<Vec3d> goals;
    for (const Vec3d& p : c->rest) goals.push_back(test::rolled(p, 1));
    const DualFrame fit = c->fit(DualMethod::newton, goals);
    ASSERT_GT(fit.accepted_cost.size(), 1u);
    for (std::size_t i = 1; i < fit.accepted_cost.size(); ++i)
        EXPECT_LT(fit.accepted_cost[i], fit.accepted_cost[i - 1]);
    for (int steps = 0; steps < 5; ++steps) {
        DualOptions few;
        few.newton_iterations = steps;
        for (const DualQuatd& q : fit_dual_frame(c->rig, c->system, goals, few).pose.duals) {
            EXPECT_NEAR(q.real.norm(), 1, 1e-12);
            EXPECT_NEAR(q.real.dot(q.dual), 0, 1e-13 * (1 + q.dual.norm())) << steps;
        }
    }
    EXPECT_LT(c->rms(fit.pose, goals), c->rms(c->fit(DualMethod::published, goals).pose, goals));
}

TEST(DualFit, DoesNotDependOnWhereRestPoseAndFrameStand) {
    const auto c = sheet_case(12);
    Random random(3);
    const math::Rigidd motion = random.rigid(5), back = random.rigid(2);
    const auto moved = [](const math::Rigidd& m, const std::vector<Vec3d>& points) {
        std::vector<Vec3d> result;
        for (const Vec3d& p : points) result.push_back(m.rotation * p + m.translation);
        return result;
    };
    std::vector<Vec3d> goals;
    for (const Vec3d& p : c->rest) goals.push_back(test::rolled(p, 1));
    // The rig somewhere else, in double precision.
    std::vector<Vec3d> joints;
    for (const Vec3d& p : c->rig.joints) joints.push_back(c->rig.scale * p + c->rig.center);
    const std::vector<Vec3d> rest = moved(back, c->rest);
    const JointRig rig = make_rig(rest, moved(back, joints), c->rig.weights);
    const DualSystem system(rig);
    for (const DualMethod method : {DualMethod::reference, DualMethod::newton}) {
        DualOptions options;
        options.method = method;
        options.tolerance = 1e-13;
        options.newton_iterations = 200;
        options.linear_iterations = 40;
        const auto cost = [&](const JointRig& r, const DualSystem& s, const std::vector<Vec3d>& g) {
            return std::sqrt(fit_dual_frame(r, s, g, options).cost);
        };
        const double here = cost(c->rig, c->system, goals);
        EXPECT_NEAR(cost(c->rig, c->system, moved(motion, goals)), here, 1e-6 * here);
        EXPECT_NEAR(cost(rig, system, goals), here, 1e-6 * here);
        EXPECT_NEAR(cost(rig, system, moved(motion, goals)), here, 1e-6 * here);
    }
}

TEST(DualFit, AWholeTurnIsExact) {
    // 72 frames of a turn by 360 degrees with one joint.
    const auto c = sheet_case(1);
    for (int f = 0; f < 72; ++f) {
        BonePose truth;
        truth.duals.push_back(math::to_dual_quaternion(math::Rigidd{
            Quatd(Eigen::AngleAxisd(2 * math::pi * f / 72, Vec3d(1, 2, 3).normalized())), Vec3d(1, 0, -1)}));
        const auto goals = c->played(truth);
        EXPECT_LT(c->rms(c->fit(DualMethod::newton, goals).pose, goals), 1e-9 * c->size) << f;
    }
}

/// The same least squares as one dense matrix.
double dense_rms(const Case& c, std::span<const Vec3d> goals) {
    const auto rows = static_cast<Eigen::Index>(goals.size());
    Eigen::MatrixXd a = Eigen::MatrixXd::Zero(rows, 4 * static_cast<Eigen::Index>(c.rig.joint_count()));
    Eigen::MatrixXd b(rows, 3);
    for (Eigen::Index v = 0; v < rows; ++v) {
        const auto vertex = static_cast<std::size_t>(v);
        for (const BoneWeight& w : c.rig.weights.of(vertex))
            a.block<1, 4>(v, 4 * w.bone) = w.weight * c.rest[vertex].homogeneous().transpose();
        b.row(v) = goals[vertex].transpose();
    }
    const Eigen::MatrixXd left = b - a * a.colPivHouseholderQr().solve(b);
    return std::sqrt(left.squaredNorm() / static_cast<double>(rows));
}

TEST(AffineFit, FindsAffineJointsAgainAndAgreesWithADenseSolver) {
    Random random(17);
    const auto c = sheet_case(6);
    BonePose truth;
    for (int j = 0; j < 6; ++j) {
        Mat34d m;
        for (int k = 0; k < 12; ++k) m.data()[k] = random.normal();
        truth.matrices.push_back(m);
    }
    std::vector<Vec3d> goals;
    for (std::size_t v = 0; v < c->rest.size(); ++v)
        goals.push_back(blended_matrix(c->rig.weights.of(v), truth) * c->rest[v].homogeneous());
    const BonePose direct = AffineFitter(c->rig).fit(goals);
    EXPECT_LT(c->rms(direct, goals), 1e-9 * c->size);
    for (std::size_t j = 0; j < 6; ++j) EXPECT_LT((direct.matrices[j] - truth.matrices[j]).norm(), 1e-6);
    for (std::size_t v = 0; v < goals.size(); ++v) goals[v] = test::rolled(c->rest[v], 1);
    const double a = c->rms(AffineFitter(c->rig).fit(goals), goals);
    EXPECT_NEAR(dense_rms(*c, goals), a, 1e-6 * a);
}

TEST(AffineFit, FlatClothKeepsItsThickness) {
    const geometry::Mesh mesh = test::sheet(14);
    const ProxyJoints positioned = set_joint_positions(mesh, 12);
    std::vector<Vec3d> centers;
    for (const auto v : positioned.vertices) centers.push_back(mesh.positions[v].cast<double>());
    const Case c(mesh, centers, hat_weights(mesh, positioned));
    std::vector<Vec3d> goals;
    for (const Vec3d& p : c.rest) goals.push_back(test::rolled(p, 1));
    const BonePose pose = AffineFitter(c.rig).fit(goals);
    for (std::size_t v = 0; v < c.rest.size(); ++v) {
        const double volume = std::abs(blended_matrix(c.rig.weights.of(v), pose).leftCols<3>().determinant());
        EXPECT_GT(volume, 1e-3);
    }
    for (const DualQuatd& q : c.fit(DualMethod::newton, goals).pose.duals)
        EXPECT_TRUE(q.real.coeffs().allFinite());
}

TEST(AffineFit, ReflectedPointsStillGetARotation) {
    // Kabsch's motion of mirrored points is a rotation, not the mirror.
    Random random(21);
    for (int trial = 0; trial < 50; ++trial) {
        Mat34d cross = Mat34d::Zero();
        math::Mat4d moments = math::Mat4d::Zero();
        for (int i = 0; i < 12; ++i) {
            const Vec3d p = random.vector();
            const math::Vec4d u = p.homogeneous();
            cross += Vec3d(-p.x(), p.y(), p.z()) * u.transpose();
            moments += u * u.transpose();
        }
        EXPECT_NEAR(rigid_motion(cross, moments).leftCols<3>().determinant(), 1, 1e-12);
    }
}

}  // namespace
}  // namespace sinew::fit
