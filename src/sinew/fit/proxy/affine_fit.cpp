// SPDX-License-Identifier: MIT
#include "sinew/fit/proxy/affine_fit.h"

#include "sinew/math/transform.h"

namespace sinew::fit {

using Eigen::Index;
using Eigen::MatrixXd;

namespace {

// Pull towards the frame's rigid motion, relative to the mean of the diagonal. It determines what the
// vertices leave undetermined, for example on flat cloth; the rest is refined to full precision.
constexpr double regularization = 1e-6;

}  // namespace

AffineFitter::AffineFitter(const JointRig& rig, const AffineOptions& options)
    : rig_(rig), options_(options), positions_(make_system(4)) {
    if (!rig.normals.empty()) normals_ = make_system(3);
}

/// 4 columns per joint for positions, 3 for normals.
AffineFitter::System AffineFitter::make_system(int columns) const {
    System system;
    const auto unknowns = columns * static_cast<Index>(rig_.joint_count());
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t v = 0; v < rig_.rest.size(); ++v) {
        for (const BoneWeight& w : rig_.weights.of(v)) {
            const Vec3d p =
                columns == 4 ? Vec3d((rig_.rest[v] - rig_.joints[w.bone]) / rig_.reach) : rig_.normals[v];
            const auto row = static_cast<int>(v), first = columns * static_cast<int>(w.bone);
            for (int c = 0; c < 3; ++c) entries.emplace_back(row, first + c, w.weight * p(c));
            if (columns == 4) entries.emplace_back(row, first + 3, w.weight);
        }
    }
    system.rows.resize(static_cast<Index>(rig_.rest.size()), unknowns);
    system.rows.setFromTriplets(entries.begin(), entries.end());
    system.mean = system.rows.squaredNorm() / static_cast<double>(unknowns);
    MatrixXd square = MatrixXd(system.rows.transpose() * system.rows);
    square.diagonal().array() += std::max(regularization * system.mean, 1e-300);
    system.factor.compute(square);
    if (options_.pull > 0) {
        square.diagonal().array() += options_.pull * system.mean;
        system.pulled.compute(square);
    }
    return system;
}

/// x = start + (M^T M + r)^-1 M^T (goals - M x), repeated: the pull towards `start` vanishes where the
/// vertices determine the solution, and remains where they do not.
MatrixXd AffineFitter::solve(const System& system, const MatrixXd& goals, const MatrixXd& start) const {
    MatrixXd x = start;
    for (int r = 0; r <= options_.refinements; ++r)
        x += system.factor.solve(MatrixXd(system.rows.transpose() * (goals - system.rows * x)));
    return x;
}

/// Minimum of |M x - goals|^2 + pull |x - start|^2.
MatrixXd AffineFitter::solve_near(const System& system, const MatrixXd& goals, const MatrixXd& start) const {
    const MatrixXd rest = goals - system.rows * start;
    return start + system.pulled.solve(MatrixXd(system.rows.transpose() * rest));
}

/// Matrices of the sequence in the coordinates of each joint.
MatrixXd AffineFitter::numbers_of(const BonePose& pose, const Mat34d& motion) const {
    MatrixXd numbers(4 * static_cast<Index>(pose.matrices.size()), 3);
    for (std::size_t j = 0; j < pose.matrices.size(); ++j) {
        const Mat34d m = realigned(rig_, motion, pose.matrices[j]);
        numbers.block<3, 3>(4 * static_cast<Index>(j), 0) = rig_.reach * m.leftCols<3>().transpose();
        numbers.row(4 * static_cast<Index>(j) + 3) = (m * rig_.joints[j].homogeneous()).transpose();
    }
    return numbers;
}

BonePose AffineFitter::fit(std::span<const Vec3d> goals, const BonePose* near) const {
    const AlignedGoals aligned = align(rig_, goals);
    const auto joints = static_cast<Index>(rig_.joint_count());
    MatrixXd start = MatrixXd::Zero(4 * joints, 3), right(static_cast<Index>(goals.size()), 3);
    for (Index v = 0; v < right.rows(); ++v)
        right.row(v) = aligned.goals[static_cast<std::size_t>(v)].transpose();
    // The identity in the coordinates of each joint.
    for (Index j = 0; j < joints; ++j) {
        start.block<3, 3>(4 * j, 0) = rig_.reach * math::Mat3d::Identity();
        start.row(4 * j + 3) = rig_.joints[static_cast<std::size_t>(j)].transpose();
    }
    const bool pulled = near != nullptr && options_.pull > 0;
    const MatrixXd x = pulled ? solve_near(positions_, right, numbers_of(*near, aligned.motion))
                              : solve(positions_, right, start);
    BonePose pose;
    for (Index j = 0; j < joints; ++j) {
        Mat34d m;
        m.leftCols<3>() = x.block<3, 3>(4 * j, 0).transpose() / rig_.reach;
        m.col(3) = x.row(4 * j + 3).transpose() - m.leftCols<3>() * rig_.joints[static_cast<std::size_t>(j)];
        pose.matrices.push_back(unaligned(rig_, aligned.motion, m));
    }
    return pose;
}

BonePose AffineFitter::fit_normals(std::span<const Vec3d> goals) const {
    const auto joints = static_cast<Index>(rig_.joint_count());
    MatrixXd start = MatrixXd::Zero(3 * joints, 3), right(static_cast<Index>(goals.size()), 3);
    math::Mat3d cross = math::Mat3d::Zero();
    for (std::size_t v = 0; v < goals.size(); ++v) {
        right.row(static_cast<Index>(v)) = goals[v].transpose();
        cross += goals[v] * rig_.normals[v].transpose();
    }
    const math::Mat3d rotation = math::nearest_rotation(cross);
    for (Index j = 0; j < joints; ++j) start.block<3, 3>(3 * j, 0) = rotation.transpose();
    const MatrixXd x = solve(normals_, right, start);
    BonePose pose;
    for (Index j = 0; j < joints; ++j) {
        Mat34d m = Mat34d::Zero();
        m.leftCols<3>() = x.block<3, 3>(3 * j, 0).transpose();
        pose.matrices.push_back(m);
    }
    return pose;
}

}  // namespace sinew::fit
