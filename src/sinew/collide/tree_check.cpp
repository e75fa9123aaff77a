#include "sinew/collide/tree_check.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"

namespace sinew::collide {
namespace {

class Checker {
  public:
    Checker(const SphereTree& tree, std::string_view place) : tree_(tree), place_(place) {}

    void run() const {
        check_sets();
        check_vertices();
        check_records();
        check_nodes();
    }

  private:
    void require(bool holds, std::string_view what) const {
        if (!holds) fail(place_, "the tree has {} that lead nowhere", what);
    }

    /// [first, first + count) of a list.
    static bool within(std::uint64_t first, std::uint64_t count, std::size_t size) {
        return first <= size && count <= size - first;
    }

    static bool sound(const StoredBall& ball) {
        return ball.center.allFinite() && std::isfinite(ball.radius) && ball.radius >= 0;
    }

    void check_sets() const {
        const std::size_t joints = tree_.set_joints.size();
        require(tree_.sign_parents.size() == joints && tree_.sign_order.size() == joints, "sets");
        require(tree_.joint_centers.size() == tree_.palette_size, "joints");
        require(std::isfinite(tree_.weight_slack) && tree_.weight_slack >= 0 && std::isfinite(tree_.reach) &&
                    tree_.reach >= 0,
                "bounds");
        for (const Vec3d& center : tree_.joint_centers) require(center.allFinite(), "joints");
        std::size_t most = 0;
        for (const TreeSet& set : tree_.sets) {
            require(set.joint_count > 0 && within(set.first_joint, set.joint_count, joints), "sets");
            most = std::max<std::size_t>(most, set.joint_count);
            check_signs(set);
        }
        require(tree_.max_set_joints == most, "sets");
    }

    /// Every joint of the set once, leaders before followers.
    void check_signs(const TreeSet& set) const {
        std::vector<bool> placed(set.joint_count, false);
        for (std::uint32_t k = 0; k < set.joint_count; ++k) {
            require(tree_.set_joints[set.first_joint + k] < tree_.palette_size, "sets");
            const std::uint32_t i = tree_.sign_order[set.first_joint + k];
            require(i < set.joint_count && !placed[i], "signs");
            const std::int32_t leader = tree_.sign_parents[set.first_joint + i];
            require(leader >= -1 && leader < static_cast<std::int32_t>(set.joint_count), "signs");
            require(leader < 0 || placed[static_cast<std::size_t>(leader)], "signs");
            placed[i] = true;
        }
    }

    void check_vertices() const {
        const std::size_t count = tree_.positions.size();
        require(tree_.vertex_sets.size() == count && tree_.vertex_weights.size() == count &&
                    tree_.vertex_ids.size() == count && tree_.welds.size() == count,
                "vertices");
        for (std::size_t v = 0; v < count; ++v) {
            require(tree_.positions[v].allFinite() && tree_.vertex_sets[v] < tree_.sets.size() &&
                        tree_.welds[v] < count && tree_.vertex_ids[v] < tree_.mesh_vertices,
                    "vertices");
            require(within(tree_.vertex_weights[v], tree_.sets[tree_.vertex_sets[v]].joint_count,
                           tree_.weights.size()),
                    "weights");
        }
        for (const float w : tree_.weights) require(w >= 0 && w <= 1.01f, "weights");
        require(tree_.triangles.size() == tree_.triangle_ids.size(), "triangles");
        for (std::size_t t = 0; t < tree_.triangles.size(); ++t) {
            require(std::ranges::all_of(tree_.triangles[t], [&](std::uint32_t v) { return v < count; }) &&
                        tree_.triangle_ids[t] < tree_.mesh_triangles,
                    "triangles");
        }
        require(tree_.mesh_triangles == tree_.triangles.size() && tree_.block_count <= tree_.triangles.size(),
                "triangles");
    }

    void check_records() const {
        for (const float c : tree_.corners) require(std::isfinite(c), "corners");
        for (const Record& record : tree_.records) {
            require(record.set < tree_.sets.size() && sound(record.ball), "records");
            const std::uint32_t joints = tree_.sets[record.set].joint_count;
            require(joints == 1 || record.corner_count > 0, "records");
            require(within(record.first_corner, std::uint64_t{record.corner_count} * joints,
                           tree_.corners.size()),
                    "records");
        }
        for (const JointBall& entry : tree_.joint_balls)
            require(entry.joint < tree_.palette_size && sound(entry.ball), "joints");
    }

    /// A leaf has its own vertices.
    void check_leaf(const Node& leaf) const {
        require(within(leaf.first_block, leaf.block_count(), tree_.block_count), "leaves");
        for (std::uint32_t t = 0; t < leaf.triangle_count; ++t) {
            for (const std::uint32_t v : tree_.triangles[leaf.first_triangle + t]) {
                require(v >= leaf.first_vertex && v - leaf.first_vertex < leaf.vertex_count, "leaves");
            }
        }
    }

    /// Children follow their parents and have only one; their triangles are the parent's.
    void check_nodes() const {
        std::vector<bool> reached(tree_.nodes.size(), false);
        for (std::size_t n = 0; n < tree_.nodes.size(); ++n) {
            const Node& node = tree_.nodes[n];
            require(sound(node.ball) && node.triangle_count > 0 &&
                        within(node.first_triangle, node.triangle_count, tree_.triangles.size()) &&
                        within(node.first_record, node.record_count, tree_.records.size()) &&
                        within(node.first_joint_ball, node.joint_ball_count, tree_.joint_balls.size()) &&
                        (node.child_count == 0 || node.first_child > n) &&
                        within(node.first_child, node.child_count, tree_.nodes.size()),
                    "nodes");
            require(n == 0 || reached[n], "nodes");
            require(
                node.vertex_count > 0 && within(node.first_vertex, node.vertex_count, tree_.positions.size()),
                "nodes");
            if (node.leaf()) check_leaf(node);
            std::uint64_t next = node.first_triangle;
            for (std::uint32_t c = 0; c < node.child_count; ++c) {
                const Node& child = tree_.nodes[node.first_child + c];
                require(!reached[node.first_child + c] && child.first_triangle == next, "nodes");
                reached[node.first_child + c] = true;
                next += child.triangle_count;
            }
            require(node.leaf() || next == std::uint64_t{node.first_triangle} + node.triangle_count, "nodes");
        }
        require(tree_.nodes.empty() || (tree_.nodes[0].first_triangle == 0 &&
                                        tree_.nodes[0].triangle_count == tree_.triangles.size()),
                "nodes");
    }

    const SphereTree& tree_;
    std::string_view place_;
};

}  // namespace

void check_tree(const SphereTree& tree, std::string_view place) {
    Checker(tree, place).run();
}

}  // namespace sinew::collide
