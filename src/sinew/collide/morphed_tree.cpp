#include "sinew/collide/query.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/collide/miniball.h"

namespace sinew::collide {

using geometry::Mesh;
using geometry::Morph;

namespace {

void check(const SphereTree& tree, const Mesh& mesh) {
    if (mesh.vertex_count() != tree.mesh_vertices || mesh.triangles.size() != tree.mesh_triangles)
        fail("morphs", "the tree is of a mesh with {} vertices, not {}", tree.mesh_vertices,
             mesh.vertex_count());
    for (const Morph& morph : mesh.morphs) {
        if (morph.first + morph.positions.size() > mesh.vertex_count())
            fail("morphs", "morph \"{}\" goes beyond the mesh", morph.name);
        for (const Vec3f& offset : morph.positions) {
            if (!offset.allFinite()) fail("morphs", "morph \"{}\" is not finite", morph.name);
        }
    }
}

/// Of every vertex in the order of the tree.
std::vector<Vec3f> offsets_of(const SphereTree& tree, const Morph& morph) {
    std::vector<Vec3f> offsets(tree.positions.size(), Vec3f::Zero());
    for (std::size_t v = 0; v < offsets.size(); ++v) {
        const std::uint32_t place = tree.vertex_ids[v] - morph.first;
        if (tree.vertex_ids[v] >= morph.first && place < morph.positions.size())
            offsets[v] = morph.positions[place];
    }
    return offsets;
}

/// Balls around the offsets of the vertices of a node, of its records and of its joint balls.
void bound_node(const SphereTree& tree, std::uint32_t index, std::span<const Vec3f> offsets,
                MorphBounds::Target& target) {
    const Node& node = tree.nodes[index];
    const auto around = [&](const auto& counts) {
        std::vector<Vec3d> points;
        for (std::uint32_t v = node.first_vertex; v < node.first_vertex + node.vertex_count; ++v) {
            if (counts(tree.vertex_sets[v])) points.push_back(offsets[v].cast<double>());
        }
        return smallest_stored_ball(points);
    };
    target.nodes[index] = around([](std::uint32_t) { return true; });
    if (target.nodes[index].center == Vec3f::Zero() && target.nodes[index].radius == 0) return;
    for (std::uint32_t r = node.first_record; r < node.first_record + node.record_count; ++r) {
        const std::uint32_t set = tree.records[r].set;
        // A record may hold the node's ball, and then moves with it.
        target.records[r] = !tree.options.record_balls || node.record_count == 1
                                ? target.nodes[index]
                                : around([&](std::uint32_t other) { return other == set; });
    }
    for (std::uint32_t j = node.first_joint_ball; j < node.first_joint_ball + node.joint_ball_count; ++j) {
        const std::uint32_t joint = tree.joint_balls[j].joint;
        target.joint_balls[j] = around([&](std::uint32_t set) {
            return std::ranges::find(tree.joints_of(set), joint) != tree.joints_of(set).end();
        });
    }
}

/// Levers of blends reach as far as the vertices (blend_edges.h).
void grow_levers(const BlendEdges& rest, double grown, BlendEdges& edges) {
    const auto more = static_cast<float>(std::sqrt(2.0) * grown * (1 + 1e-6));
    const auto longer = [&](float lever) { return (lever + more) * (1 + 0x1p-22f); };
    for (BlendEdges::Groups BlendEdges::* groups : {&BlendEdges::all, &BlendEdges::widest}) {
        for (std::size_t i = 0; i < (rest.*groups).edges.size(); ++i) {
            for (int lane = 0; lane < 4; ++lane)
                (edges.*groups).edges[i].lever[lane] = longer((rest.*groups).edges[i].lever[lane]);
        }
    }
}

}  // namespace

MorphBounds make_morph_bounds(const SphereTree& tree, const Mesh& mesh) {
    check(tree, mesh);
    MorphBounds bounds;
    for (const Morph& morph : mesh.morphs) {
        MorphBounds::Target& target = bounds.targets.emplace_back();
        const std::vector<Vec3f> offsets = offsets_of(tree, morph);
        for (std::uint32_t v = 0; v < offsets.size(); ++v) {
            if (offsets[v] == Vec3f::Zero()) continue;
            target.deltas.push_back({v, offsets[v]});
            target.reach = std::max(target.reach, offsets[v].cast<double>().norm());
        }
        target.nodes.resize(tree.nodes.size());
        target.records.resize(tree.records.size());
        target.joint_balls.resize(tree.joint_balls.size());
        parallel_for(tree.nodes.size(), 16, [&](std::size_t n) {
            bound_node(tree, static_cast<std::uint32_t>(n), offsets, target);
        });
    }
    return bounds;
}

MorphedTree::MorphedTree(const SphereTree& rest, const MorphBounds& bounds)
    : rest_(&rest),
      bounds_(&bounds),
      tree_(rest),
      weights_(bounds.targets.size(), 0.0f),
      node_shapes_(rest.nodes.size(), 0),
      leaf_shapes_(rest.nodes.size(), 0) {}

void MorphedTree::set_weights(std::span<const float> weights) {
    if (weights.size() != weights_.size())
        fail("morphs", "{} morph weights for {} morphs", weights.size(), weights_.size());
    active_.clear();
    double grown = 0;
    for (std::uint32_t k = 0; k < weights.size(); ++k) {
        if (!std::isfinite(weights[k])) fail("morphs", "the weight of morph {} is not finite", k);
        if (weights[k] == 0) continue;
        active_.push_back(k);
        grown += std::abs(static_cast<double>(weights[k])) * bounds_->targets[k].reach;
    }
    std::ranges::copy(weights, weights_.begin());
    // A sum of so many terms, none of which is ever farther out than this.
    slack_ = 2 * static_cast<double>(active_.size()) * 0x1p-24 * (rest_->reach + grown);
    tree_.reach = (rest_->reach + grown + slack_) * (1 + 1e-9);
    grow_levers(rest_->edges, grown + slack_, tree_.edges);
    if (++shape_ == 0) {  // after four thousand million shapes
        std::ranges::fill(node_shapes_, 0);
        std::ranges::fill(leaf_shapes_, 0);
        shape_ = 1;
    }
    if (!tree_.nodes.empty()) prepare(0);  // whose size others ask for
}

/// (p + sum a_k c_k, r + sum |a_k| r_k).
StoredBall MorphedTree::moved(const StoredBall& rest, Balls balls, std::size_t place) const {
    Ball sum = rest.widen();
    for (const std::uint32_t k : active_) {
        const Ball offset = (bounds_->targets[k].*balls)[place].widen();
        const auto weight = static_cast<double>(weights_[k]);
        sum.center += weight * offset.center;
        sum.radius += std::abs(weight) * offset.radius;
    }
    sum.radius += slack_;
    return active_.empty() ? rest : stored(sum);
}

void MorphedTree::move_balls(std::uint32_t index) {
    using Target = MorphBounds::Target;
    Node& node = tree_.nodes[index];
    node.ball = moved(rest_->nodes[index].ball, &Target::nodes, index);
    for (std::uint32_t r = node.first_record; r < node.first_record + node.record_count; ++r)
        tree_.records[r].ball = moved(rest_->records[r].ball, &Target::records, r);
    for (std::uint32_t j = node.first_joint_ball; j < node.first_joint_ball + node.joint_ball_count; ++j)
        tree_.joint_balls[j].ball = moved(rest_->joint_balls[j].ball, &Target::joint_balls, j);
    node_shapes_[index] = shape_;
}

/// In the order and precision in which skinning adds them, so that both have the same numbers.
void MorphedTree::move_vertices(std::uint32_t index) {
    const Node& leaf = tree_.nodes[index];
    const std::uint32_t first = leaf.first_vertex, end = first + leaf.vertex_count;
    std::copy(rest_->positions.begin() + first, rest_->positions.begin() + end,
              tree_.positions.begin() + first);
    for (const std::uint32_t k : active_) {
        const auto& deltas = bounds_->targets[k].deltas;
        auto it = std::ranges::lower_bound(deltas, first, {}, &MorphBounds::Delta::vertex);
        for (; it != deltas.end() && it->vertex < end; ++it)
            tree_.positions[it->vertex] += weights_[k] * it->offset;
    }
    leaf_shapes_[index] = shape_;
}

}  // namespace sinew::collide
