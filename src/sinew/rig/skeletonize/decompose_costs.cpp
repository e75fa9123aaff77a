#include "sinew/rig/skeletonize/decompose_costs.h"

#include <algorithm>
#include <cmath>

namespace sinew::rig {
namespace {

constexpr std::size_t nodes_of_leaf = 4, balls_of_ball = 4;
constexpr std::size_t no_ball = std::numeric_limits<std::size_t>::max();
constexpr double rounding = 1 + 1e-12;  // must not hide a node

double cost_of(DecompositionCost kind, double distance, double radius) {
    switch (kind) {
        case DecompositionCost::abs_diff:
            return std::abs(distance - radius);
        case DecompositionCost::signed_diff:
            return distance - radius;
        case DecompositionCost::ratio:
            return distance / radius;
        case DecompositionCost::nearest:
            return distance;
    }
    return distance;
}

}  // namespace

bool BranchCosts::Reach::holds(double squared_distance, double cost, double extra) const {
    const double most = slope * cost + offset + extra;
    return most >= 0 && squared_distance <= most * most * rounding;
}

BranchCosts::Reach BranchCosts::reach_of(double radius) const {
    switch (kind_) {
        case DecompositionCost::abs_diff:
        case DecompositionCost::signed_diff:
            return {1, radius};
        case DecompositionCost::ratio:
            return {radius, 0};
        case DecompositionCost::nearest:
            return {1, 0};
    }
    return {1, 0};
}

BranchCosts::BranchCosts(const BranchGraph& graph, double diagonal, DecompositionCost kind) : kind_(kind) {
    for (std::size_t b = 0; b < graph.branches.size(); ++b) {
        first_node_.push_back(nodes_.size());
        for (std::size_t n = 0; n < graph.branches[b].nodes.size(); ++n) {
            const CurveNode& node = graph.branches[b].nodes[n];
            const double radius = std::max(node.radius, 1e-4 * diagonal);
            nodes_.push_back({node.position, radius, reach_of(radius), b, n});
        }
        std::size_t first = balls_.size();
        for (std::size_t i = first_node_[b]; i < nodes_.size(); i += nodes_of_leaf)
            balls_.push_back(ball_over(nodes_, i, std::min(nodes_.size(), i + nodes_of_leaf)));
        // Balls over balls, until one is left.
        for (std::size_t last = balls_.size(); last > first + 1; last = balls_.size()) {
            for (; first < last; first += balls_of_ball)
                balls_.push_back(ball_over(balls_, first, std::min(last, first + balls_of_ball)));
            first = last;
        }
        roots_.push_back(nodes_.size() > first_node_[b] ? balls_.size() - 1 : no_ball);
    }
}

double BranchCosts::closeness(const Vec3d& at, std::size_t branch, std::size_t node) const {
    const Node& n = nodes_[first_node_[branch] + node];
    return (at - n.position).norm() / n.radius;
}

/// Around nodes, or around balls.
template <class Parts>
BranchCosts::Ball BranchCosts::ball_over(const Parts& parts, std::size_t first, std::size_t last) const {
    const auto ball_of = [](const auto& part) {
        if constexpr (std::is_same_v<std::decay_t<decltype(part)>, Node>)
            return Ball{part.position, 0, part.radius, {}, 0, 0, true};
        else
            return part;
    };
    Ball ball;
    ball.leaf = std::is_same_v<Parts, std::vector<Node>>;
    ball.first = first;
    ball.last = last;
    for (std::size_t i = first; i < last; ++i) {
        const Ball part = ball_of(parts[i]);
        ball.center += part.center / static_cast<double>(last - first);
        ball.thickest = std::max(ball.thickest, part.thickest);
    }
    for (std::size_t i = first; i < last; ++i) {
        const Ball part = ball_of(parts[i]);
        ball.extent = std::max(ball.extent, rounding * ((part.center - ball.center).norm() + part.extent));
    }
    ball.reach = reach_of(ball.thickest);
    return ball;
}

void BranchCosts::look_into(std::size_t which, const Vec3d& at, Best& best, std::size_t& found) const {
    const Ball& ball = balls_[which];
    if (!ball.leaf) {
        for (std::size_t i = ball.first; i < ball.last; ++i) {
            if (may_hold(balls_[i], at, best.cost)) look_into(i, at, best, found);
        }
        return;
    }
    for (std::size_t i = ball.first; i < ball.last; ++i) {
        const Node& node = nodes_[i];
        // Most are told apart without a root.
        const double squared = (at - node.position).squaredNorm();
        if (!node.reach.holds(squared, best.cost, 0)) continue;
        const double cost = cost_of(kind_, std::sqrt(squared), node.radius);
        if (cost > best.cost) continue;
        if (cost < best.cost || std::pair(node.branch, node.node) < std::pair(best.branch, best.node)) {
            best = {cost, node.branch, node.node};
            found = which;
        }
    }
}

BranchCosts::Best BranchCosts::of_branch(const Vec3d& at, std::size_t branch) const {
    Best best;
    std::size_t found = 0;
    if (roots_[branch] != no_ball) look_into(roots_[branch], at, best, found);
    return best;
}

BranchCosts::Best BranchCosts::of_all(const Vec3d& at, std::size_t& hint) const {
    Best best;
    if (balls_.empty()) return best;
    look_into(hint, at, best, hint);
    for (const std::size_t root : roots_) {
        if (root != no_ball && may_hold(balls_[root], at, best.cost)) look_into(root, at, best, hint);
    }
    return best;
}

}  // namespace sinew::rig
