// Blending of one point in double: the formulas of deform's reference, for where single precision is not
// enough.

#include <algorithm>
#include <cmath>

#include "sinew/collide/bounds.h"
#include "sinew/collide/vertex_pose.h"
#include "sinew/deform/blend.h"

namespace sinew::collide {

using deform::Method;

namespace {

std::size_t heaviest(std::span<const float> weights) {
    return static_cast<std::size_t>(std::ranges::max_element(weights) - weights.begin());
}

}  // namespace

Vec3d VertexPose::deformed(std::uint32_t set, std::span<const float> weights, const Vec3d& rest) {
    prepare_exact(set);
    return method_ == Method::sbs ? deformed_spherical(set, weights, rest)
                                  : deformed_dual(set, weights, rest);
}

/// sum w_i (b_i + P_i (v - b_i)), or the rest place when nothing stretches.
Vec3d VertexPose::stretched_point(std::uint32_t set, std::span<const float> weights, const Vec3d& rest,
                                  bool degenerate) const {
    if (!stretch_) return rest;
    const std::size_t heavy = heaviest(weights);
    const auto joints = tree_->joints_of(set);
    Vec3d sum = Vec3d::Zero();
    for (std::size_t i = 0; i < joints.size(); ++i) {
        const double w = degenerate ? (i == heavy ? 1.0 : 0.0) : static_cast<double>(weights[i]);
        const Vec3d& b = tree_->joint_centers[joints[i]];
        sum += w * (b + motions_[joints[i]].stretch * (rest - b));
    }
    return sum;
}

/// R(b) (v - r) + sum w_i C_i r (Kavan 2007, 3.2).
Vec3d VertexPose::deformed_spherical(std::uint32_t set, std::span<const float> weights, const Vec3d& rest) {
    const SetJoint* const joints = set_joints_.data() + tree_->sets[set].first_joint;
    Quatd sum(0, 0, 0, 0);
    Vec3d moved = Vec3d::Zero();
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const auto w = static_cast<double>(weights[i]);
        sum.coeffs() += w * joints[i].q.coeffs();
        moved += w * joints[i].moved;
    }
    const bool degenerate = sum.norm() < deform::degenerate_length;
    if (degenerate) sum = joints[heaviest(weights)].q;
    return rotated(sum, stretched_point(set, weights, rest, degenerate) - rest_center(set).point()) + moved;
}

/// Sum of dual quaternions, made unit (Kavan 2007, 4.3).
Vec3d VertexPose::deformed_dual(std::uint32_t set, std::span<const float> weights, const Vec3d& rest) const {
    const SetJoint* const joints = set_joints_.data() + tree_->sets[set].first_joint;
    Quatd real(0, 0, 0, 0), dual(0, 0, 0, 0);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const auto w = static_cast<double>(weights[i]);
        real.coeffs() += w * joints[i].q.coeffs();
        dual.coeffs() += w * joints[i].dual.coeffs();
    }
    const bool degenerate = real.norm() < deform::degenerate_length;
    if (degenerate) {
        const SetJoint& heavy = joints[heaviest(weights)];
        real = heavy.q;
        dual = heavy.dual;
    }
    const Vec3d shift = 2 * (dual * real.conjugate()).vec() / real.squaredNorm();
    return rotated(real, stretched_point(set, weights, rest, degenerate)) + shift;
}

}  // namespace sinew::collide
