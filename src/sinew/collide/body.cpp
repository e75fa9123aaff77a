#include "sinew/collide/body.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/collide/query.h"

namespace sinew::collide {

using deform::Mat34f;
using deform::Method;

QueryCounts& QueryCounts::operator+=(const QueryCounts& other) {
    ball_tests += other.ball_tests;
    refits += other.refits;
    reused += other.reused;
    vertices += other.vertices;
    triangle_tests += other.triangle_tests;
    contacts += other.contacts;
    return *this;
}

Body::Body(const SphereTree& tree, Method method, Refit refit)
    : VertexPose(tree, method),
      refit_(refit),
      stamps_(tree.nodes.size()),
      leaf_stamps_(tree.nodes.size()),
      balls_(tree.nodes.size()),
      leaf_boxes_(tree.nodes.size()),
      leaf_blends_(method == Method::lbs ? 0 : tree.nodes.size()),
      block_boxes_(tree.block_count) {
    set_rigid_pose({});
}

Body::Body(MorphedTree& shape, Method method, Refit refit) : Body(shape.tree(), method, refit) {
    shape_ = &shape;
}

template <class Matrix>
void Body::pose_joints(const Matrix& matrix_of, const Displacements& displacements) {
    if (begin_pose(displacements)) {
        clear_stamps();
        stamps_.clear();
        leaf_stamps_.clear();
    }
    last_pose_ = 1;
    for (std::size_t j = 0; j < tree_->palette_size; ++j) set_joint(j, matrix_of(j));
    end_pose();
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
    const bool whole = may_be_whole(palette, displacements) && find_whole_motion(palette);
    pose_joints([&](std::size_t j) -> const Mat34f& { return palette[j]; }, displacements);
    if (!whole) {
        whole_.count = 0;
    } else if (pose_ > 2) {
        last_pose_ = pose_ - 2;
        whole_.slack += half_rounding();
    }
}

void Body::set_rigid_pose(const Mat34f& matrix) {
    pose_joints([&](std::size_t) -> const Mat34f& { return matrix; }, {});
}

void Body::make(std::uint32_t node, QueryScratch& room) {
    stamps_.fill(node, pose_, [&](std::uint32_t before) {
        if (before == last_pose_) {
            ++room.counts.reused;
            balls_[node] = moved_along(balls_[node]);
            return;
        }
        ++room.counts.refits;
        if (shape_ != nullptr) shape_->prepare(node);
        const Node& made = tree_->nodes[node];
        if (made.record_count > 0) balls_[node] = refit(made, room);
        const bool bounded = balls_[node].radius < std::numeric_limits<float>::infinity();
        if (made.record_count == 0 || (made.leaf() && !bounded)) balls_[node] = leaf_ball(node, room);
    });
}

void Body::make_leaf(std::uint32_t leaf, QueryScratch& room) {
    leaf_stamps_.fill(leaf, pose_, [&] {
        if (shape_ != nullptr) shape_->prepare_leaf(leaf);
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

Vec3f Body::vertex(std::uint32_t v, QueryScratch& room) {
    need_leaf(leaf_with(*tree_, v, &Node::first_vertex, &Node::vertex_count), room);
    return vertices_[v].point();
}

Corners Body::corners(std::uint32_t triangle, QueryScratch& room) {
    need_leaf(leaf_with(*tree_, triangle, &Node::first_triangle, &Node::triangle_count), room);
    const geometry::Triangle& t = tree_->triangles[triangle];
    return {vertices_[t[0]].point().cast<double>(), vertices_[t[1]].point().cast<double>(),
            vertices_[t[2]].point().cast<double>()};
}

std::size_t Body::memory() const {
    return sizeof(*this) + blend_bytes() + bytes_of(vertices_) + bytes_of(balls_) + bytes_of(leaf_boxes_) +
           bytes_of(leaf_blends_) + bytes_of(block_boxes_) + stamps_.bytes() + leaf_stamps_.bytes();
}

}  // namespace sinew::collide
