#include "sinew/collide/tree_records.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "sinew/base/parallel.h"
#include "sinew/collide/miniball.h"

namespace sinew::collide {
namespace {

/// Below, bounds by joints are not tight enough.
constexpr std::uint16_t joint_hull_levels = 2;

/// What one node gets, before it finds its place in the tree.
struct NodeRecords {
    struct Entry {
        StoredBall ball;
        std::uint32_t set = 0;
        std::vector<float> corners;
    };
    std::vector<Entry> records;
    std::vector<JointBall> joint_balls;
};

/// Distinct vertices of a node, by set and place.
std::vector<std::uint32_t> vertices_by_set(const SphereTree& tree, const Node& node) {
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

StoredBall ball_around(const SphereTree& tree, std::span<const std::uint32_t> vertices) {
    std::vector<Vec3d> points;
    for (const std::uint32_t v : vertices) points.push_back(tree.positions[v].cast<double>());
    return smallest_stored_ball(points);
}

NodeRecords::Entry record_of(const SphereTree& tree, const Node& node,
                             std::span<const std::uint32_t> vertices, bool alone) {
    NodeRecords::Entry entry;
    entry.set = tree.vertex_sets[vertices[0]];
    const std::size_t joints = tree.sets[entry.set].joint_count;
    // A set that is alone has the node's own ball, which is the smallest.
    const bool own = tree.options.record_balls && !alone;
    entry.ball = own ? ball_around(tree, vertices) : node.ball;
    if (joints == 1) return entry;
    std::vector<float> weights;
    for (const std::uint32_t v : vertices) {
        const auto w = tree.weights_of(v);
        weights.insert(weights.end(), w.begin(), w.end());
    }
    const WeightCorners corners = weight_corners(weights, joints, tree.options.corners);
    for (const double value : corners.values) entry.corners.push_back(static_cast<float>(value));
    return entry;
}

std::vector<JointBall> joint_balls_of(const SphereTree& tree, std::span<const std::uint32_t> vertices) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> moved;  // joint, vertex
    for (const std::uint32_t v : vertices) {
        for (const std::uint32_t joint : tree.joints_of(tree.vertex_sets[v])) moved.emplace_back(joint, v);
    }
    std::ranges::sort(moved);
    std::vector<JointBall> balls;
    std::vector<std::uint32_t> group;
    for (std::size_t i = 0; i < moved.size(); ++i) {
        group.push_back(moved[i].second);
        if (i + 1 < moved.size() && moved[i + 1].first == moved[i].first) continue;
        balls.push_back({ball_around(tree, group), moved[i].first});
        group.clear();
    }
    return balls;
}

NodeRecords records_of_node(const SphereTree& tree, const Node& node) {
    NodeRecords result;
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
        result.records.push_back(record_of(tree, node, group, groups.size() == 1));
    const int limit = tree.options.joint_hull_above;
    if (limit > 0 && groups.size() > static_cast<std::size_t>(limit) && node.level < joint_hull_levels)
        result.joint_balls = joint_balls_of(tree, vertices);
    return result;
}

/// Bounds a leaf by its records, before its vertices are needed, when they are much fewer.
bool worth_it(const NodeRecords& records, const Node& leaf) {
    std::size_t cost = 0;
    for (const NodeRecords::Entry& entry : records.records) cost += 2 + entry.corners.size() / 2;
    return 3 * cost <= leaf.vertex_count;
}

/// Corner blocks that many records share are kept once.
class CornerPool {
  public:
    explicit CornerPool(std::vector<float>& corners) : corners_(corners) {}

    std::uint32_t place(const std::vector<float>& block) {
        std::uint64_t hash = 1469598103934665603u + block.size();
        for (const float value : block) hash = (hash ^ std::bit_cast<std::uint32_t>(value)) * 1099511628211u;
        const auto [first, last] = places_.equal_range(hash);
        for (auto it = first; it != last; ++it) {
            if (it->second + block.size() <= corners_.size() &&
                std::equal(block.begin(), block.end(), corners_.begin() + it->second)) {
                return it->second;
            }
        }
        const auto at = static_cast<std::uint32_t>(corners_.size());
        corners_.insert(corners_.end(), block.begin(), block.end());
        places_.emplace(hash, at);
        return at;
    }

  private:
    std::vector<float>& corners_;
    std::unordered_multimap<std::uint64_t, std::uint32_t> places_;
};

}  // namespace

void add_records(SphereTree& tree) {
    std::vector<NodeRecords> found(tree.nodes.size());
    parallel_for(tree.nodes.size(), 16, [&](std::size_t i) {
        const Node& node = tree.nodes[i];
        found[i] = records_of_node(tree, node);
        if (node.leaf() && !tree.options.leaf_records && !worth_it(found[i], node)) found[i] = {};
    });
    CornerPool pool(tree.corners);
    for (std::size_t i = 0; i < found.size(); ++i) {
        Node& node = tree.nodes[i];
        node.first_record = static_cast<std::uint32_t>(tree.records.size());
        node.record_count = static_cast<std::uint32_t>(found[i].records.size());
        std::size_t balls = found[i].joint_balls.size(), corners = 0;
        for (const NodeRecords::Entry& entry : found[i].records) {
            const auto joints = tree.sets[entry.set].joint_count;
            const auto count = static_cast<std::uint32_t>(entry.corners.size()) / joints;
            tree.records.push_back({entry.ball, entry.set, pool.place(entry.corners), count});
            corners += std::max(1u, count);
        }
        tree.max_refit_balls = std::max(
            {tree.max_refit_balls, balls, corners, std::size_t{node.leaf() ? 3 * node.triangle_count : 0}});
        node.first_joint_ball = static_cast<std::uint32_t>(tree.joint_balls.size());
        node.joint_ball_count = static_cast<std::uint32_t>(balls);
        tree.joint_balls.insert(tree.joint_balls.end(), found[i].joint_balls.begin(),
                                found[i].joint_balls.end());
    }
    tree.statistics.records = tree.records.size();
}

}  // namespace sinew::collide
