// SPDX-License-Identifier: MIT
#include "sinew/collide/tree/morphed_tree.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"

namespace sinew::collide {

using geometry::Mesh;
using geometry::Morph;

namespace {

void check(const TreeData& tree, const Mesh& mesh) {
    if (mesh.vertex_count() != tree.mesh_vertices || mesh.triangles.size() != tree.mesh_triangles)
        fail("morphs", "the tree is of a mesh with {} vertices, not {}", tree.mesh_vertices,
             mesh.vertex_count());
    for (const Morph& morph : mesh.morphs) {
        if (morph.first + morph.positions.size() > mesh.vertex_count())
            fail("morphs", "morph \"{}\" has more vertices than the mesh", morph.name);
        for (const Vec3f& offset : morph.positions) {
            if (!offset.allFinite()) fail("morphs", "morph \"{}\" is not finite", morph.name);
        }
    }
}

/// Of every vertex in the order of the tree.
std::vector<Vec3f> offsets_of(const TreeData& tree, const Morph& morph) {
    std::vector<Vec3f> offsets(tree.positions.size(), Vec3f::Zero());
    for (std::size_t v = 0; v < offsets.size(); ++v) {
        const std::uint32_t slot = tree.vertex_ids[v] - morph.first;
        if (tree.vertex_ids[v] >= morph.first && slot < morph.positions.size())
            offsets[v] = morph.positions[slot];
    }
    return offsets;
}

/// Spheres around the offsets of the vertices of a node, of its set_bounds and of its joint spheres.
void bound_node(const TreeData& tree, std::uint32_t index, std::span<const Vec3f> offsets,
                MorphData::Target& target) {
    const Node& node = tree.nodes[index];
    const auto around = [&](const auto& counts) {
        std::vector<Vec3d> points;
        for (std::uint32_t v = node.first_vertex; v < node.first_vertex + node.vertex_count; ++v) {
            if (counts(tree.vertex_sets[v])) points.push_back(offsets[v].cast<double>());
        }
        return smallest_stored_sphere(points);
    };
    target.nodes[index] = around([](std::uint32_t) { return true; });
    if (target.nodes[index].center == Vec3f::Zero() && target.nodes[index].radius == 0) return;
    for (std::uint32_t r = node.first_set_bound; r < node.first_set_bound + node.set_bound_count; ++r) {
        const std::uint32_t set = tree.set_bounds[r].set;
        // A set_bound may contain the node's sphere, and then moves with it.
        target.set_bounds[r] = node.set_bound_count == 1
                                   ? target.nodes[index]
                                   : around([&](std::uint32_t other) { return other == set; });
    }
    for (std::uint32_t j = node.first_joint_sphere; j < node.first_joint_sphere + node.joint_sphere_count;
         ++j) {
        const std::uint32_t joint = tree.joint_spheres[j].joint;
        target.joint_spheres[j] = around([&](std::uint32_t set) {
            return std::ranges::find(tree.joints_of(set), joint) != tree.joints_of(set).end();
        });
    }
}

/// Levers of blends are as long as the distance to the vertices (sign_tree.h).
void grow_levers(const SignTree& rest, double grown, SignTree& edges) {
    const auto more = static_cast<float>(std::sqrt(2.0) * grown * (1 + 1e-6));
    const auto longer = [&](float lever) { return (lever + more) * (1 + 0x1p-22f); };
    for (SignTree::Groups SignTree::* groups : {&SignTree::all, &SignTree::widest}) {
        for (std::size_t i = 0; i < (rest.*groups).edges.size(); ++i) {
            for (int lane = 0; lane < 4; ++lane)
                (edges.*groups).edges[i].lever[lane] = longer((rest.*groups).edges[i].lever[lane]);
        }
    }
}

}  // namespace

MorphBounds::MorphBounds() : data_(std::make_shared<MorphData>()) {}

MorphBounds::MorphBounds(const SphereTree& of, const Mesh& mesh) {
    const TreeData& tree = of.data();
    check(tree, mesh);
    MorphData bounds;
    for (const Morph& morph : mesh.morphs) {
        MorphData::Target& target = bounds.targets.emplace_back();
        const std::vector<Vec3f> offsets = offsets_of(tree, morph);
        for (std::uint32_t v = 0; v < offsets.size(); ++v) {
            if (offsets[v] == Vec3f::Zero()) continue;
            target.deltas.push_back({v, offsets[v]});
            target.reach = std::max(target.reach, offsets[v].cast<double>().norm());
        }
        target.nodes.resize(tree.nodes.size());
        target.set_bounds.resize(tree.set_bounds.size());
        target.joint_spheres.resize(tree.joint_spheres.size());
        parallel_for(tree.nodes.size(), 16, [&](std::size_t n) {
            bound_node(tree, static_cast<std::uint32_t>(n), offsets, target);
        });
    }
    data_ = std::make_shared<MorphData>(std::move(bounds));
}

bool MorphBounds::empty() const {
    return data_->targets.empty();
}

MorphedTree::MorphedTree(const TreeData& rest, const MorphData& bounds)
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
    // A sum with this number of terms, none of which is ever farther from the origin than this.
    slack_ = 2 * static_cast<double>(active_.size()) * 0x1p-24 * (rest_->reach + grown);
    tree_.reach = (rest_->reach + grown + slack_) * (1 + 1e-9);
    grow_levers(rest_->sign_tree, grown + slack_, tree_.sign_tree);
    if (++shape_ == 0) {  // after four billion shapes
        std::ranges::fill(node_shapes_, 0);
        std::ranges::fill(leaf_shapes_, 0);
        shape_ = 1;
    }
    if (!tree_.nodes.empty()) prepare(0);  // other code reads its size
}

/// (p + sum a_k c_k, r + sum |a_k| r_k).
StoredSphere MorphedTree::moved(const StoredSphere& rest, Spheres spheres, std::size_t slot) const {
    Sphere sum = rest.widen();
    for (const std::uint32_t k : active_) {
        const Sphere offset = (bounds_->targets[k].*spheres)[slot].widen();
        const auto weight = static_cast<double>(weights_[k]);
        sum.center += weight * offset.center;
        sum.radius += std::abs(weight) * offset.radius;
    }
    sum.radius += slack_;
    return active_.empty() ? rest : stored(sum);
}

void MorphedTree::move_spheres(std::uint32_t index) {
    using Target = MorphData::Target;
    Node& node = tree_.nodes[index];
    node.sphere = moved(rest_->nodes[index].sphere, &Target::nodes, index);
    for (std::uint32_t r = node.first_set_bound; r < node.first_set_bound + node.set_bound_count; ++r)
        tree_.set_bounds[r].sphere = moved(rest_->set_bounds[r].sphere, &Target::set_bounds, r);
    for (std::uint32_t j = node.first_joint_sphere; j < node.first_joint_sphere + node.joint_sphere_count;
         ++j)
        tree_.joint_spheres[j].sphere = moved(rest_->joint_spheres[j].sphere, &Target::joint_spheres, j);
    node_shapes_[index] = shape_;
}

/// In the order and precision in which skinning adds them, so that the results are identical.
void MorphedTree::move_vertices(std::uint32_t index) {
    const Node& leaf = tree_.nodes[index];
    const std::uint32_t first = leaf.first_vertex, end = first + leaf.vertex_count;
    std::copy(rest_->positions.begin() + first, rest_->positions.begin() + end,
              tree_.positions.begin() + first);
    for (const std::uint32_t k : active_) {
        const auto& deltas = bounds_->targets[k].deltas;
        auto it = std::ranges::lower_bound(deltas, first, {}, &MorphData::Delta::vertex);
        for (; it != deltas.end() && it->vertex < end; ++it)
            tree_.positions[it->vertex] += weights_[k] * it->offset;
    }
    leaf_shapes_[index] = shape_;
}

}  // namespace sinew::collide
