#include "sinew/collide/joint_pose.h"

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

/// Up to here a departure bounds the stretch well enough.
constexpr double small_departure = 1e-3;

/// Up to here it matters little which numbers of a matrix its quaternion is made from.
constexpr double plain_departure = 1.6e-6;

/// |A^T A - 1|, from single precision.
double departure(const Mat34f& matrix) {
    const auto column = [&](int c) {
        return make4(matrix.rows[0][c], matrix.rows[1][c], matrix.rows[2][c], 0);
    };
    const Float4 x = column(0), y = column(1), z = column(2);
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

}  // namespace

JointPose::JointPose(const SphereTree& tree, Method method) : tree_(&tree), method_(method) {
    if (method != Method::lbs && method != Method::sbs && method != Method::dqs) {
        fail("collide", "{} has no bounds: use lbs, sbs or dqs", deform::name(method));
    }
    joints_.resize(tree.palette_size);
    columns_.resize(tree.palette_size);
    motions_.resize(method == Method::lbs ? 0 : tree.palette_size);
    motion_stamps_ = Stamps(motions_.size());
}

/// True when deform::split_motion() will find a joint rigid, whatever rounding did to `departure`.
inline bool JointPose::surely_rigid(const Columns& c, double departure) const {
    const float determinant = dot4(cross3(load4(c.at[0].at), load4(c.at[1].at)), load4(c.at[2].at));
    return departure < 0.9 * deform::rigid_tolerance && determinant > 0.5f;
}

void JointPose::set_joint(std::size_t j, const Mat34f& matrix) {
    Joint& joint = joints_[j];
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) joint.linear(r, c) = static_cast<double>(matrix.rows[r][c]);
        joint.move[r] = static_cast<double>(matrix.rows[r][3]);
        for (int c = 0; c < 4; ++c) columns_[j].at[c].at[r] = matrix.rows[r][c];
    }
    const double off = departure(matrix), move = joint.move.norm();
    if (!std::isfinite(off + move)) fail("palette", "the matrix of joint {} is not finite", j);
    joint.stretch = largest_stretch(joint.linear, off);
    moved_ = std::max(moved_, move);
    size_ = std::max(size_, std::sqrt(3.0) * joint.stretch * tree_->reach + move);
    departure_ = std::max(departure_, off);
    if (method_ == Method::lbs) return;
    // The quaternion that from_matrix() makes of A = R + E, |E| <= |A^T A - 1|, is off by at most 1.2 |E|,
    // its matrix by 3.4 |E|.
    joint.bend = 6 * off * tree_->reach;
    bend_ = std::max(bend_, joint.bend);
    if (surely_rigid(columns_[j], off)) return;
    const bool rigid = split_motion(static_cast<std::uint32_t>(j));
    motion_stamps_.publish(j, pose_);
    stretch_ = stretch_ || !rigid;
    const double moved = motions_[j].rigid.translation.norm();
    moved_ = std::max(moved_, moved);
    size_ = std::max(size_, std::sqrt(3.0) * joint.stretch * tree_->reach + moved);
    joint.bend = (joint.linear - math::to_matrix(motions_[j].rigid.rotation)).norm() * tree_->reach;
    bend_ = std::max(bend_, joint.bend);
}

/// The quaternion of a joint, when it is asked for; false when the joint stretches.
bool JointPose::split_motion(std::uint32_t joint) {
    Mat34f matrix;
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 4; ++c) matrix.rows[r][c] = columns_[joint].at[c].at[r];
    }
    bool rigid = true;
    motions_[joint] = deform::split_motion(matrix, tree_->joint_centers[joint], rigid);
    return rigid;
}

bool JointPose::begin_pose(const Displacements& displacements) {
    pose_ += 2;
    const bool wrapped = pose_ == 0;  // after two thousand million poses
    if (wrapped) pose_ = 2;
    displacements_ = displacements;
    stretch_ = false;
    size_ = moved_ = departure_ = bend_ = 0;
    return wrapped;
}

void JointPose::end_pose() {
    even_ = departure_ <= small_departure;
    plain_ = !stretch_ && departure_ <= plain_departure;
    most_stretch_ = static_cast<float>(1 + departure_ / 2) * (1 + 0x1p-22f);
    linear_slack_ = static_cast<float>(linear_slack(tree_->max_set_joints)) * (1 + 0x1p-22f);
}

/// How far a vertex as computed in single precision can be from the exact one, twice: A v + t has an error of
/// gamma_4 per component, blending adds gamma_n; weights off the corners move it too.
double JointPose::linear_slack(std::size_t joints) const {
    return ((4 * static_cast<double>(joints) + 16) * roundoff + 2 * tree_->weight_slack) * size_ +
           displacements_.bound;
}

/// Dual quaternions lose more when their sum is short; `farther` is how far from the origin they reach
/// besides.
double JointPose::dual_slack(std::size_t joints, double least, double farther) const {
    const double factor = (8 * static_cast<double>(joints) + 64) * roundoff + 2 * tree_->weight_slack;
    return factor * (size_ + farther) / (least * least) + displacements_.bound;
}

double JointPose::spherical_slack(std::size_t joints, double from_center, double center, double least) const {
    const double n = static_cast<double>(joints), kappa = 2 * tree_->weight_slack;
    return (((4 * n + 80) * roundoff + kappa) * from_center +
            ((4 * n + 32) * roundoff + kappa) * (std::sqrt(3.0) * center + moved_)) /
               least +
           displacements_.bound;
}

std::size_t JointPose::joint_bytes() const {
    return bytes_of(joints_) + bytes_of(columns_) + bytes_of(motions_) + motion_stamps_.bytes();
}

}  // namespace sinew::collide
