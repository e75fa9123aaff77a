#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/collide/miniball.h"
#include "sinew/collide/sphere_tree.h"
#include "sinew/collide/tree_records.h"
#include "sinew/collide/tree_split.h"
#include "sinew/deform/blend.h"

namespace sinew::collide {

using geometry::Mesh;
using geometry::Triangle;
using model::InfluenceSets;
using model::Skeleton;
using model::Skin;

namespace {

/// Vertices of one leaf, set by set, each in order of first use. First comes the one nearest to the middle,
/// whose blend stands for the leaf's, with its set.
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

/// Leaf after leaf in the order of the triangles: what a leaf needs lies together.
void take_triangles(SphereTree& tree, const Mesh& mesh, std::span<const std::uint32_t> set_of,
                    const std::vector<std::uint32_t>& order) {
    tree.mesh_triangles = mesh.triangles.size();
    tree.mesh_vertices = mesh.positions.size();
    std::vector<Node*> leaves;
    for (Node& node : tree.nodes) {
        if (node.leaf()) leaves.push_back(&node);
    }
    std::ranges::sort(leaves, {}, [](const Node* node) { return node->first_triangle; });
    VertexCollector collector(mesh.positions.size());
    std::vector<std::uint32_t> place(mesh.positions.size(), 0);
    for (Node* leaf : leaves) {
        const auto run = std::span(order).subspan(leaf->first_triangle, leaf->triangle_count);
        leaf->first_block = static_cast<std::uint32_t>(tree.block_count);
        tree.block_count += leaf->block_count();
        leaf->first_vertex = static_cast<std::uint32_t>(tree.vertex_ids.size());
        for (const std::uint32_t v : leaf_vertices(mesh, set_of, run, leaf->ball.center, collector)) {
            place[v] = static_cast<std::uint32_t>(tree.vertex_ids.size());
            tree.vertex_ids.push_back(v);
        }
        leaf->vertex_count = static_cast<std::uint32_t>(tree.vertex_ids.size()) - leaf->first_vertex;
        for (const std::uint32_t t : run) {
            const Triangle& from = mesh.triangles[t];
            tree.triangles.push_back({place[from[0]], place[from[1]], place[from[2]]});
            tree.triangle_ids.push_back(t);
        }
    }
    for (std::size_t n = tree.nodes.size(); n-- > 0;) {  // children follow their parents
        Node& node = tree.nodes[n];
        if (node.leaf()) continue;
        node.first_vertex = tree.nodes[node.first_child].first_vertex;
        for (std::uint32_t c = 0; c < node.child_count; ++c)
            node.vertex_count += tree.nodes[node.first_child + c].vertex_count;
    }
}

void take_vertices(SphereTree& tree, const Mesh& mesh, const Skin& skin, const InfluenceSets& sets) {
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
    // As stored and as kernels use them: all but the first rounded to 2^-20, the first what they leave.
    const auto n = static_cast<double>(tree.max_set_joints);
    tree.weight_slack = 2 * error + 4 * n * 0x1p-24 + (n - 1) * 0x1p-20;
}

void take_sets(SphereTree& tree, const Skin& skin, const InfluenceSets& sets) {
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
void find_welds(SphereTree& tree) {
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
        sums[node.level] += static_cast<double>(node.ball.radius);
        counts[node.level] += 1;
    }
    for (std::size_t l = 0; l < sums.size(); ++l) sums[l] /= counts[l];
    return sums;
}

void take_nodes(SphereTree& tree, const Draft& draft) {
    for (const DraftNode& from : draft.nodes) {
        Node node;
        node.ball = from.ball;
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

/// One joint that moves everything.
Skin rigid_skin(std::size_t vertices) {
    Skin skin;
    skin.joints.emplace_back();
    const model::Influence whole{0, 1};
    for (std::size_t v = 0; v < vertices; ++v) skin.push_vertex({&whole, 1});
    return skin;
}

}  // namespace

SphereTree build_tree(const Mesh& mesh, const Skin& skin, const Skeleton* skeleton,
                      const BuildOptions& options) {
    if (skin.empty()) return build_tree(mesh, rigid_skin(mesh.vertex_count()), nullptr, options);
    check(mesh, skin);
    SphereTree tree;
    tree.options = options;
    tree.content_hash = content_hash(mesh, skin, options);
    const InfluenceSets sets = model::group_by_influences(skin, skeleton);
    Draft draft = split(mesh, sets.set_of, options);
    tree.statistics.binary_nodes = draft.nodes.size();
    tree.statistics.binary_radius_by_level = radius_by_level(draft);
    tree.statistics.binary_depth = tree.statistics.binary_radius_by_level.size();
    dissolve(draft, options.collapse);
    draft = flattened(draft);
    take_sets(tree, skin, sets);
    take_nodes(tree, draft);
    take_triangles(tree, mesh, sets.set_of, draft.order);
    take_vertices(tree, mesh, skin, sets);
    find_welds(tree);
    add_records(tree);
    tree.edges = make_edges(tree);
    return tree;
}

SphereTree build_tree(const model::Character& character, const BuildOptions& options) {
    return build_tree(character.mesh, character.skin,
                      character.has_skeleton() ? &character.skeleton : nullptr, options);
}

}  // namespace sinew::collide
