// SPDX-License-Identifier: MIT
#include "sinew/collide/body/joint_pose.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

#include "sinew/base/error.h"
#include "sinew/deform/blend.h"

namespace sinew::collide {

using deform::Mat34f;
using deform::Method;
using math::Mat3d;

namespace {

/// Up to this departure from orthonormal the simple bound of the stretch is tight enough.
constexpr double small_departure = 1e-3;

/// Up to this departure the choice of matrix entries for the quaternion matters little.
constexpr double plain_departure = 1.6e-6;

/// |A^T A - 1|, from single precision.
double departure_of(const Mat34f& matrix) {
    Float4 x = load4(matrix.rows[0]), y = load4(matrix.rows[1]), z = load4(matrix.rows[2]), w = all4(0);
    transpose4(x, y, z, w);  // rows become columns
    const float xx = dot4(x, x) - 1, yy = dot4(y, y) - 1, zz = dot4(z, z) - 1;
    const float xy = dot4(x, y), xz = dot4(x, z), yz = dot4(y, z);
    const float sum = xx * xx + yy * yy + zz * zz + 2 * (xy * xy + xz * xz + yz * yz);
    return std::sqrt(static_cast<double>(sum)) + 8e-7;
}

/// Upper bound of the largest singular value.
double largest_stretch(const Mat3d& linear, double off) {
    if (off <= small_departure) return 1 + off / 2;
    const Eigen::SelfAdjointEigenSolver<Mat3d> solver(linear.transpose() * linear, Eigen::EigenvaluesOnly);
    return std::sqrt(std::max(0.0, solver.eigenvalues()[2])) * (1 + 1e-12);
}

/// True when deform::split_motion() finds a joint rigid for any rounding of its departure `off`.
bool surely_rigid(const JointPose::Columns& c, double off) {
    const float determinant = dot4(cross3(load4(c.at[0].at), load4(c.at[1].at)), load4(c.at[2].at));
    return off < 0.9 * deform::rigid_tolerance && determinant > 0.5f;
}

}  // namespace

JointPose::JointPose(const TreeData& of_tree, Method by) : tree(&of_tree), method(by) {
    if (by != Method::lbs && by != Method::sbs && by != Method::dqs) {
        fail("collide", "{} has no bounds: use lbs, sbs or dqs", deform::name(by));
    }
    joints.resize(tree->palette_size);
    columns.resize(tree->palette_size);
    motions.resize(by == Method::lbs ? 0 : tree->palette_size);
    motion_cache = PerPoseCache(motions.size());
}

void JointPose::set_joint(std::size_t j, const Mat34f& matrix) {
    Joint& joint = joints[j];
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) joint.linear(r, c) = static_cast<double>(matrix.rows[r][c]);
        joint.move[r] = static_cast<double>(matrix.rows[r][3]);
        for (int c = 0; c < 4; ++c) columns[j].at[c].at[r] = matrix.rows[r][c];
    }
    const double off = departure_of(matrix), move = joint.move.norm();
    if (!std::isfinite(off + move)) fail("palette", "the matrix of joint {} is not finite", j);
    joint.stretch = largest_stretch(joint.linear, off);
    moved = std::max(moved, move);
    size = std::max(size, std::sqrt(3.0) * joint.stretch * tree->reach + move);
    departure = std::max(departure, off);
    if (method == Method::lbs) return;
    // The quaternion that from_matrix() computes from A = R + E, |E| <= |A^T A - 1|, has an error of at most
    // 1.2 |E|, its matrix of at most 3.4 |E|.
    joint.deviation = 6 * off * tree->reach;
    rigid_deviation = std::max(rigid_deviation, joint.deviation);
    if (surely_rigid(columns[j], off)) return;
    const bool rigid = split_motion(static_cast<std::uint32_t>(j));
    motion_cache.publish(j, number);
    stretches = stretches || !rigid;
    const double translation = motions[j].rigid.translation.norm();
    moved = std::max(moved, translation);
    size = std::max(size, std::sqrt(3.0) * joint.stretch * tree->reach + translation);
    joint.deviation = (joint.linear - math::to_matrix(motions[j].rigid.rotation)).norm() * tree->reach;
    rigid_deviation = std::max(rigid_deviation, joint.deviation);
}

/// Computes the quaternion of a joint on demand; false when the joint stretches.
bool JointPose::split_motion(std::uint32_t joint) {
    Mat34f matrix;
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 4; ++c) matrix.rows[r][c] = columns[joint].at[c].at[r];
    }
    bool rigid = true;
    motions[joint] = deform::split_motion(matrix, tree->joint_centers[joint], rigid);
    return rigid;
}

bool JointPose::begin(const Displacements& moved_vertices) {
    number += 2;
    const bool wrapped = number == 0;  // after two billion poses
    if (wrapped) number = 2;
    displacements = moved_vertices;
    stretches = false;
    size = moved = departure = rigid_deviation = 0;
    return wrapped;
}

void JointPose::end() {
    even = departure <= small_departure;
    plain = !stretches && departure <= plain_departure;
    max_stretch = static_cast<float>(1 + departure / 2) * (1 + 0x1p-22f);
    max_linear_slack = static_cast<float>(linear_slack(tree->max_set_joints)) * (1 + 0x1p-22f);
}

/// Twice the largest distance between a vertex in single precision and the exact one: A v + t has an error of
/// gamma_4 per component, blending adds gamma_n; weights outside the hull of the corners move it too.
double JointPose::linear_slack(std::size_t joint_count) const {
    return ((4 * static_cast<double>(joint_count) + 16) * roundoff + 2 * tree->weight_slack) * size +
           displacements.bound;
}

/// Dual quaternions lose more precision when their sum is short; `farther` is an additional distance from the
/// origin that they reach.
double JointPose::dual_slack(std::size_t joint_count, double min_length, double farther) const {
    const double factor = (8 * static_cast<double>(joint_count) + 64) * roundoff + 2 * tree->weight_slack;
    return factor * (size + farther) / (min_length * min_length) + displacements.bound;
}

double JointPose::spherical_slack(std::size_t joint_count, double from_center, double center,
                                  double min_length) const {
    const double n = static_cast<double>(joint_count), kappa = 2 * tree->weight_slack;
    return (((4 * n + 80) * roundoff + kappa) * from_center +
            ((4 * n + 32) * roundoff + kappa) * (std::sqrt(3.0) * center + moved)) /
               min_length +
           displacements.bound;
}

std::size_t JointPose::bytes() const {
    return bytes_of(joints) + bytes_of(columns) + bytes_of(motions) + motion_cache.bytes();
}

}  // namespace sinew::collide
