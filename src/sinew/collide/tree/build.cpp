// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/collide/tree/split.h"
#include "sinew/collide/tree/tree_data.h"
#include "sinew/collide/tree/weight_corners.h"
#include "sinew/deform/blend.h"

namespace sinew::collide {

using geometry::Mesh;
using geometry::Triangle;
using model::InfluenceSets;
using model::Skeleton;
using model::Skin;

namespace {

/// Vertices of one leaf, set by set, each in order of first use. The first is the one nearest to the middle,
/// whose blend represents the leaf's, with its set.
std::vector<std::uint32_t> leaf_vertices(const Mesh& mesh, std::span<const std::uint32_t> set_of,
                                         std::span<const std::uint32_t> triangles, const Vec3f& middle,
                                         VertexCollector& collector) {
    std::vector<std::uint32_t> found = collector.collect(mesh.triangles, triangles);
    const auto nearest = std::ranges::min_element(
        found, {}, [&](std::uint32_t v) { return (mesh.positions[v] - middle).squaredNorm(); });
    std::rotate(found.begin(), nearest, nearest + 1);
    const std::uint32_t first = set_of[found[0]];
    std::ranges::stable_sort(found, {},
                             [&](std::uint32_t v) { return std::pair(set_of[v] != first, set_of[v]); });
    return found;
}

/// In the order of the leaves and their triangles: the data of a leaf is contiguous.
void take_triangles(TreeData& tree, const Mesh& mesh, std::span<const std::uint32_t> set_of,
                    const std::vector<std::uint32_t>& order) {
    tree.mesh_triangles = mesh.triangles.size();
    tree.mesh_vertices = mesh.positions.size();
    std::vector<Node*> leaves;
    for (Node& node : tree.nodes) {
        if (node.leaf()) leaves.push_back(&node);
    }
    std::ranges::sort(leaves, {}, [](const Node* node) { return node->first_triangle; });
    VertexCollector collector(mesh.positions.size());
    std::vector<std::uint32_t> slot(mesh.positions.size(), 0);
    for (Node* leaf : leaves) {
        const auto run = std::span(order).subspan(leaf->first_triangle, leaf->triangle_count);
        leaf->first_block = static_cast<std::uint32_t>(tree.block_count);
        tree.block_count += leaf->block_count();
        leaf->first_vertex = static_cast<std::uint32_t>(tree.vertex_ids.size());
        for (const std::uint32_t v : leaf_vertices(mesh, set_of, run, leaf->sphere.center, collector)) {
            slot[v] = static_cast<std::uint32_t>(tree.vertex_ids.size());
            tree.vertex_ids.push_back(v);
        }
        leaf->vertex_count = static_cast<std::uint32_t>(tree.vertex_ids.size()) - leaf->first_vertex;
        for (const std::uint32_t t : run) {
            const Triangle& from = mesh.triangles[t];
            tree.triangles.push_back({slot[from[0]], slot[from[1]], slot[from[2]]});
            tree.triangle_ids.push_back(t);
        }
    }
    for (std::size_t n = tree.nodes.size(); n-- > 0;) {  // children come after their parents
        Node& node = tree.nodes[n];
        if (node.leaf()) continue;
        node.first_vertex = tree.nodes[node.first_child].first_vertex;
        for (std::uint32_t c = 0; c < node.child_count; ++c)
            node.vertex_count += tree.nodes[node.first_child + c].vertex_count;
    }
}

void take_vertices(TreeData& tree, const Mesh& mesh, const Skin& skin, const InfluenceSets& sets) {
    double error = 0;
    for (const std::uint32_t v : tree.vertex_ids) {
        const Vec3f& position = mesh.positions[v];
        tree.positions.push_back(position);
        tree.reach = std::max(tree.reach, position.cast<double>().norm());
        tree.vertex_sets.push_back(sets.set_of[v]);
        tree.vertex_weights.push_back(static_cast<std::uint32_t>(tree.weights.size()));
        double sum = 0;
        for (const model::Influence& influence : skin.of(v)) {
            tree.weights.push_back(influence.weight);
            sum += static_cast<double>(influence.weight);
        }
        error = std::max(error, std::abs(sum - 1));
    }
    tree.reach *= 1 + 0x1p-40;
    // As stored and as kernels use them: all but the first rounded to 2^-20, the first is the remainder.
    const auto n = static_cast<double>(tree.max_set_joints);
    tree.weight_slack = 2 * error + 4 * n * 0x1p-24 + (n - 1) * 0x1p-20;
}

void take_sets(TreeData& tree, const Skin& skin, const InfluenceSets& sets) {
    for (const model::InfluenceSet& set : sets.sets) {
        tree.sets.push_back({static_cast<std::uint32_t>(tree.set_joints.size()), set.joint_count});
        const auto joints = sets.joints_of(set);
        const auto parents = sets.sign_parents_of(set);
        const auto order = model::sign_order(sets, set);
        tree.set_joints.insert(tree.set_joints.end(), joints.begin(), joints.end());
        tree.sign_parents.insert(tree.sign_parents.end(), parents.begin(), parents.end());
        tree.sign_order.insert(tree.sign_order.end(), order.begin(), order.end());
        tree.max_set_joints = std::max<std::size_t>(tree.max_set_joints, set.joint_count);
    }
    tree.palette_size = skin.joints.size();
    for (const model::SkinJoint& joint : skin.joints)
        tree.joint_centers.push_back(deform::rest_center(joint.inverse_bind));
}

/// Vertices split by a seam move as one.
void find_welds(TreeData& tree) {
    std::vector<std::uint32_t> order(tree.positions.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto key = [&](std::uint32_t v) {
        const Vec3f& p = tree.positions[v];
        return std::tuple(p.x(), p.y(), p.z(), tree.vertex_sets[v]);
    };
    const auto same_weights = [&](std::uint32_t a, std::uint32_t b) {
        return std::ranges::equal(tree.weights_of(a), tree.weights_of(b));
    };
    std::ranges::sort(
        order, [&](std::uint32_t a, std::uint32_t b) { return key(a) != key(b) ? key(a) < key(b) : a < b; });
    tree.welds.resize(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        std::uint32_t lead = order[i];
        for (std::size_t k = i; k-- > 0 && key(order[k]) == key(order[i]);) {
            if (same_weights(order[k], order[i])) lead = tree.welds[order[k]];
        }
        tree.welds[order[i]] = lead;
    }
}

std::vector<double> radius_by_level(const Draft& draft) {
    std::vector<double> sums, counts;
    for (const DraftNode& node : draft.nodes) {
        if (node.level >= sums.size()) {
            sums.resize(node.level + 1, 0);
            counts.resize(node.level + 1, 0);
        }
        sums[node.level] += static_cast<double>(node.sphere.radius);
        counts[node.level] += 1;
    }
    for (std::size_t l = 0; l < sums.size(); ++l) sums[l] /= counts[l];
    return sums;
}

void take_nodes(TreeData& tree, const Draft& draft) {
    for (const DraftNode& from : draft.nodes) {
        Node node;
        node.sphere = from.sphere;
        node.first_triangle = from.first;
        node.triangle_count = from.count;
        node.level = static_cast<std::uint16_t>(from.level);
        node.child_count = static_cast<std::uint16_t>(from.children.size());
        if (!from.children.empty()) node.first_child = from.children[0];
        tree.statistics.max_children = std::max(tree.statistics.max_children, from.children.size());
        tree.statistics.leaves += from.children.empty();
        tree.nodes.push_back(node);
    }
    tree.statistics.nodes = tree.nodes.size();
    tree.statistics.radius_by_level = radius_by_level(draft);
    tree.statistics.depth = tree.statistics.radius_by_level.size();
}

void check(const Mesh& mesh, const Skin& skin) {
    geometry::validate(mesh, "collide");
    model::validate(skin, mesh.vertex_count(), std::numeric_limits<int>::max(), "collide");
    for (std::size_t v = 0; v < skin.vertex_count(); ++v) {
        if (skin.of(v).empty()) fail("collide", "vertex {} has no influence", v);
    }
}

/// A single joint that moves everything.
Skin rigid_skin(std::size_t vertices) {
    Skin skin;
    skin.joints.emplace_back();
    const model::Influence whole{0, 1};
    for (std::size_t v = 0; v < vertices; ++v) skin.push_vertex({&whole, 1});
    return skin;
}

/// Below this, bounds by joints are not tight enough.
constexpr std::uint16_t joint_hull_levels = 2;

/// Data of one node, before its position in the tree is known.
struct NodeSetBounds {
    struct Entry {
        StoredSphere sphere;
        std::uint32_t set = 0;
        std::vector<float> corners;
    };
    std::vector<Entry> set_bounds;
    std::vector<JointSphere> joint_spheres;
};

/// Distinct vertices of a node, by set and position.
std::vector<std::uint32_t> vertices_by_set(const TreeData& tree, const Node& node) {
    std::vector<std::uint32_t> vertices(node.vertex_count);
    std::iota(vertices.begin(), vertices.end(), node.first_vertex);
    const auto key = [&](std::uint32_t v) { return std::pair(tree.vertex_sets[v], tree.vertex_ids[v]); };
    std::ranges::sort(vertices, [&](std::uint32_t a, std::uint32_t b) {
        return std::pair(key(a), a) < std::pair(key(b), b);
    });
    const auto same = [&](std::uint32_t a, std::uint32_t b) { return key(a) == key(b); };
    vertices.erase(std::unique(vertices.begin(), vertices.end(), same), vertices.end());
    return vertices;
}

StoredSphere sphere_around(const TreeData& tree, std::span<const std::uint32_t> vertices) {
    std::vector<Vec3d> points;
    for (const std::uint32_t v : vertices) points.push_back(tree.positions[v].cast<double>());
    return smallest_stored_sphere(points);
}

NodeSetBounds::Entry set_bound_of(const TreeData& tree, const Node& node,
                                  std::span<const std::uint32_t> vertices, bool alone) {
    NodeSetBounds::Entry entry;
    entry.set = tree.vertex_sets[vertices[0]];
    const std::size_t joints = tree.sets[entry.set].joint_count;
    // A single set has the node's own sphere, which is the smallest.
    const bool own = !alone;
    entry.sphere = own ? sphere_around(tree, vertices) : node.sphere;
    if (joints == 1) return entry;
    std::vector<float> weights;
    for (const std::uint32_t v : vertices) {
        const auto w = tree.weights_of(v);
        weights.insert(weights.end(), w.begin(), w.end());
    }
    const WeightCorners corners = weight_corners(weights, joints);
    for (const double value : corners.values) entry.corners.push_back(static_cast<float>(value));
    return entry;
}

std::vector<JointSphere> joint_spheres_of(const TreeData& tree, std::span<const std::uint32_t> vertices) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> moved;  // joint, vertex
    for (const std::uint32_t v : vertices) {
        for (const std::uint32_t joint : tree.joints_of(tree.vertex_sets[v])) moved.emplace_back(joint, v);
    }
    std::ranges::sort(moved);
    std::vector<JointSphere> spheres;
    std::vector<std::uint32_t> group;
    for (std::size_t i = 0; i < moved.size(); ++i) {
        group.push_back(moved[i].second);
        if (i + 1 < moved.size() && moved[i + 1].first == moved[i].first) continue;
        spheres.push_back({sphere_around(tree, group), moved[i].first});
        group.clear();
    }
    return spheres;
}

NodeSetBounds set_bounds_of_node(const TreeData& tree, const Node& node) {
    NodeSetBounds result;
    const std::vector<std::uint32_t> vertices = vertices_by_set(tree, node);
    std::vector<std::span<const std::uint32_t>> groups;
    for (std::size_t first = 0; first < vertices.size();) {
        std::size_t end = first + 1;
        while (end < vertices.size() &&
               tree.vertex_sets[vertices[end]] == tree.vertex_sets[vertices[first]]) {
            ++end;
        }
        groups.push_back(std::span(vertices).subspan(first, end - first));
        first = end;
    }
    for (const auto& group : groups)
        result.set_bounds.push_back(set_bound_of(tree, node, group, groups.size() == 1));
    const int limit = tree.limits.joint_hull_above;
    if (limit > 0 && groups.size() > static_cast<std::size_t>(limit) && node.level < joint_hull_levels)
        result.joint_spheres = joint_spheres_of(tree, vertices);
    return result;
}

/// Bounds a leaf by its set_bounds, without computing its vertices, when they are much fewer.
bool worth_it(const NodeSetBounds& set_bounds, const Node& leaf) {
    std::size_t cost = 0;
    for (const NodeSetBounds::Entry& entry : set_bounds.set_bounds) cost += 2 + entry.corners.size() / 2;
    return 3 * cost <= leaf.vertex_count;
}

/// Corner blocks that many set_bounds share are stored once.
class CornerPool {
  public:
    explicit CornerPool(std::vector<float>& corners) : corners_(corners) {}

    std::uint32_t slot(const std::vector<float>& block) {
        std::uint64_t hash = 1469598103934665603u + block.size();
        for (const float value : block) hash = (hash ^ std::bit_cast<std::uint32_t>(value)) * 1099511628211u;
        const auto [first, last] = slots_.equal_range(hash);
        for (auto it = first; it != last; ++it) {
            if (it->second + block.size() <= corners_.size() &&
                std::equal(block.begin(), block.end(), corners_.begin() + it->second)) {
                return it->second;
            }
        }
        const auto at = static_cast<std::uint32_t>(corners_.size());
        corners_.insert(corners_.end(), block.begin(), block.end());
        slots_.emplace(hash, at);
        return at;
    }

  private:
    std::vector<float>& corners_;
    std::unordered_multimap<std::uint64_t, std::uint32_t> slots_;
};

/// Third pass of building: the weights of the vertices of each node. Fills bounds of sets, joint spheres and
/// corners of a tree that has nodes, vertices and sets.
void add_set_bounds(TreeData& tree) {
    std::vector<NodeSetBounds> found(tree.nodes.size());
    parallel_for(tree.nodes.size(), 16, [&](std::size_t i) {
        const Node& node = tree.nodes[i];
        found[i] = set_bounds_of_node(tree, node);
        if (node.leaf() && !tree.limits.leaf_set_bounds && !worth_it(found[i], node)) found[i] = {};
    });
    CornerPool pool(tree.corners);
    for (std::size_t i = 0; i < found.size(); ++i) {
        Node& node = tree.nodes[i];
        node.first_set_bound = static_cast<std::uint32_t>(tree.set_bounds.size());
        node.set_bound_count = static_cast<std::uint32_t>(found[i].set_bounds.size());
        const std::size_t spheres = found[i].joint_spheres.size();
        for (const NodeSetBounds::Entry& entry : found[i].set_bounds) {
            const auto joints = tree.sets[entry.set].joint_count;
            const auto count = static_cast<std::uint32_t>(entry.corners.size()) / joints;
            tree.set_bounds.push_back({entry.sphere, entry.set, pool.slot(entry.corners), count});
        }
        node.first_joint_sphere = static_cast<std::uint32_t>(tree.joint_spheres.size());
        node.joint_sphere_count = static_cast<std::uint32_t>(spheres);
        tree.joint_spheres.insert(tree.joint_spheres.end(), found[i].joint_spheres.begin(),
                                  found[i].joint_spheres.end());
    }
    tree.statistics.set_bounds = tree.set_bounds.size();
}

}  // namespace

TreeData build_tree_data(const Mesh& mesh, const Skin& skin, const Skeleton* skeleton,
                         const TreeLimits& limits) {
    if (skin.empty()) return build_tree_data(mesh, rigid_skin(mesh.vertex_count()), nullptr, limits);
    check(mesh, skin);
    TreeData tree;
    tree.limits = limits;
    const InfluenceSets sets = model::group_by_influences(skin, skeleton);
    Draft draft = split(mesh, sets.set_of, limits);
    tree.statistics.binary_nodes = draft.nodes.size();
    tree.statistics.binary_radius_by_level = radius_by_level(draft);
    tree.statistics.binary_depth = tree.statistics.binary_radius_by_level.size();
    dissolve(draft, limits.collapse);
    draft = flattened(draft);
    take_sets(tree, skin, sets);
    take_nodes(tree, draft);
    take_triangles(tree, mesh, sets.set_of, draft.order);
    take_vertices(tree, mesh, skin, sets);
    find_welds(tree);
    add_set_bounds(tree);
    tree.sign_tree = make_sign_tree(tree);
    return tree;
}

SphereTree::SphereTree() : data_(std::make_shared<TreeData>()) {}

SphereTree::SphereTree(std::shared_ptr<const TreeData> data) : data_(std::move(data)) {}

const BuildStatistics& SphereTree::statistics() const {
    return data_->statistics;
}

std::size_t SphereTree::memory() const {
    const TreeData& tree = *data_;
    const SignTree& signs = tree.sign_tree;
    return sizeof(tree) + bytes_of(tree.nodes) + bytes_of(tree.set_bounds) + bytes_of(tree.joint_spheres) +
           bytes_of(tree.corners) + bytes_of(tree.positions) + bytes_of(tree.vertex_sets) +
           bytes_of(tree.vertex_weights) + bytes_of(tree.weights) + bytes_of(tree.vertex_ids) +
           bytes_of(tree.welds) + bytes_of(tree.triangles) + bytes_of(tree.triangle_ids) +
           bytes_of(tree.sets) + bytes_of(tree.set_joints) + bytes_of(tree.sign_parents) +
           bytes_of(tree.sign_order) + bytes_of(tree.joint_centers) + bytes_of(signs.edges) +
           bytes_of(signs.set_edges) + bytes_of(signs.sizes) + bytes_of(signs.all.sets) +
           bytes_of(signs.all.edges) + bytes_of(signs.all.distances) + bytes_of(signs.widest.sets) +
           bytes_of(signs.widest.edges) + bytes_of(signs.widest.distances);
}

SphereTree build_tree(const Mesh& mesh, const Skin& skin, const Skeleton* skeleton,
                      const BuildOptions& options) {
    TreeLimits limits;
    limits.max_leaf_triangles = options.max_leaf_triangles;
    return SphereTree(std::make_shared<TreeData>(build_tree_data(mesh, skin, skeleton, limits)));
}

SphereTree build_tree(const model::Character& character, const BuildOptions& options) {
    return build_tree(character.mesh, character.skin,
                      character.has_skeleton() ? &character.skeleton : nullptr, options);
}

}  // namespace sinew::collide
