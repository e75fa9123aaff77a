#include "sinew/rig/skeletonize/joints.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/rig/skeletonize/joints_detect.h"

namespace sinew::rig {
namespace {

/// Joints without a direction yet, and the links between them.
struct JointGraph {
    std::vector<PlacedJoint> joints;
    std::vector<std::array<int, 2>> links;

    int add(const PlacedJoint& joint) {
        joints.push_back(joint);
        return static_cast<int>(joints.size()) - 1;
    }
    void link(int a, int b) {
        if (a != b) links.push_back({a, b});
    }
};

class Placer {
  public:
    Placer(const CurveSkeleton& curve, const JointOptions& options)
        : curve_(curve), options_(options), degrees_(degrees(curve)), branches_(branches(curve)) {
        centers_.assign(curve.nodes.size(), -1);
        near_.assign(curve.nodes.size(), -1);
    }

    JointGraph run() {
        for (std::size_t n = 0; n < curve_.nodes.size(); ++n) {
            if (degrees_[n] >= 3 && merges(static_cast<int>(n))) {
                centers_[n] = out_.add(joint_at(static_cast<int>(n), -1, 0, JointKind::key));
            }
            if (degrees_[n] == 0) out_.add(joint_at(static_cast<int>(n), -1, 0, JointKind::key));
        }
        ends_.resize(branches_.size());
        for (std::size_t b = 0; b < branches_.size(); ++b) place_on(b);
        link_junctions();
        return std::move(out_);
    }

  private:
    PlacedJoint joint_at(int node, int branch, double at, JointKind kind) const {
        const CurveNode& n = curve_.nodes[static_cast<std::size_t>(node)];
        return {n.position, n.radius, kind, node, branch, at, -1, 0};
    }

    bool merges(int node) const {
        if (options_.junctions == JunctionJoints::merged) return true;
        if (options_.junctions == JunctionJoints::separate) return false;
        return degrees_[index(node)] == 3 && inside(node);
    }
    bool inside(int node) const {
        return !options_.inside || options_.inside(curve_.nodes[index(node)].position);
    }

    /// Whether the first joint of a branch lies so near to the middle of its junction that it is there.
    bool at_middle(int junction, int first) const {
        const CurveNode &middle = curve_.nodes[index(junction)], &node = curve_.nodes[index(first)];
        return options_.junctions == JunctionJoints::automatic && inside(junction) &&
               (node.position - middle.position).norm() < options_.merge * middle.radius;
    }

    /// The joint of a branch at its end: the end itself, or at a junction that does not merge its first node.
    int key_joint(std::size_t b, bool back, double& at) {
        const CurveBranch& branch = branches_[b];
        const std::size_t count = branch.nodes.size();
        const int node = back ? branch.nodes.back() : branch.nodes.front();
        const BranchArc arc(curve_, branch.nodes);
        at = back ? arc.length() : 0;
        if (centers_[static_cast<std::size_t>(node)] >= 0) return centers_[static_cast<std::size_t>(node)];
        if (degrees_[static_cast<std::size_t>(node)] < 3) {
            return out_.add(joint_at(node, static_cast<int>(b), at, JointKind::key));
        }
        const std::size_t next = back ? count - 2 : 1;
        if (at_middle(node, branch.nodes[next])) {
            int& shared = near_[index(node)];
            if (shared < 0) shared = out_.add(joint_at(node, -1, 0, JointKind::key));
            return shared;
        }
        at = arc.at(next);
        return out_.add(joint_at(branch.nodes[next], static_cast<int>(b), at, JointKind::key));
    }

    void place_on(std::size_t b) {
        const CurveBranch& branch = branches_[b];
        const BranchArc arc(curve_, branch.nodes);
        double first = 0, last = 0;
        const int start = key_joint(b, false, first);
        ends_[b][0] = start;
        // A ring comes back to where it started; a link of two nodes between junctions is one joint.
        const bool ring = branch.nodes.front() == branch.nodes.back();
        const bool short_link = branch.nodes.size() <= 3 && centers_[index(branch.nodes.front())] < 0 &&
                                centers_[index(branch.nodes.back())] < 0 &&
                                degrees_[index(branch.nodes.front())] >= 3 &&
                                degrees_[index(branch.nodes.back())] >= 3;
        const int end = short_link ? start : key_joint(b, true, last);
        ends_[b][1] = end;
        if (short_link) return;
        std::vector<PlacedJoint> inner;
        for (const Mark& mark :
             without_stray(arc, first, last, inner_joints(arc, first, last, options_), options_.stray)) {
            inner.push_back(
                joint_at(branch.nodes[mark.index], static_cast<int>(b), arc.at(mark.index), mark.kind));
        }
        divide(arc, static_cast<int>(b), branch, first, last, inner);
        int previous = start;
        for (const PlacedJoint& joint : inner) {
            const int next = out_.add(joint);
            out_.link(previous, next);
            previous = next;
        }
        // A ring stays open between its last joint and its first: skeletons are trees.
        if (!ring) out_.link(previous, end);
    }

    /// Bones that are longer than allowed get joints at even distances along the curve.
    void divide(const BranchArc& arc, int b, const CurveBranch& branch, double first, double last,
                std::vector<PlacedJoint>& inner) const {
        if (!(options_.longest > 0)) return;
        std::vector<PlacedJoint> out;
        double from = first;
        for (std::size_t i = 0; i <= inner.size(); ++i) {
            const double to = i < inner.size() ? inner[i].at : last;
            const int parts = static_cast<int>(std::ceil((to - from) / options_.longest - 1e-9));
            for (int k = 1; k < parts; ++k) {
                const double s = from + (to - from) * k / parts;
                const CurveNode place = arc(s);
                std::size_t node = 0;
                while (node + 1 < arc.size() && arc.at(node) < s) ++node;
                out.push_back(
                    {place.position, place.radius, JointKind::length, branch.nodes[node], b, s, -1, 0});
            }
            if (i < inner.size()) out.push_back(inner[i]);
            from = to;
        }
        inner = std::move(out);
    }

    static std::size_t index(int i) { return static_cast<std::size_t>(i); }

    /// Where the joints of a junction did not merge, all are linked to the one in its middle, or to that of
    /// the widest branch.
    void link_junctions() {
        for (std::size_t n = 0; n < curve_.nodes.size(); ++n) {
            if (degrees_[n] < 3 || centers_[n] >= 0) continue;
            std::vector<int> around;
            for (std::size_t b = 0; b < branches_.size(); ++b) {
                if (branches_[b].nodes.front() == static_cast<int>(n)) around.push_back(ends_[b][0]);
                if (branches_[b].nodes.back() == static_cast<int>(n)) around.push_back(ends_[b][1]);
            }
            std::ranges::sort(around);
            around.erase(std::unique(around.begin(), around.end()), around.end());
            if (around.empty()) continue;
            const int widest =
                *std::ranges::max_element(around, {}, [&](int j) { return out_.joints[index(j)].radius; });
            for (const int j : around) out_.link(near_[n] >= 0 ? near_[n] : widest, j);
        }
    }

    const CurveSkeleton& curve_;
    const JointOptions& options_;
    std::vector<int> degrees_;
    std::vector<CurveBranch> branches_;
    std::vector<int> centers_;  ///< merged joint of each node, or -1
    std::vector<int> near_;     ///< the same of junctions that do not merge wholly
    std::vector<std::array<int, 2>> ends_;
    JointGraph out_;
};

struct Extent {
    Vec3d centroid;
    double diagonal = 0;
};

/// Of the body when known; otherwise of the curve, whose nodes weigh as much as the balls around them.
Extent extent_of(const CurveSkeleton& curve, const JointOptions& options) {
    Extent out{options.centroid, options.diagonal};
    Vec3d sum = Vec3d::Zero(), low = curve.nodes.front().position, high = low;
    double total = 0;
    for (const CurveNode& node : curve.nodes) {
        const double weight = node.radius * node.radius;
        sum += weight * node.position;
        total += weight;
        low = low.cwiseMin(node.position);
        high = high.cwiseMax(node.position);
    }
    if (!out.centroid.allFinite()) out.centroid = total > 0 ? Vec3d(sum / total) : Vec3d((low + high) / 2);
    if (!(out.diagonal > 0)) out.diagonal = std::max((high - low).norm(), 1e-300);
    return out;
}

/// The junction nearest to the middle, thick ones first (after Wade and Parent 2002): the smallest
/// |J - c| / L + (1 - l / l_max) / 2; without junctions the joint nearest to the middle. Of equals the lower.
int choose_root(const JointGraph& graph, const std::vector<int>& members, const Extent& extent) {
    double widest = 0;
    bool junctions = false;
    for (const int j : members) {
        const PlacedJoint& joint = graph.joints[static_cast<std::size_t>(j)];
        widest = std::max(widest, joint.radius);
        junctions = junctions || joint.degree >= 3;
    }
    int best = members.front();
    double least = std::numeric_limits<double>::infinity();
    for (const int j : members) {
        const PlacedJoint& joint = graph.joints[static_cast<std::size_t>(j)];
        if (junctions && joint.degree < 3) continue;
        double score = (joint.position - extent.centroid).norm() / extent.diagonal;
        if (junctions && widest > 0) score += 0.5 * (1 - joint.radius / widest);
        const double height = graph.joints[static_cast<std::size_t>(best)].position.y();
        if (score < least - 1e-9 || (score < least + 1e-9 && joint.position.y() < height)) {
            least = score;
            best = j;
        }
    }
    return best;
}

/// Breadth first from a root; the joints of a tree in that order, with their parents.
void orient(const JointGraph& graph, const std::vector<std::vector<int>>& neighbors, int root,
            std::vector<int>& place, std::vector<PlacedJoint>& out) {
    std::vector<int> queue{root};
    place[static_cast<std::size_t>(root)] = static_cast<int>(out.size());
    out.push_back(graph.joints[static_cast<std::size_t>(root)]);
    for (std::size_t i = 0; i < queue.size(); ++i) {
        for (const int next : neighbors[static_cast<std::size_t>(queue[i])]) {
            if (place[static_cast<std::size_t>(next)] >= 0) continue;
            place[static_cast<std::size_t>(next)] = static_cast<int>(out.size());
            out.push_back(graph.joints[static_cast<std::size_t>(next)]);
            out.back().parent = place[static_cast<std::size_t>(queue[i])];
            queue.push_back(next);
        }
    }
}

std::vector<std::vector<int>> neighbors_of(std::size_t count, const std::vector<std::array<int, 2>>& links) {
    std::vector<std::vector<int>> out(count);
    for (const auto& [a, b] : links) {
        out[static_cast<std::size_t>(a)].push_back(b);
        out[static_cast<std::size_t>(b)].push_back(a);
    }
    for (auto& row : out) {
        std::ranges::sort(row);
        row.erase(std::unique(row.begin(), row.end()), row.end());
    }
    return out;
}

}  // namespace

JointSet place_joints(const CurveSkeleton& curve, const JointOptions& options) {
    if (curve.empty()) fail("", "joints need a curve with at least one node");
    JointGraph graph = Placer(curve, options).run();
    const auto neighbors = neighbors_of(graph.joints.size(), graph.links);
    for (std::size_t j = 0; j < neighbors.size(); ++j) {
        graph.joints[j].degree = static_cast<int>(neighbors[j].size());
    }
    const Extent extent = extent_of(curve, options);
    JointSet out;
    std::vector<int> place(graph.joints.size(), -1);
    for (std::size_t j = 0; j < graph.joints.size(); ++j) {
        if (place[j] >= 0) continue;
        std::vector<int> members{static_cast<int>(j)};
        std::vector<char> seen(graph.joints.size(), 0);
        seen[j] = 1;
        for (std::size_t i = 0; i < members.size(); ++i) {
            for (const int next : neighbors[static_cast<std::size_t>(members[i])]) {
                if (seen[static_cast<std::size_t>(next)] == 0) members.push_back(next);
                seen[static_cast<std::size_t>(next)] = 1;
            }
        }
        std::ranges::sort(members);
        int root = choose_root(graph, members, extent);
        for (const int m : members) {
            if (options.root && graph.joints[static_cast<std::size_t>(m)].node == *options.root) root = m;
        }
        orient(graph, neighbors, root, place, out.joints);
    }
    for (const PlacedJoint& joint : out.joints) {
        (joint.kind == JointKind::key ? out.key_joints : out.inner_joints) += 1;
    }
    return out;
}

JointSet rerooted(const JointSet& joints, int root) {
    JointGraph graph;
    graph.joints = joints.joints;
    for (std::size_t j = 0; j < joints.joints.size(); ++j) {
        graph.joints[j].parent = -1;
        if (joints.joints[j].parent >= 0) graph.link(joints.joints[j].parent, static_cast<int>(j));
    }
    const auto neighbors = neighbors_of(graph.joints.size(), graph.links);
    JointSet out = joints;
    out.joints.clear();
    std::vector<int> place(graph.joints.size(), -1);
    orient(graph, neighbors, root, place, out.joints);
    // Other pieces keep the roots they had.
    for (std::size_t j = 0; j < graph.joints.size(); ++j) {
        if (place[j] < 0) orient(graph, neighbors, static_cast<int>(j), place, out.joints);
    }
    return out;
}

model::Skeleton skeleton_of(const JointSet& joints) {
    model::Skeleton out;
    std::vector<int> branch_number, count;
    std::vector<int> next_child(joints.joints.size(), 0);
    int branches_named = 0;
    for (const PlacedJoint& joint : joints.joints) {
        int number = 0, place = 0;
        const auto parent = static_cast<std::size_t>(joint.parent);
        // The first child goes on with its parent's branch unless that forks.
        const bool goes_on = joint.parent >= 0 && joints.joints[parent].degree <= 2;
        if (goes_on) {
            number = branch_number[parent];
            place = count[parent] + 1;
        } else {
            number = branches_named++;
        }
        branch_number.push_back(number);
        count.push_back(place);
        model::Joint made;
        made.name = fmt::format("branch{:02}_j{:02}", number, place);
        made.parent = joint.parent;
        made.rest.translation = joint.position;
        if (joint.parent >= 0) made.rest.translation -= joints.joints[parent].position;
        out.joints.push_back(std::move(made));
    }
    model::make_names_unique(out);
    return out;
}

model::Skeleton skeleton_of(const CurveSkeleton& curve, const JointOptions& options) {
    return skeleton_of(place_joints(curve, options));
}

}  // namespace sinew::rig
