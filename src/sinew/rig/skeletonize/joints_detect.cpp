#include "sinew/rig/skeletonize/joints_detect.h"

#include <algorithm>
#include <cmath>

namespace sinew::rig {
namespace {

struct Candidate {
    Mark mark;
    double strength = 0;  ///< the larger, the earlier chosen
    double s = 0;
    double radius = 0;
};

/// Radii along a branch jitter by rounding: over a window they do not.
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
void add_necks(const BranchArc& branch, double prominence, std::vector<Candidate>& out) {
    const std::vector<double> radius = smooth_radii(branch);
    for (std::size_t i = 1; i + 1 < radius.size(); ++i) {
        const double least = radius[i];
        bool lowest = radius[i - 1] >= least && radius[i + 1] > least;
        double left = least, right = least;
        for (std::size_t k = i; lowest && k-- > 0 && radius[k] >= least;) left = std::max(left, radius[k]);
        for (std::size_t k = i + 1; lowest && k < radius.size() && radius[k] > least; ++k) {
            right = std::max(right, radius[k]);
        }
        const double gain = std::min(left, right) / least - 1;
        if (!lowest || gain < prominence) continue;
        out.push_back({{i, JointKind::neck}, gain, branch.at(i), least});
    }
}

void add_bends(const BranchArc& branch, const JointOptions& options, std::vector<Candidate>& out) {
    for (std::size_t i = 1; i + 1 < branch.size(); ++i) {
        const double radius = branch.node(i).radius;
        const double angle = bending_angle(branch, branch.at(i), options.window * radius);
        if (angle >= options.bend) continue;
        // A bend outranks any neck: it is seen, not guessed.
        out.push_back({{i, JointKind::bend}, 1000 - angle, branch.at(i), radius});
    }
}

double distance_to_bone(const Vec3d& at, const Vec3d& from, const Vec3d& to) {
    const Vec3d along = to - from;
    const double length = along.squaredNorm();
    const double t = length > 0 ? std::clamp((at - from).dot(along) / length, 0.0, 1.0) : 0;
    return (at - from - t * along).norm();
}

/// Marks the node that lies farthest off the bone between two arc lengths, and goes on on both sides of it.
void add_stray(const BranchArc& branch, double from, double to, double stray, std::vector<Mark>& out) {
    const Vec3d a = branch(from).position, b = branch(to).position;
    double worst = stray;
    std::size_t farthest = 0;
    for (std::size_t i = 0; i < branch.size(); ++i) {
        if (branch.at(i) <= from || branch.at(i) >= to) continue;
        const CurveNode& node = branch.node(i);
        const double off = distance_to_bone(node.position, a, b) / std::max(node.radius, 1e-300);
        if (off <= worst) continue;
        worst = off;
        farthest = i;
    }
    if (!(worst > stray)) return;
    add_stray(branch, from, branch.at(farthest), stray, out);
    out.push_back({farthest, JointKind::bend});
    add_stray(branch, branch.at(farthest), to, stray, out);
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

std::vector<Mark> without_stray(const BranchArc& branch, double first, double last, std::vector<Mark> marks,
                                double stray) {
    if (!(stray > 0)) return marks;
    std::vector<Mark> out;
    double from = first;
    for (const Mark& mark : marks) {
        add_stray(branch, from, branch.at(mark.index), stray, out);
        out.push_back(mark);
        from = branch.at(mark.index);
    }
    add_stray(branch, from, last, stray, out);
    return out;
}

std::vector<Mark> inner_joints(const BranchArc& branch, double first, double last,
                               const JointOptions& options) {
    std::vector<Candidate> candidates;
    add_bends(branch, options, candidates);
    if (options.necks) add_necks(branch, options.prominence, candidates);
    std::ranges::stable_sort(candidates,
                             [](const Candidate& a, const Candidate& b) { return a.strength > b.strength; });
    // What is too near to an end is no joint of its own, but it still outranks what is less around it.
    std::vector<Candidate> chosen;
    for (const Candidate& c : candidates) {
        const bool crowded = std::ranges::any_of(chosen, [&](const Candidate& other) {
            return std::abs(other.s - c.s) < options.apart * std::max(c.radius, other.radius);
        });
        if (!crowded) chosen.push_back(c);
    }
    std::ranges::sort(chosen, {}, &Candidate::s);
    std::vector<Mark> out;
    for (const Candidate& c : chosen) {
        const double margin = options.from_keys * c.radius;
        if (c.s >= first + margin && c.s <= last - margin) out.push_back(c.mark);
    }
    return out;
}

}  // namespace sinew::rig
