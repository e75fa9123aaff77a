// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Contents of a SphereTree, and how it is built.

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/collide/tree/sign_tree.h"
#include "sinew/collide/tree/sphere.h"

namespace sinew::collide {

/// BuildOptions, and limits that only tests set.
struct TreeLimits {
    double collapse = 0.6;  ///< a child larger than this times its parent is dissolved; 1 keeps all
    int max_leaf_triangles = 0;
    int depth_cap = 64;            ///< below this depth, triangles are split at the median
    bool leaf_set_bounds = false;  ///< leaves get bounds of sets even where their vertices are cheaper
    /// Nodes with more sets than this are bounded joint by joint instead: nearly as tight for large nodes,
    /// and much cheaper. 0 never.
    int joint_hull_above = 40;
};

/// Vertices of one influence set in one node.
struct SetBound {
    StoredSphere sphere;
    std::uint32_t set = 0;
    std::uint32_t first_corner = 0;  ///< index into TreeData::corners, of numbers, not vectors
    std::uint32_t corner_count = 0;
};

/// Vertices of one node that a joint influences.
struct JointSphere {
    StoredSphere sphere;
    std::uint32_t joint = 0;
};

/// Triangles of a leaf that share a box, in the order of the leaf.
inline constexpr std::uint32_t block_size = 8;

/// Siblings are adjacent; triangles and vertices of a subtree are runs.
struct Node {
    StoredSphere sphere;
    std::uint32_t first_child = 0;
    std::uint32_t first_set_bound = 0;
    std::uint32_t first_triangle = 0;
    std::uint32_t triangle_count = 0;
    std::uint32_t first_vertex = 0;
    std::uint32_t vertex_count = 0;
    std::uint32_t first_block = 0;  ///< of a leaf
    std::uint32_t first_joint_sphere = 0;
    std::uint32_t set_bound_count = 0;
    std::uint32_t joint_sphere_count = 0;
    std::uint16_t child_count = 0;  ///< 0 for a leaf
    std::uint16_t level = 0;        ///< 0 is the root

    bool leaf() const { return child_count == 0; }
    std::uint32_t block_count() const { return (triangle_count + block_size - 1) / block_size; }
};

/// Joints of an influence set and how their quaternions get their signs (model::InfluenceSets).
struct TreeSet {
    std::uint32_t first_joint = 0;
    std::uint32_t joint_count = 0;
};

/// Immutable. Vertices and triangles have their own order, in which leaves are runs, and every leaf has its
/// own copy of its vertices, set by set, the one nearest to the middle first; the lists of `ids` give the
/// numbers in the mesh.
struct TreeData {
    TreeLimits limits;
    std::vector<Node> nodes;  ///< the root first; empty for a mesh without triangles
    std::vector<SetBound> set_bounds;
    std::vector<JointSphere> joint_spheres;
    std::vector<float> corners;

    std::vector<Vec3f> positions;
    std::vector<std::uint32_t> vertex_sets;
    std::vector<std::uint32_t> vertex_weights;  ///< index of its first weight; one for each joint of its set
    std::vector<float> weights;
    std::vector<std::uint32_t> vertex_ids;
    std::vector<std::uint32_t> welds;  ///< a number that vertices at one position with the same weights share
    std::vector<geometry::Triangle> triangles;
    std::vector<std::uint32_t> triangle_ids;

    std::vector<TreeSet> sets;
    std::vector<std::uint32_t> set_joints;
    std::vector<std::int32_t> sign_parents;
    std::vector<std::uint32_t> sign_order;
    std::vector<Vec3d> joint_centers;  ///< rest positions of the palette entries
    SignTree sign_tree;                ///< derived from the other data

    double weight_slack = 0;  ///< 1-norm distance of a weight vector in use from the hull of its corners
    double reach = 0;         ///< distance of the farthest vertex from the origin
    std::size_t palette_size = 0;
    std::size_t mesh_triangles = 0;
    std::size_t mesh_vertices = 0;
    std::size_t block_count = 0;  ///< of all leaves
    std::size_t max_set_joints = 0;
    BuildStatistics statistics;

    std::span<const std::uint32_t> joints_of(std::uint32_t set) const {
        return {set_joints.data() + sets[set].first_joint, sets[set].joint_count};
    }
    std::span<const SetBound> set_bounds_of(const Node& node) const {
        return {set_bounds.data() + node.first_set_bound, node.set_bound_count};
    }
    std::span<const JointSphere> joint_spheres_of(const Node& node) const {
        return {joint_spheres.data() + node.first_joint_sphere, node.joint_sphere_count};
    }
    std::span<const float> weights_of(std::uint32_t vertex) const {
        return {weights.data() + vertex_weights[vertex], sets[vertex_sets[vertex]].joint_count};
    }
};

/// See build_tree().
TreeData build_tree_data(const geometry::Mesh& mesh, const model::Skin& skin, const model::Skeleton* skeleton,
                         const TreeLimits& limits);

/// Memory of a list in bytes.
template <class List>
std::size_t bytes_of(const List& list) {
    return list.capacity() * sizeof(list[0]);
}

}  // namespace sinew::collide
