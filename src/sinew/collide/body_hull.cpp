// Nodes with many influence sets are bounded joint by joint.

#include <algorithm>
#include <cmath>

#include "sinew/collide/body.h"

namespace sinew::collide {

using deform::Method;

/// What the sets of each joint give at most: those of the node where these are few, else any.
std::span<const float> Body::joint_bends(const Node& node, QueryScratch& room) {
    if (room.rough || 2 * node.record_count >= tree_->sets.size()) return joint_bends_;
    room.joint_bends.assign(tree_->palette_size, 0);
    for (const Record& record : tree_->records_of(node)) {
        const auto joints = tree_->joints_of(record.set);
        if (joints.size() < 2) continue;
        const float most = bend_of(record.set).most;
        for (const std::uint32_t joint : joints)
            room.joint_bends[joint] = std::max(room.joint_bends[joint], most);
    }
    return room.joint_bends;
}

/// Every vertex is a blend of its images under its joints, and those lie in the joints' balls. Linear: in
/// their hull; other blends are no farther from there than the edges of their sets say (edge_pose.cpp).
Ball Body::joint_hull(const Node& node, QueryScratch& room) {
    if (method_ != Method::lbs) prepare_edges();
    const bool bend = method_ != Method::lbs && edges_bound_;
    const std::span<const float> bends = bend ? joint_bends(node, room) : std::span<const float>();
    room.points.clear();
    room.reaches.clear();
    for (const JointBall& entry : tree_->joint_balls_of(node)) {
        const Joint& joint = joints_[entry.joint];
        double radius = joint.stretch * static_cast<double>(entry.ball.radius) + joint.bend;
        if (bend) radius += static_cast<double>(bends[entry.joint]);
        room.reaches.push_back(
            {static_cast<std::uint32_t>(room.points.size()), 1, static_cast<float>(radius * (1 + 1e-7))});
        room.points.push_back(stored4(image(columns_[entry.joint].at, center_of(entry.ball))));
    }
    const Float4 center = middle_of(room.reaches, room.points);
    Ball hull = ball_about(center, radius_about(center, room.reaches, room.points)).widen();
    if (method_ != Method::lbs && !bend) return hull_by_sets(node, hull);
    hull.radius += linear_slack(tree_->max_set_joints);
    return hull;
}

/// Dual quaternions: no farther from any point h than max |y_i - h| / <q_i, s> (the quotient lemma with
/// E_i = y_i q_i); spherical: the same with the spread of the moved centre added.
Ball Body::hull_by_sets(const Node& node, const Ball& hull) {
    double least = 1, spread = 0, centers = 0;
    for (const Record& record : tree_->records_of(node)) {
        if (tree_->sets[record.set].joint_count == 1) continue;
        prepare_exact(record.set);
        least = std::min(least, sets_[record.set].least);
        if (method_ != Method::sbs) continue;
        const Center center = rest_center(record.set);
        spread = std::max(spread, sets_[record.set].spread + static_cast<double>(center.gap));
        centers = std::max(centers, static_cast<double>(center.size2));
    }
    if (!(least >= least_blend)) return unbounded();
    const double slack = dual_slack(tree_->max_set_joints, least, 2 * std::sqrt(centers));
    return {hull.center, (hull.radius + spread) / least * (1 + 1e-9) + slack};
}

}  // namespace sinew::collide
