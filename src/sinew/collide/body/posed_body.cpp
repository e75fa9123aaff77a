// SPDX-License-Identifier: MIT
#include "sinew/collide/body/posed_body.h"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include "sinew/base/error.h"

namespace sinew::collide {

using deform::Mat34f;
using deform::Method;
using math::Mat3d;

PosedBody::PosedBody(const TreeData& tree, const MorphData* morphs, Method method)
    : shape_(morphs == nullptr ? std::nullopt : std::make_optional<MorphedTree>(tree, *morphs)),
      tree_(shape_ ? &shape_->tree() : &tree),
      joints_(*tree_, method),
      signs_(joints_),
      blends_(joints_, signs_),
      vertices_(joints_, blends_, shape_ ? &*shape_ : nullptr),
      refit_(joints_, signs_, blends_),
      cache_(tree.nodes.size()),
      spheres_(tree.nodes.size()) {
    set_rigid_pose({});
}

template <class Matrix>
void PosedBody::pose_joints(const Matrix& matrix_of, const Displacements& displacements) {
    if (joints_.begin(displacements)) {
        joints_.clear_caches();
        signs_.clear_caches();
        blends_.clear_caches();
        vertices_.clear_caches();
        cache_.clear();
    }
    last_pose_ = 1;
    for (std::size_t j = 0; j < tree_->palette_size; ++j) joints_.set_joint(j, matrix_of(j));
    joints_.end();
}

void PosedBody::set_pose(std::span<const Mat34f> palette, const Displacements& displacements) {
    if (palette.size() < tree_->palette_size)
        fail("palette", "{} matrices for {} joints", palette.size(), tree_->palette_size);
    if (!displacements.vectors.empty() &&
        (displacements.vectors.size() < tree_->mesh_vertices || !(displacements.bound >= 0) ||
         !std::isfinite(displacements.bound))) {
        fail("displacements", "{} vectors within {} for {} vertices", displacements.vectors.size(),
             displacements.bound, tree_->mesh_vertices);
    }
    const bool rigid = may_be_rigid(palette, displacements) && find_rigid_motion(palette);
    pose_joints([&](std::size_t j) -> const Mat34f& { return palette[j]; }, displacements);
    if (!rigid) {
        motion_.count = 0;
    } else if (joints_.number > 2) {
        last_pose_ = joints_.number - 2;
        motion_.slack += half_rounding();
    }
}

void PosedBody::set_rigid_pose(const Mat34f& matrix) {
    pose_joints([&](std::size_t) -> const Mat34f& { return matrix; }, {});
}

void PosedBody::make(std::uint32_t node, RefitScratch& scratch) {
    cache_.fill(node, joints_.number, [&](std::uint32_t before) {
        if (before == last_pose_) {
            ++scratch.counts.reused;
            spheres_[node] = motion_.moved(spheres_[node]);
            return;
        }
        ++scratch.counts.refits;
        if (shape_) shape_->prepare(node);
        const Node& made = tree_->nodes[node];
        if (made.set_bound_count > 0) spheres_[node] = refit_(made, scratch);
        const bool bounded = spheres_[node].radius < infinite;
        if (made.set_bound_count == 0 || (made.leaf() && !bounded)) {
            vertices_.need_leaf(node, scratch.counts);
            spheres_[node] = vertices_.leaf_sphere(node);
        }
    });
}

namespace {

/// The leaf that contains an entry; `first` and `count` are the members for the range of a node.
std::uint32_t leaf_with(const TreeData& tree, std::uint32_t entry, std::uint32_t Node::* first,
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

Vec3f PosedBody::vertex(std::uint32_t v, RefitScratch& scratch) {
    need_leaf(leaf_with(*tree_, v, &Node::first_vertex, &Node::vertex_count), scratch);
    return vertices_.vertex(v).point();
}

Corners PosedBody::corners(std::uint32_t triangle, RefitScratch& scratch) {
    need_leaf(leaf_with(*tree_, triangle, &Node::first_triangle, &Node::triangle_count), scratch);
    return made_corners(*this, triangle);
}

std::size_t PosedBody::bytes() const {
    return sizeof(*this) + joints_.bytes() + signs_.bytes() + blends_.bytes() + vertices_.bytes() +
           bytes_of(spheres_) + cache_.bytes();
}

void PosedBody::set_morph_weights(std::span<const float> weights) {
    if (!shape_) fail("morphs", "the body has no morphs");
    shape_->set_weights(weights);
}

// A body that moved only as a whole keeps its spheres: linear blending commutes with that motion.

namespace {

/// Joints may differ from the common motion by this fraction of the size: the rounding error of a palette.
constexpr double max_departure = 4e-6;

/// Spheres grow a little every time they are moved; after this many times they are computed again.
constexpr int max_moves = 32;

Vec3d move_of(const Mat34f& matrix) {
    return {static_cast<double>(matrix.rows[0][3]), static_cast<double>(matrix.rows[1][3]),
            static_cast<double>(matrix.rows[2][3])};
}

Mat3d linear_of(const Mat34f& matrix) {
    Mat3d linear;
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) linear(r, c) = static_cast<double>(matrix.rows[r][c]);
    }
    return linear;
}

/// Twice the squared displacements by C' - U C of a point within `reach` and of the origin: at least the
/// square of their sum.
float squared_departure(const Point4 (&rigid)[4], const Point4 (&before)[4], const Mat34f& after,
                        float reach) {
    Float4 x = load4(after.rows[0]), y = load4(after.rows[1]), z = load4(after.rows[2]), w = all4(0);
    transpose4(x, y, z, w);
    const auto moved = [&](int c) {
        const Float4 p = load4(before[c].at);
        return load4(rigid[0].at) * spread4<0>(p) + load4(rigid[1].at) * spread4<1>(p) +
               load4(rigid[2].at) * spread4<2>(p);
    };
    const Float4 off_x = x - moved(0), off_y = y - moved(1), off_z = z - moved(2),
                 off = w - moved(3) - load4(rigid[3].at);
    return 2 * (sum4(off_x * off_x + off_y * off_y + off_z * off_z) * reach * reach + dot4(off, off));
}

}  // namespace

/// A fast test before the complete one: a common motion keeps the distance of two translations.
bool PosedBody::may_be_rigid(std::span<const Mat34f> palette, const Displacements& displacements) const {
    if (joints_.method != Method::lbs || tree_->palette_size < 2 || !reuse_ || shape_ ||
        motion_.count >= max_moves)
        return false;
    const Mat34f &first = palette[0], &last = palette[tree_->palette_size - 1];
    const Float4 before = load4(joints_.columns[tree_->palette_size - 1].at[3].at) -
                          load4(joints_.columns[0].at[3].at),
                 after = make3(last.rows[0][3] - first.rows[0][3], last.rows[1][3] - first.rows[1][3],
                               last.rows[2][3] - first.rows[2][3]);
    const float was = dot4(before, before), is = dot4(after, after);
    return std::abs(is - was) <= 1e-4f * was + 1e-12f && displacements.vectors.empty() &&
           joints_.displacements.vectors.empty();
}

/// U = C'_0 C_0^-1, and every other joint must follow it, in single precision. A computed vertex lies within
/// half the slack of both poses plus the largest departure of a joint from its image under U.
bool PosedBody::find_rigid_motion(std::span<const Mat34f> palette) {
    const Mat3d exact = linear_of(palette[0]) * joints_.joints[0].linear.inverse();
    const Vec3d moved = move_of(palette[0]) - exact * joints_.joints[0].move;
    JointPose::Columns columns;
    for (int c = 0; c < 4; ++c) {
        for (int r = 0; r < 3; ++r) columns.at[c].at[r] = static_cast<float>(c < 3 ? exact(r, c) : moved[r]);
    }
    const auto limit = static_cast<float>(max_departure * joints_.size),
               reach = static_cast<float>(tree_->reach);
    float largest = 0;
    for (std::size_t j = tree_->palette_size; j-- > 0;) {
        const float off = squared_departure(columns.at, joints_.columns[j].at, palette[j], reach);
        if (!(off <= limit * limit)) return false;
        largest = std::max(largest, off);
    }
    RigidMotion rigid;
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) rigid.linear(r, c) = static_cast<double>(columns.at[c].at[r]);
        rigid.move[r] = static_cast<double>(columns.at[3].at[r]);
    }
    const double off_rigid = (rigid.linear.transpose() * rigid.linear - Mat3d::Identity()).norm();
    rigid.stretch = std::sqrt(1 + off_rigid);
    rigid.slack = std::sqrt(static_cast<double>(largest)) + 48 * roundoff * joints_.size + half_rounding();
    rigid.count = motion_.count + 1;
    motion_ = rigid;
    return true;
}

/// The part of linear_slack() without the error of weights outside the hull of the corners: that error is the
/// same in all poses.
double PosedBody::half_rounding() const {
    return (2 * static_cast<double>(tree_->max_set_joints) + 8) * roundoff * joints_.size;
}

StoredSphere RigidMotion::moved(const StoredSphere& sphere) const {
    if (!(sphere.radius < infinite)) return sphere;
    const Sphere wide = sphere.widen();
    return stored({linear * wide.center + move, stretch * wide.radius + slack});
}

}  // namespace sinew::collide
