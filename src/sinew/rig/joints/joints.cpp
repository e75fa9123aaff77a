// SPDX-License-Identifier: MIT
#include "sinew/rig/joints/joints.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"

namespace sinew::rig {

namespace {

// Lengths in radii of the curve.
constexpr double bend_window = 1;    // to each side, over which a bend is measured
constexpr double bends_apart = 1.5;  // between two bends; of nearer ones the sharper is used
constexpr double from_keys = 0.75;   // between a bend or neck and the end of its branch
constexpr double neck_prominence =
    0.08;                        // how much thicker both sides of a neck are, as a fraction of its radius
constexpr double max_stray = 1;  // maximum distance of a curve from its bone before a joint is added
constexpr double slender = 10;   // of a bone: longer limbs bend between their ends, as a snake does
constexpr int max_parts = 32;    // of a branch by its radius: enough for a wire
constexpr double merge_radius = 0.5;  // of the junction within which its joints merge

struct Candidate {
    Mark mark;
    double strength = 0;  ///< larger is chosen earlier
    double s = 0;
    double radius = 0;
};

/// Radii along a branch vary by rounding; minima over a window are stable.
std::vector<double> smooth_radii(const BranchArc& branch) {
    std::vector<double> out(branch.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        const double reach = branch.node(i).radius / 2;
        double sum = 0;
        int count = 0;
        for (std::size_t k = i; k < out.size() && branch.at(k) - branch.at(i) <= reach; ++k, ++count) {
            sum += branch.node(k).radius;
        }
        for (std::size_t k = i; k-- > 0 && branch.at(i) - branch.at(k) <= reach; ++count) {
            sum += branch.node(k).radius;
        }
        out[i] = sum / count;
    }
    return out;
}

/// Local minima that are thinner than both sides by the prominence.
void add_necks(const BranchArc& branch, std::vector<Candidate>& out) {
    const std::vector<double> radius = smooth_radii(branch);
    for (std::size_t i = 1; i + 1 < radius.size(); ++i) {
        const double min = radius[i];
        bool lowest = radius[i - 1] >= min && radius[i + 1] > min;
        double left = min, right = min;
        for (std::size_t k = i; lowest && k-- > 0 && radius[k] >= min;) left = std::max(left, radius[k]);
        for (std::size_t k = i + 1; lowest && k < radius.size() && radius[k] > min; ++k) {
            right = std::max(right, radius[k]);
        }
        const double gain = std::min(left, right) / min - 1;
        if (!lowest || gain < neck_prominence) continue;
        out.push_back({{i, JointKind::neck}, gain, branch.at(i), min});
    }
}

void add_bends(const BranchArc& branch, double bend, std::vector<Candidate>& out) {
    for (std::size_t i = 1; i + 1 < branch.size(); ++i) {
        const double radius = branch.node(i).radius;
        const double angle = bending_angle(branch, branch.at(i), bend_window * radius);
        if (angle >= bend) continue;
        // A bend has priority over any neck: it is observed, not estimated.
        out.push_back({{i, JointKind::bend}, 1000 - angle, branch.at(i), radius});
    }
}

double distance_to_bone(const Vec3d& at, const Vec3d& from, const Vec3d& to) {
    const Vec3d along = to - from;
    const double length = along.squaredNorm();
    const double t = length > 0 ? std::clamp((at - from).dot(along) / length, 0.0, 1.0) : 0;
    return (at - from - t * along).norm();
}

/// Marks the node that is farthest from the bone between two arc lengths, and continues on both sides of it.
void add_stray(const BranchArc& branch, double from, double to, std::vector<Mark>& out) {
    const Vec3d a = branch(from).position, b = branch(to).position;
    double worst = max_stray;
    std::size_t farthest = 0;
    for (std::size_t i = 0; i < branch.size(); ++i) {
        if (branch.at(i) <= from || branch.at(i) >= to) continue;
        const CurveNode& node = branch.node(i);
        const double off = distance_to_bone(node.position, a, b) / std::max(node.radius, 1e-300);
        if (off <= worst) continue;
        worst = off;
        farthest = i;
    }
    if (!(worst > max_stray)) return;
    add_stray(branch, from, branch.at(farthest), out);
    out.push_back({farthest, JointKind::bend});
    add_stray(branch, branch.at(farthest), to, out);
}

}  // namespace

BranchArc::BranchArc(const CurveSkeleton& curve, const std::vector<int>& nodes) {
    for (const int n : nodes) {
        nodes_.push_back(curve.nodes[static_cast<std::size_t>(n)]);
        const std::size_t i = nodes_.size() - 1;
        at_.push_back(i == 0 ? 0 : at_[i - 1] + (nodes_[i].position - nodes_[i - 1].position).norm());
    }
}

CurveNode BranchArc::operator()(double s) const {
    s = std::clamp(s, 0.0, length());
    auto after = static_cast<std::size_t>(std::upper_bound(at_.begin(), at_.end(), s) - at_.begin());
    after = std::clamp<std::size_t>(after, 1, std::max<std::size_t>(1, at_.size() - 1));
    if (at_.size() < 2) return nodes_.front();
    const double span = at_[after] - at_[after - 1];
    const double t = span > 0 ? (s - at_[after - 1]) / span : 0;
    const CurveNode &a = nodes_[after - 1], &b = nodes_[after];
    return {a.position + t * (b.position - a.position), a.radius + t * (b.radius - a.radius)};
}

double bending_angle(const BranchArc& branch, double s, double window) {
    if (s < window / 2 || branch.length() - s < window / 2) return 180;
    const Vec3d at = branch(s).position;
    const Vec3d back = branch(s - window).position - at, on = branch(s + window).position - at;
    const double size = back.norm() * on.norm();
    if (!(size > 0)) return 180;
    return math::degrees(std::acos(std::clamp(back.dot(on) / size, -1.0, 1.0)));
}

std::vector<Mark> without_stray(const BranchArc& branch, double first, double last, std::vector<Mark> marks) {
    std::vector<Mark> out;
    double from = first;
    for (const Mark& mark : marks) {
        add_stray(branch, from, branch.at(mark.index), out);
        out.push_back(mark);
        from = branch.at(mark.index);
    }
    add_stray(branch, from, last, out);
    return out;
}

std::vector<Mark> inner_joints(const BranchArc& branch, double first, double last, double bend) {
    std::vector<Candidate> candidates;
    add_bends(branch, bend, candidates);
    add_necks(branch, candidates);
    std::ranges::stable_sort(candidates,
                             [](const Candidate& a, const Candidate& b) { return a.strength > b.strength; });
    // A mark too near to an end is not a separate joint, but it still suppresses weaker marks around it.
    std::vector<Candidate> chosen;
    for (const Candidate& c : candidates) {
        const bool crowded = std::ranges::any_of(chosen, [&](const Candidate& other) {
            return std::abs(other.s - c.s) < bends_apart * std::max(c.radius, other.radius);
        });
        if (!crowded) chosen.push_back(c);
    }
    std::ranges::sort(chosen, {}, &Candidate::s);
    std::vector<Mark> out;
    for (const Candidate& c : chosen) {
        const double margin = from_keys * c.radius;
        if (c.s >= first + margin && c.s <= last - margin) out.push_back(c.mark);
    }
    return out;
}

namespace {

/// Joints in a graph without direction, and the links between them.
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
    Placer(const CurveSkeleton& curve, const JointOptions& options, const JointBody& body)
        : curve_(curve),
          options_(options),
          body_(body),
          degrees_(degrees(curve)),
          branches_(branches(curve)) {
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
        for (std::size_t b = 0; b < branches_.size(); ++b) add_joints_on(b);
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
    bool inside(int node) const { return !body_.inside || body_.inside(curve_.nodes[index(node)].position); }

    /// Whether the first joint of a branch is so near to the middle of its junction that it merges with it.
    bool at_middle(int junction, int first) const {
        const CurveNode &middle = curve_.nodes[index(junction)], &node = curve_.nodes[index(first)];
        return options_.junctions == JunctionJoints::automatic && inside(junction) &&
               (node.position - middle.position).norm() < merge_radius * middle.radius;
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

    void add_joints_on(std::size_t b) {
        const CurveBranch& branch = branches_[b];
        const BranchArc arc(curve_, branch.nodes);
        double first = 0, last = 0;
        const int start = key_joint(b, false, first);
        ends_[b][0] = start;
        // A ring ends where it started; a link of two nodes between junctions is one joint.
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
             without_stray(arc, first, last, inner_joints(arc, first, last, options_.bend))) {
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
        std::vector<PlacedJoint> out;
        double from = first;
        for (std::size_t i = 0; i <= inner.size(); ++i) {
            const double to = i < inner.size() ? inner[i].at : last;
            const int parts =
                to > from ? static_cast<int>(std::ceil((to - from) / longest(arc, from, to) - 1e-9)) : 1;
            for (int k = 1; k < parts; ++k) {
                const double s = from + (to - from) * k / parts;
                const CurveNode position = arc(s);
                std::size_t node = 0;
                while (node + 1 < arc.size() && arc.at(node) < s) ++node;
                out.push_back(
                    {position.position, position.radius, JointKind::length, branch.nodes[node], b, s, -1, 0});
            }
            if (i < inner.size()) out.push_back(inner[i]);
            from = to;
        }
        inner = std::move(out);
    }

    /// Of a bone between two arc lengths.
    double longest(const BranchArc& arc, double from, double to) const {
        if (options_.longest > 0) return options_.longest;
        constexpr int samples = 8;
        double sum = 0;
        for (int k = 0; k <= samples; ++k) sum += arc(from + (to - from) * k / samples).radius;
        return std::max(slender * sum / (samples + 1), arc.length() / max_parts);
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
    const JointBody& body_;
    std::vector<int> degrees_;
    std::vector<CurveBranch> branches_;
    std::vector<int> centers_;  ///< merged joint of each node, or -1
    std::vector<int> near_;     ///< the same for junctions that do not merge completely
    std::vector<std::array<int, 2>> ends_;
    JointGraph out_;
};

/// Of the body when known; otherwise of the curve, with nodes weighted by the volume of their spheres.
JointBody extent_of(const CurveSkeleton& curve, const JointBody& body) {
    JointBody out = body;
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
int choose_root(const JointGraph& graph, const std::vector<int>& members, const JointBody& extent) {
    double widest = 0;
    bool junctions = false;
    for (const int j : members) {
        const PlacedJoint& joint = graph.joints[static_cast<std::size_t>(j)];
        widest = std::max(widest, joint.radius);
        junctions = junctions || joint.degree >= 3;
    }
    int best = members.front();
    double min = std::numeric_limits<double>::infinity();
    for (const int j : members) {
        const PlacedJoint& joint = graph.joints[static_cast<std::size_t>(j)];
        if (junctions && joint.degree < 3) continue;
        double score = (joint.position - extent.centroid).norm() / extent.diagonal;
        if (junctions && widest > 0) score += 0.5 * (1 - joint.radius / widest);
        const double height = graph.joints[static_cast<std::size_t>(best)].position.y();
        if (score < min - 1e-9 || (score < min + 1e-9 && joint.position.y() < height)) {
            min = score;
            best = j;
        }
    }
    return best;
}

/// Breadth first from a root; the joints of a tree in that order, with their parents.
void orient(const JointGraph& graph, const std::vector<std::vector<int>>& neighbors, int root,
            std::vector<int>& position, std::vector<PlacedJoint>& out) {
    std::vector<int> queue{root};
    position[static_cast<std::size_t>(root)] = static_cast<int>(out.size());
    out.push_back(graph.joints[static_cast<std::size_t>(root)]);
    for (std::size_t i = 0; i < queue.size(); ++i) {
        for (const int next : neighbors[static_cast<std::size_t>(queue[i])]) {
            if (position[static_cast<std::size_t>(next)] >= 0) continue;
            position[static_cast<std::size_t>(next)] = static_cast<int>(out.size());
            out.push_back(graph.joints[static_cast<std::size_t>(next)]);
            out.back().parent = position[static_cast<std::size_t>(queue[i])];
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

JointSet place_joints(const CurveSkeleton& curve, const JointOptions& options, const JointBody& body) {
    if (curve.empty()) fail("", "joints need a curve with at least one node");
    JointGraph graph = Placer(curve, options, body).run();
    const auto neighbors = neighbors_of(graph.joints.size(), graph.links);
    for (std::size_t j = 0; j < neighbors.size(); ++j) {
        graph.joints[j].degree = static_cast<int>(neighbors[j].size());
    }
    const JointBody extent = extent_of(curve, body);
    JointSet out;
    std::vector<int> position(graph.joints.size(), -1);
    for (std::size_t j = 0; j < graph.joints.size(); ++j) {
        if (position[j] >= 0) continue;
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
        orient(graph, neighbors, choose_root(graph, members, extent), position, out.joints);
    }
    for (const PlacedJoint& joint : out.joints) {
        (joint.kind == JointKind::key ? out.key_joints : out.inner_joints) += 1;
    }
    return out;
}

model::Skeleton skeleton_of(const JointSet& joints) {
    model::Skeleton out;
    std::vector<int> branch_number, count;
    std::vector<int> next_child(joints.joints.size(), 0);
    int branches_named = 0;
    for (const PlacedJoint& joint : joints.joints) {
        int number = 0, position = 0;
        const auto parent = static_cast<std::size_t>(joint.parent);
        // The first child continues the branch of its parent unless that forks.
        const bool goes_on = joint.parent >= 0 && joints.joints[parent].degree <= 2;
        if (goes_on) {
            number = branch_number[parent];
            position = count[parent] + 1;
        } else {
            number = branches_named++;
        }
        branch_number.push_back(number);
        count.push_back(position);
        model::Joint made;
        made.name = fmt::format("branch{:02}_j{:02}", number, position);
        made.parent = joint.parent;
        made.rest.translation = joint.position;
        if (joint.parent >= 0) made.rest.translation -= joints.joints[parent].position;
        out.joints.push_back(std::move(made));
    }
    model::make_names_unique(out);
    return out;
}

model::Skeleton skeleton_of(const CurveSkeleton& curve, const JointOptions& options, const JointBody& body) {
    return skeleton_of(place_joints(curve, options, body));
}

}  // namespace sinew::rig
