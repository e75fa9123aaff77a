// Vertices, one at a time: the formulas of deform's reference, in double.

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/collide/body.h"
#include "sinew/deform/blend.h"

namespace sinew::collide {

using deform::Method;

Vec3d Body::deformed(std::uint32_t v) {
    const std::uint32_t set = tree_->vertex_sets[v];
    Vec3d point;
    if (method_ == Method::lbs || tree_->sets[set].joint_count == 1) {
        point = deformed_linear(v);
    } else {
        prepare_set(set);
        point = method_ == Method::sbs ? deformed_spherical(v) : deformed_dual(v);
    }
    if (displacements_.vectors.empty()) return point;
    const Vec3d offset = displacements_.vectors[tree_->vertex_ids[v]].cast<double>();
    if (!(offset.norm() <= displacements_.bound)) {
        fail("displacements", "vertex {} moves by {}, more than the bound of {}", tree_->vertex_ids[v],
             offset.norm(), displacements_.bound);
    }
    return point + offset;
}

/// sum w_i C_i v; one joint alone moves by its matrix under every method.
Vec3d Body::deformed_linear(std::uint32_t v) const {
    const Vec3d rest = tree_->positions[v].cast<double>();
    const auto joints = tree_->joints_of(tree_->vertex_sets[v]);
    if (joints.size() == 1) {
        const Joint& joint = joints_[joints[0]];
        return joint.linear * rest + joint.move;
    }
    const auto weights = tree_->weights_of(v);
    Vec3d sum = Vec3d::Zero();
    for (std::size_t i = 0; i < joints.size(); ++i) {
        const Joint& joint = joints_[joints[i]];
        sum += static_cast<double>(weights[i]) * (joint.linear * rest + joint.move);
    }
    return sum;
}

Quatd Body::heaviest(std::uint32_t v, std::size_t& place) const {
    const auto weights = tree_->weights_of(v);
    place = static_cast<std::size_t>(std::ranges::max_element(weights) - weights.begin());
    return set_joints_[tree_->sets[tree_->vertex_sets[v]].first_joint + place].q;
}

/// sum w_i (b_i + P_i (v - b_i)), or the rest place when nothing stretches.
Vec3d Body::stretched_vertex(std::uint32_t v, bool degenerate) const {
    const Vec3d rest = tree_->positions[v].cast<double>();
    if (!stretch_) return rest;
    std::size_t heavy = 0;
    heaviest(v, heavy);
    const auto joints = tree_->joints_of(tree_->vertex_sets[v]);
    const auto weights = tree_->weights_of(v);
    Vec3d sum = Vec3d::Zero();
    for (std::size_t i = 0; i < joints.size(); ++i) {
        const double w = degenerate ? (i == heavy ? 1.0 : 0.0) : static_cast<double>(weights[i]);
        const Vec3d& b = tree_->joint_centers[joints[i]];
        sum += w * (b + motions_[joints[i]].stretch * (rest - b));
    }
    return sum;
}

/// R(b) (v - r) + sum w_i C_i r (Kavan 2007, 3.2).
Vec3d Body::deformed_spherical(std::uint32_t v) const {
    const std::uint32_t set = tree_->vertex_sets[v];
    const SetJoint* const joints = set_joints_.data() + tree_->sets[set].first_joint;
    const auto weights = tree_->weights_of(v);
    Quatd sum(0, 0, 0, 0);
    Vec3d moved = Vec3d::Zero();
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const auto w = static_cast<double>(weights[i]);
        sum.coeffs() += w * joints[i].q.coeffs();
        moved += w * joints[i].moved;
    }
    const bool degenerate = sum.norm() < deform::degenerate_length;
    std::size_t place = 0;
    if (degenerate) sum = heaviest(v, place);
    return rotated(sum, stretched_vertex(v, degenerate) - sets_[set].center) + moved;
}

/// Sum of dual quaternions, made unit (Kavan 2007, 4.3).
Vec3d Body::deformed_dual(std::uint32_t v) const {
    const std::uint32_t set = tree_->vertex_sets[v];
    const SetJoint* const joints = set_joints_.data() + tree_->sets[set].first_joint;
    const auto weights = tree_->weights_of(v);
    Quatd real(0, 0, 0, 0), dual(0, 0, 0, 0);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const auto w = static_cast<double>(weights[i]);
        real.coeffs() += w * joints[i].q.coeffs();
        dual.coeffs() += w * joints[i].dual.coeffs();
    }
    const bool degenerate = real.norm() < deform::degenerate_length;
    if (degenerate) {
        std::size_t place = 0;
        real = heaviest(v, place);
        dual = joints[place].dual;
    }
    const Vec3d shift = 2 * (dual * real.conjugate()).vec() / real.squaredNorm();
    return rotated(real, stretched_vertex(v, degenerate)) + shift;
}

}  // namespace sinew::collide
