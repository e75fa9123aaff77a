#include "sinew/collide/body.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

#include "sinew/base/error.h"
#include "sinew/collide/float4.h"
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

QueryCounts& QueryCounts::operator+=(const QueryCounts& other) {
    ball_tests += other.ball_tests;
    refits += other.refits;
    vertices += other.vertices;
    triangle_tests += other.triangle_tests;
    contacts += other.contacts;
    return *this;
}

Body::Body(const SphereTree& tree, Method method, Refit refit)
    : tree_(&tree),
      method_(method),
      refit_(refit),
      stamps_(tree.nodes.size()),
      leaf_stamps_(tree.nodes.size()) {
    if (method != Method::lbs && method != Method::sbs && method != Method::dqs) {
        fail("collide", "{} has no bounds: use lbs, sbs or dqs", deform::name(method));
    }
    joints_.resize(tree.palette_size);
    columns_.resize(tree.palette_size);
    if (method != Method::lbs) {
        motions_.resize(tree.palette_size);
        center_terms_.resize(method == Method::sbs ? (tree.palette_size + 1) / 2 * 2 : 0);
        motion_stamps_ = Stamps(tree.palette_size);
        sets_.resize(tree.sets.size());
        set_joints_.resize(tree.set_joints.size());
        played_joints_.resize(tree.set_joints.size());
        turns_.resize((tree.palette_size + 3) / 4 * 4);
        duals_.resize(method == Method::dqs ? tree.palette_size : 0);
        turn_stamps_ = Stamps(1);
        set_stamps_ = Stamps(tree.sets.size());
        center_stamps_ = Stamps(1);
        exact_stamps_ = Stamps(tree.sets.size());
        edge_stamps_ = Stamps(1);
        bend_stamps_ = Stamps(tree.sets.size());
        bends_.resize(tree.sets.size());
        edge_bends_.resize((tree.edges.edges.size() + 3) / 4 * 4);
        edge_gaps_.resize(edge_bends_.size());
        edge_fars_.resize(edge_bends_.size());
        wide_bends_.resize(4 * tree.edges.wide_sets.size());
    }
    balls_.resize(tree.nodes.size());
    leaf_boxes_.resize(tree.nodes.size());
    leaf_blends_.resize(method == Method::lbs ? 0 : tree.nodes.size());
    block_boxes_.resize(tree.block_count);
    vertices_.resize(tree.positions.size());
    set_rigid_pose({});
}

/// True when deform::split_motion() will find a joint rigid, whatever rounding did to `departure`.
inline bool Body::surely_rigid(const Columns& c, double departure) const {
    const float determinant = dot4(cross3(load4(c.at[0].at), load4(c.at[1].at)), load4(c.at[2].at));
    return departure < 0.9 * deform::rigid_tolerance && determinant > 0.5f;
}

void Body::prepare_joint(std::size_t j, const Mat34f& matrix) {
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
bool Body::split_motion(std::uint32_t joint) {
    Mat34f matrix;
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 4; ++c) matrix.rows[r][c] = columns_[joint].at[c].at[r];
    }
    bool rigid = true;
    motions_[joint] = deform::split_motion(matrix, tree_->joint_centers[joint], rigid);
    return rigid;
}

void Body::set_pose(std::span<const Mat34f> palette, const Displacements& displacements) {
    if (palette.size() < tree_->palette_size)
        fail("palette", "{} matrices for {} joints", palette.size(), tree_->palette_size);
    if (!displacements.vectors.empty() &&
        (displacements.vectors.size() < tree_->mesh_vertices || !(displacements.bound >= 0) ||
         !std::isfinite(displacements.bound))) {
        fail("displacements", "{} vectors within {} for {} vertices", displacements.vectors.size(),
             displacements.bound, tree_->mesh_vertices);
    }
    begin_pose(displacements);
    for (std::size_t j = 0; j < tree_->palette_size; ++j) prepare_joint(j, palette[j]);
    end_pose();
}

void Body::set_rigid_pose(const Mat34f& matrix) {
    begin_pose({});
    for (std::size_t j = 0; j < tree_->palette_size; ++j) prepare_joint(j, matrix);
    end_pose();
}

/// All stamps lose their worth.
void Body::begin_pose(const Displacements& displacements) {
    pose_ += 2;
    if (pose_ == 0) {  // after two thousand million poses
        stamps_.clear();
        leaf_stamps_.clear();
        for (Stamps* stamps : {&set_stamps_, &center_stamps_, &exact_stamps_, &turn_stamps_, &motion_stamps_})
            stamps->clear();
        edge_stamps_.clear();
        bend_stamps_.clear();
        pose_ = 2;
    }
    displacements_ = displacements;
    stretch_ = false;
    size_ = moved_ = departure_ = bend_ = 0;
}

void Body::end_pose() {
    even_ = departure_ <= small_departure;
    plain_ = !stretch_ && departure_ <= plain_departure;
    most_stretch_ = static_cast<float>(1 + departure_ / 2) * (1 + 0x1p-22f);
    linear_slack_ = static_cast<float>(linear_slack(tree_->max_set_joints)) * (1 + 0x1p-22f);
}

void Body::make(std::uint32_t node, RefitRoom& room) {
    stamps_.fill(node, pose_, [&] {
        ++room.counts.refits;
        const Node& made = tree_->nodes[node];
        if (made.record_count > 0) balls_[node] = refit(made, room);
        const bool bounded = balls_[node].radius < std::numeric_limits<float>::infinity();
        if (made.record_count == 0 || (made.leaf() && !bounded)) balls_[node] = leaf_ball(node, room);
    });
}

void Body::make_leaf(std::uint32_t leaf, RefitRoom& room) {
    leaf_stamps_.fill(leaf, pose_, [&] {
        const Node& made = tree_->nodes[leaf];
        const LeafBlend blend = deform_leaf(made);
        if (!leaf_blends_.empty()) leaf_blends_[leaf] = blend;
        fill_leaf_boxes(leaf);
        room.counts.vertices += made.vertex_count;
    });
}

namespace {

/// The leaf that holds an entry; `first` and `count` are the members that give a node's run.
std::uint32_t leaf_with(const SphereTree& tree, std::uint32_t entry, std::uint32_t Node::* first,
                        std::uint32_t Node::* count) {
    std::uint32_t at = 0;
    while (!tree.nodes[at].leaf()) {
        std::uint32_t child = tree.nodes[at].first_child;
        while (entry - tree.nodes[child].*first >= tree.nodes[child].*count) ++child;
        at = child;
    }
    return at;
}

}  // namespace

Vec3f Body::vertex(std::uint32_t v, RefitRoom& room) {
    need_leaf(leaf_with(*tree_, v, &Node::first_vertex, &Node::vertex_count), room);
    return vertices_[v].point();
}

Corners Body::corners(std::uint32_t triangle, RefitRoom& room) {
    need_leaf(leaf_with(*tree_, triangle, &Node::first_triangle, &Node::triangle_count), room);
    const geometry::Triangle& t = tree_->triangles[triangle];
    return {vertices_[t[0]].point().cast<double>(), vertices_[t[1]].point().cast<double>(),
            vertices_[t[2]].point().cast<double>()};
}

std::size_t Body::memory() const {
    const auto bytes = [](const auto& list) { return list.capacity() * sizeof(list[0]); };
    return sizeof(*this) + bytes(joints_) + bytes(columns_) + bytes(motions_) + bytes(center_terms_) +
           motion_stamps_.bytes() + bytes(edge_bends_) + bytes(edge_gaps_) + bytes(edge_fars_) +
           bytes(wide_bends_) + bytes(bends_) + bend_stamps_.bytes() + bytes(leaf_blends_) + bytes(sets_) +
           bytes(set_joints_) + bytes(played_joints_) + bytes(turns_) + bytes(duals_) + turn_stamps_.bytes() +
           center_stamps_.bytes() + exact_stamps_.bytes() + set_stamps_.bytes() + stamps_.bytes() +
           leaf_stamps_.bytes() + bytes(balls_) + bytes(leaf_boxes_) + bytes(block_boxes_) + bytes(vertices_);
}

}  // namespace sinew::collide
