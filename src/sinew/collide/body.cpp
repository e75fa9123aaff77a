#include "sinew/collide/body.h"

#include <algorithm>
#include <cmath>
#include <thread>

#include <Eigen/Eigenvalues>

#include "sinew/base/error.h"
#include "sinew/deform/blend.h"

namespace sinew::collide {

using deform::Mat34f;
using deform::Method;
using math::Mat3d;

namespace {

/// Two threads may fill an entry at once: both write the same numbers, which makes relaxed stores enough.
template <class T>
T relaxed_load(const T& value) {
    return std::atomic_ref<T>(const_cast<T&>(value)).load(std::memory_order_relaxed);
}
template <class T>
void relaxed_store(T& place, T value) {
    std::atomic_ref<T>(place).store(value, std::memory_order_relaxed);
}
bool stamped(const std::uint32_t& stamp, std::uint32_t pose) {
    return std::atomic_ref<std::uint32_t>(const_cast<std::uint32_t&>(stamp))
               .load(std::memory_order_acquire) == pose;
}
void put_stamp(std::uint32_t& stamp, std::uint32_t pose) {
    std::atomic_ref<std::uint32_t>(stamp).store(pose, std::memory_order_release);
}

/// Upper bound of the largest singular value.
double largest_stretch(const Mat3d& linear) {
    const Mat3d square = linear.transpose() * linear;
    const double off = (square - Mat3d::Identity()).norm();
    if (off <= 1e-3) return std::sqrt(1 + off) * (1 + 0x1p-50);
    const Eigen::SelfAdjointEigenSolver<Mat3d> solver(square, Eigen::EigenvaluesOnly);
    return std::sqrt(std::max(0.0, solver.eigenvalues()[2])) * (1 + 1e-12);
}

}  // namespace

QueryCounts& QueryCounts::operator+=(const QueryCounts& other) {
    ball_tests += other.ball_tests;
    refits += other.refits;
    vertices += other.vertices;
    triangle_tests += other.triangle_tests;
    contacts += other.contacts;
    return *this;
}

Body::Body(const SphereTree& tree, Method method, Refit refit)
    : tree_(&tree), method_(method), refit_(refit) {
    if (method != Method::lbs && method != Method::sbs && method != Method::dqs) {
        fail("collide", "{} has no bounds: use lbs, sbs or dqs", deform::name(method));
    }
    joints_.resize(tree.palette_size);
    if (method != Method::lbs) {
        motions_.resize(tree.palette_size);
        sets_.resize(tree.sets.size());
        set_joints_.resize(tree.set_joints.size());
        set_stamps_ = std::make_unique<std::atomic<std::uint32_t>[]>(tree.sets.size());
    }
    balls_.resize(tree.nodes.size());
    ball_stamps_.resize(tree.nodes.size());
    vertices_.resize(tree.positions.size());
    vertex_stamps_.resize(tree.positions.size());
    set_rigid_pose({});
}

void Body::prepare_joint(std::size_t j, const Mat34f& matrix) {
    Joint& joint = joints_[j];
    float sum = 0;
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) joint.linear(r, c) = static_cast<double>(matrix.rows[r][c]);
        joint.move[r] = static_cast<double>(matrix.rows[r][3]);
        for (const float value : matrix.rows[r]) sum += std::abs(value);
    }
    if (!std::isfinite(sum)) fail("palette", "the matrix of joint {} is not finite", j);
    joint.stretch = largest_stretch(joint.linear);
    moved_ = std::max(moved_, joint.move.norm());
    size_ = std::max(size_, std::sqrt(3.0) * joint.stretch * tree_->reach + joint.move.norm());
    if (method_ == Method::lbs) return;
    bool rigid = true;
    motions_[j] = deform::split_motion(matrix, tree_->joint_centers[j], rigid);
    stretch_ = stretch_ || !rigid;
    const double moved = motions_[j].rigid.translation.norm();
    moved_ = std::max(moved_, moved);
    size_ = std::max(size_, std::sqrt(3.0) * joint.stretch * tree_->reach + moved);
    joint.bend = (joint.linear - math::to_matrix(motions_[j].rigid.rotation)).norm() * tree_->reach;
}

void Body::set_pose(std::span<const Mat34f> palette, const Displacements& displacements) {
    if (palette.size() < tree_->palette_size)
        fail("palette", "{} matrices for {} joints", palette.size(), tree_->palette_size);
    if (!displacements.vectors.empty()) {
        const std::uint32_t needed =
            tree_->vertex_ids.empty() ? 0 : *std::ranges::max_element(tree_->vertex_ids);
        if (displacements.vectors.size() <= needed || !std::isfinite(displacements.bound))
            fail("displacements", "{} vectors for {} vertices", displacements.vectors.size(), needed + 1);
    }
    begin_pose(displacements);
    for (std::size_t j = 0; j < tree_->palette_size; ++j) prepare_joint(j, palette[j]);
}

void Body::set_rigid_pose(const Mat34f& matrix) {
    begin_pose({});
    for (std::size_t j = 0; j < tree_->palette_size; ++j) prepare_joint(j, matrix);
}

/// All stamps lose their worth.
void Body::begin_pose(const Displacements& displacements) {
    pose_ += 2;
    if (pose_ == 0) {  // after two thousand million poses
        std::ranges::fill(ball_stamps_, 0);
        std::ranges::fill(vertex_stamps_, 0);
        for (std::size_t s = 0; set_stamps_ && s < sets_.size(); ++s) set_stamps_[s] = 0;
        pose_ = 2;
    }
    displacements_ = displacements;
    stretch_ = false;
    size_ = moved_ = 0;
}

/// The same signs and the same centre as skinning (deform/set_coefficients.h).
void Body::fill_set(std::uint32_t index) {
    const TreeSet& from = tree_->sets[index];
    Set& set = sets_[index];
    SetJoint* const out = set_joints_.data() + from.first_joint;
    const std::uint32_t* const joints = tree_->set_joints.data() + from.first_joint;
    Quatd sum(0, 0, 0, 0);
    for (std::size_t k = 0; k < from.joint_count; ++k) {
        const std::uint32_t i = tree_->sign_order[from.first_joint + k];
        const std::int32_t leader = tree_->sign_parents[from.first_joint + i];
        const math::DualQuatd& motion = motions_[joints[i]].dual;
        const bool flip = leader >= 0 && math::dot(motion.real, out[static_cast<std::size_t>(leader)].q) < 0;
        out[i].q.coeffs() = (flip ? -1.0 : 1.0) * motion.real.coeffs();
        out[i].dual.coeffs() = (flip ? -1.0 : 1.0) * motion.dual.coeffs();
        sum.coeffs() += out[i].q.coeffs();
    }
    set.least = 1;
    const double length = sum.norm();
    for (std::size_t i = 0; i < from.joint_count; ++i)
        set.least = std::min(set.least, length > 1e-9 ? math::dot(out[i].q, sum) / length : 0.0);
    if (method_ != Method::sbs) return;
    constexpr std::size_t usual = 16;
    math::Rigidd rigid_room[usual];
    Vec3d center_room[usual];
    std::vector<math::Rigidd> more_rigids(from.joint_count > usual ? from.joint_count : 0);
    std::vector<Vec3d> more_centers(more_rigids.size());
    math::Rigidd* const rigids = more_rigids.empty() ? rigid_room : more_rigids.data();
    Vec3d* const centers = more_centers.empty() ? center_room : more_centers.data();
    for (std::size_t i = 0; i < from.joint_count; ++i) {
        rigids[i] = motions_[joints[i]].rigid;
        centers[i] = tree_->joint_centers[joints[i]];
    }
    // Rounded, as kernels have it.
    set.center = deform::set_center({rigids, from.joint_count}, {centers, from.joint_count})
                     .cast<float>()
                     .cast<double>();
    set.spread = 0;
    for (std::size_t i = 0; i < from.joint_count; ++i) {
        out[i].moved = rigids[i] * set.center;
        for (std::size_t k = 0; k < i; ++k)
            set.spread = std::max(set.spread, (out[i].moved - out[k].moved).norm());
    }
}

void Body::prepare_set(std::uint32_t set) {
    std::atomic<std::uint32_t>& stamp = set_stamps_[set];
    std::uint32_t seen = stamp.load(std::memory_order_acquire);
    if (seen == pose_) return;
    // One thread fills, the others wait for it; it takes less than a microsecond.
    if (seen != pose_ - 1 && stamp.compare_exchange_strong(seen, pose_ - 1, std::memory_order_acquire)) {
        fill_set(set);
        stamp.store(pose_, std::memory_order_release);
        return;
    }
    while (stamp.load(std::memory_order_acquire) != pose_) std::this_thread::yield();
}

Ball Body::ball(std::uint32_t node, RefitRoom& room) {
    StoredBall& kept = balls_[node];
    if (stamped(ball_stamps_[node], pose_)) {
        return {Vec3d(static_cast<double>(relaxed_load(kept.center.x())),
                      static_cast<double>(relaxed_load(kept.center.y())),
                      static_cast<double>(relaxed_load(kept.center.z()))),
                static_cast<double>(relaxed_load(kept.radius))};
    }
    ++room.counts.refits;
    const StoredBall made = stored(refit(tree_->nodes[node], room));
    keep(node, made);
    return made.widen();
}

void Body::keep(std::size_t node, const StoredBall& ball) {
    for (int k = 0; k < 3; ++k) relaxed_store(balls_[node].center[k], ball.center[k]);
    relaxed_store(balls_[node].radius, ball.radius);
    put_stamp(ball_stamps_[node], pose_);
}

void Body::fill_vertices(RefitRoom& room, std::span<const Vec3f> vertices) {
    for (std::uint32_t v = 0; v < vertices_.size(); ++v) {
        if (vertices.empty()) {
            vertex(v, room);
        } else {
            vertices_[v] = vertices[tree_->vertex_ids[v]];
            vertex_stamps_[v] = pose_;
        }
    }
}

bool Body::refitted(std::uint32_t node) const {
    return stamped(ball_stamps_[node], pose_);
}

Vec3f Body::vertex(std::uint32_t v, RefitRoom& room) {
    Vec3f& kept = vertices_[v];
    if (stamped(vertex_stamps_[v], pose_)) {
        return {relaxed_load(kept.x()), relaxed_load(kept.y()), relaxed_load(kept.z())};
    }
    ++room.counts.vertices;
    const Vec3f made = deformed(v).cast<float>();
    for (int k = 0; k < 3; ++k) relaxed_store(kept[k], made[k]);
    put_stamp(vertex_stamps_[v], pose_);
    return made;
}

Corners Body::corners(std::uint32_t triangle, RefitRoom& room) {
    const geometry::Triangle& t = tree_->triangles[triangle];
    return {vertex(t[0], room).cast<double>(), vertex(t[1], room).cast<double>(),
            vertex(t[2], room).cast<double>()};
}

std::size_t Body::memory() const {
    const auto bytes = [](const auto& list) { return list.capacity() * sizeof(list[0]); };
    return sizeof(*this) + bytes(joints_) + bytes(motions_) + bytes(sets_) + bytes(set_joints_) +
           sets_.size() * sizeof(std::uint32_t) + bytes(balls_) + bytes(ball_stamps_) + bytes(vertices_) +
           bytes(vertex_stamps_);
}

}  // namespace sinew::collide
