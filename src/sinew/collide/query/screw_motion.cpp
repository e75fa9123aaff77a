// SPDX-License-Identifier: MIT
#include "sinew/collide/query/screw_motion.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/deform/blend.h"

namespace sinew::collide {

using deform::Mat34f;
using math::DualQuatd;
using math::Mat3d;

namespace {

constexpr double nowhen = std::numeric_limits<double>::quiet_NaN();

void check(const TreeData& tree, std::span<const Mat34f> palette) {
    if (palette.size() < tree.palette_size)
        fail("palette", "{} matrices for {} joints", palette.size(), tree.palette_size);
    for (std::size_t j = 0; j < tree.palette_size; ++j) {
        if (!deform::to_mat4(palette[j]).allFinite())
            fail("palette", "the matrix of joint {} is not finite", j);
    }
}

}  // namespace

ScrewPath::ScrewPath(const TreeData& tree)
    : tree_(&tree),
      joints_(tree.palette_size),
      moments_(tree.palette_size),
      accelerations_(tree.nodes.size(), 0.0) {
    set_slack();
}

void ScrewPath::set_ends(std::span<const Mat34f> start, std::span<const Mat34f> end) {
    check(*tree_, start);
    check(*tree_, end);
    for (std::size_t j = 0; j < joints_.size(); ++j) {
        const auto affine = [](const Mat34f& matrix) {
            const math::Mat4d m = deform::to_mat4(matrix);
            return Affine{m.topLeftCorner<3, 3>(), m.topRightCorner<3, 1>()};
        };
        bool rigid = true;
        const DualQuatd from = deform::split_motion(start[j], tree_->joint_centers[j], rigid).dual,
                        to = deform::split_motion(end[j], tree_->joint_centers[j], rigid).dual;
        Joint& joint = joints_[j];
        joint.start = affine(start[j]);
        joint.rest = {Mat3d::Zero(), Vec3d::Zero()};
        joint.twist = math::log_shortest(normalized(to * conjugate(from)));
        joint.stretch = joint.start.linear.norm();
        const Affine reached = joint_at(static_cast<std::uint32_t>(j), 1), wanted = affine(end[j]);
        joint.rest = {wanted.linear - reached.linear, wanted.move - reached.move};
        moments_[j].time = nowhen;
    }
    std::ranges::fill(accelerations_, -1.0);
    set_slack();
}

ScrewPath::Affine ScrewPath::joint_at(std::uint32_t index, double time) const {
    const Joint& joint = joints_[index];
    const math::Rigidd moved = math::to_rigid(math::exp(joint.twist * time));
    const Mat3d rotation = math::to_matrix(moved.rotation);
    return {rotation * joint.start.linear + time * joint.rest.linear,
            rotation * joint.start.move + moved.translation + time * joint.rest.move};
}

void ScrewPath::palette(double time, std::vector<Mat34f>& out) const {
    out.resize(joints_.size());
    for (std::uint32_t j = 0; j < joints_.size(); ++j) {
        const Affine at = joint_at(j, time);
        math::Mat4d m = math::Mat4d::Identity();
        m.topLeftCorner<3, 3>() = at.linear;
        m.topRightCorner<3, 1>() = at.move;
        out[j] = deform::to_mat34(m);
    }
}

Vec3d ScrewPath::vertex(std::uint32_t vertex, double time) {
    const auto joints = tree_->joints_of(tree_->vertex_sets[vertex]);
    const auto weights = tree_->weights_of(vertex);
    const Vec3d rest = tree_->positions[vertex].cast<double>();
    Vec3d sum = Vec3d::Zero();
    for (std::size_t i = 0; i < joints.size(); ++i) {
        Moment& moment = moments_[joints[i]];
        if (moment.time != time) moment = {time, joint_at(joints[i], time)};
        const double w = joints.size() == 1 ? 1.0 : static_cast<double>(weights[i]);
        sum += w * (moment.pose.linear * rest + moment.pose.move);
    }
    return sum;
}

/// The velocity of a point x is w x x + v with the twist (w, v) = 2 (real, dual), its acceleration
/// w x (w x x + v), of constant length along the path. A sphere adds |w|^2 times its radius.
double ScrewPath::acceleration_of(const Joint& joint, const Vec3d& center, double radius) const {
    const Vec3d rotation = 2 * joint.twist.real, shift = 2 * joint.twist.dual;
    const Vec3d pose = joint.start.linear * center + joint.start.move;
    return rotation.cross(rotation.cross(pose) + shift).norm() +
           rotation.squaredNorm() * joint.stretch * radius;
}

/// Linear in the weights, so the maximum is at a corner.
double ScrewPath::set_bound_acceleration(const SetBound& set_bound) {
    const auto joints = tree_->joints_of(set_bound.set);
    const Sphere sphere = set_bound.sphere.widen();
    set_bound_scratch_.clear();
    double highest = 0;
    for (const std::uint32_t joint : joints) {
        set_bound_scratch_.push_back(acceleration_of(joints_[joint], sphere.center, sphere.radius));
        highest = std::max(highest, set_bound_scratch_.back());
    }
    if (joints.size() == 1) return highest;
    double largest = 0;
    const float* corner = tree_->corners.data() + set_bound.first_corner;
    for (std::uint32_t k = 0; k < set_bound.corner_count; ++k) {
        double sum = 0;
        for (const double each : set_bound_scratch_) sum += static_cast<double>(*corner++) * each;
        largest = std::max(largest, sum);
    }
    return largest + tree_->weight_slack * highest;
}

double ScrewPath::vertex_acceleration(std::uint32_t vertex) const {
    const auto joints = tree_->joints_of(tree_->vertex_sets[vertex]);
    const auto weights = tree_->weights_of(vertex);
    const Vec3d rest = tree_->positions[vertex].cast<double>();
    double sum = 0;
    for (std::size_t i = 0; i < joints.size(); ++i) {
        const double w = joints.size() == 1 ? 1.0 : static_cast<double>(weights[i]);
        sum += w * acceleration_of(joints_[joints[i]], rest, 0);
    }
    return sum;
}

double ScrewPath::made_acceleration(const Node& node) {
    double highest = 0;
    if (node.joint_sphere_count > 0) {
        for (const JointSphere& entry : tree_->joint_spheres_of(node)) {
            const Sphere sphere = entry.sphere.widen();
            highest = std::max(highest, acceleration_of(joints_[entry.joint], sphere.center, sphere.radius));
        }
        return highest * (1 + tree_->weight_slack);
    }
    for (const SetBound& set_bound : tree_->set_bounds_of(node))
        highest = std::max(highest, set_bound_acceleration(set_bound));
    if (node.set_bound_count > 0) return highest;
    for (std::uint32_t v = node.first_vertex; v < node.first_vertex + node.vertex_count; ++v)
        highest = std::max(highest, vertex_acceleration(v));
    return highest;
}

double ScrewPath::acceleration(std::uint32_t node) {
    double& kept = accelerations_[node];
    if (kept < 0) kept = made_acceleration(tree_->nodes[node]) * (1 + 1e-9);
    return kept;
}

/// The slack of linear refits, for a palette that was rounded too. No position of a joint is farther from the
/// origin than its start plus the length of its path.
void ScrewPath::set_slack() {
    double size = 0;
    for (const Joint& joint : joints_) {
        const double travel = 2 * (joint.twist.real.cross(joint.start.move) + joint.twist.dual).norm();
        size = std::max(size, (joint.stretch + joint.rest.linear.norm()) * tree_->reach +
                                  joint.start.move.norm() + travel + joint.rest.move.norm());
    }
    const double n = static_cast<double>(tree_->max_set_joints);
    slack_ = (4 * n + 20) * 0x1p-24 * size;
}

}  // namespace sinew::collide
