#pragma once
/// \file
/// A tree of balls over the triangles of a skinned mesh at rest, built once and shared by all its instances.
/// A node knows, for every influence set among its vertices, a ball and the range of weights: enough to bound
/// them in any pose without looking at a vertex (Kavan 2007, chapters 5 and 6).

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "sinew/collide/ball.h"
#include "sinew/collide/blend_edges.h"
#include "sinew/collide/weight_corners.h"
#include "sinew/model/character.h"

namespace sinew::collide {

struct BuildOptions {
    double collapse = 0.6;  ///< a child larger than this times its parent is dissolved; 1 keeps all
    /// A leaf is deformed as a whole and searched by boxes of its triangles. 1 is the source's; 0 stands for
    /// 256, or 8 for every influence set of the leaf where that is more: then its vertices cost less than
    /// refits of what would be below.
    int max_leaf_triangles = 0;
    int depth_cap = 64;  ///< deeper, triangles are split at the median
    CornerPolicy corners = CornerPolicy::automatic;
    bool record_balls = true;  ///< a ball for each influence set; false bounds all by the node's (the source)
    bool leaf_records = false;  ///< leaves get records even where their vertices cost less
    /// Nodes with more records than this are bounded joint by joint instead: nearly as tight that high up,
    /// and much cheaper. 0 never.
    int joint_hull_above = 40;
};

/// Vertices of one influence set in one node.
struct Record {
    StoredBall ball;
    std::uint32_t set = 0;
    std::uint32_t first_corner = 0;  ///< into SphereTree::corners, numbers not vectors
    std::uint32_t corner_count = 0;
};

/// Vertices of one node that a joint takes part in moving.
struct JointBall {
    StoredBall ball;
    std::uint32_t joint = 0;
};

/// Triangles of a leaf that share a box, in the order of the leaf.
inline constexpr std::uint32_t block_size = 8;

/// Siblings lie side by side; triangles and vertices of a subtree are runs.
struct Node {
    StoredBall ball;
    std::uint32_t first_child = 0;
    std::uint32_t first_record = 0;
    std::uint32_t first_triangle = 0;
    std::uint32_t triangle_count = 0;
    std::uint32_t first_vertex = 0;
    std::uint32_t vertex_count = 0;
    std::uint32_t first_block = 0;  ///< of a leaf
    std::uint32_t first_joint_ball = 0;
    std::uint32_t record_count = 0;
    std::uint32_t joint_ball_count = 0;
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

struct BuildStatistics {
    std::size_t binary_nodes = 0;
    std::size_t binary_depth = 0;
    std::size_t nodes = 0;
    std::size_t leaves = 0;
    std::size_t depth = 0;
    std::size_t max_children = 0;
    std::size_t records = 0;
    std::vector<double> radius_by_level;         ///< average
    std::vector<double> binary_radius_by_level;  ///< before children were dissolved
};

/// Immutable. Vertices and triangles have their own order, in which leaves are runs, and every leaf has its
/// own copy of its vertices, set by set, the one nearest to the middle first; the lists of `ids` lead back to
/// the mesh.
struct SphereTree {
    BuildOptions options;
    std::vector<Node> nodes;  ///< the root first; empty for a mesh without triangles
    std::vector<Record> records;
    std::vector<JointBall> joint_balls;
    std::vector<float> corners;

    std::vector<Vec3f> positions;
    std::vector<std::uint32_t> vertex_sets;
    std::vector<std::uint32_t> vertex_weights;  ///< first of its weights, as many as its set has joints
    std::vector<float> weights;
    std::vector<std::uint32_t> vertex_ids;
    std::vector<std::uint32_t> welds;  ///< a number that vertices at one place with the same weights share
    std::vector<geometry::Triangle> triangles;
    std::vector<std::uint32_t> triangle_ids;

    std::vector<TreeSet> sets;
    std::vector<std::uint32_t> set_joints;
    std::vector<std::int32_t> sign_parents;
    std::vector<std::uint32_t> sign_order;
    std::vector<Vec3d> joint_centers;  ///< rest places of the palette entries
    BlendEdges edges;                  ///< follows from the rest; not in files

    std::uint64_t content_hash = 0;  ///< of mesh, weights and options
    double weight_slack = 0;  ///< 1-norm distance of a weight vector as used from the hull of its corners
    double reach = 0;         ///< farthest vertex from the origin
    std::size_t palette_size = 0;
    std::size_t mesh_triangles = 0;
    std::size_t mesh_vertices = 0;
    std::size_t block_count = 0;  ///< of all leaves
    std::size_t max_set_joints = 0;
    std::size_t max_refit_balls = 0;  ///< most balls that one refit lists
    BuildStatistics statistics;

    std::span<const std::uint32_t> joints_of(std::uint32_t set) const {
        return {set_joints.data() + sets[set].first_joint, sets[set].joint_count};
    }
    std::span<const Record> records_of(const Node& node) const {
        return {records.data() + node.first_record, node.record_count};
    }
    std::span<const JointBall> joint_balls_of(const Node& node) const {
        return {joint_balls.data() + node.first_joint_ball, node.joint_ball_count};
    }
    std::span<const float> weights_of(std::uint32_t vertex) const {
        return {weights.data() + vertex_weights[vertex], sets[vertex_sets[vertex]].joint_count};
    }
};

/// Builds the tree of a skinned mesh. `skeleton` settles quaternion signs, as in model::group_by_influences;
/// it may be null. A mesh without skin is a rigid body with one joint.
/// \throws Error when mesh and skin do not fit each other or a position is not finite.
SphereTree build_tree(const geometry::Mesh& mesh, const model::Skin& skin, const model::Skeleton* skeleton,
                      const BuildOptions& options = {});
SphereTree build_tree(const model::Character& character, const BuildOptions& options = {});

/// What a tree is built from, as one number: it must be rebuilt when this changes.
std::uint64_t content_hash(const geometry::Mesh& mesh, const model::Skin& skin, const BuildOptions& options);

/// Bytes held by a tree.
std::size_t memory_of(const SphereTree& tree);

}  // namespace sinew::collide
