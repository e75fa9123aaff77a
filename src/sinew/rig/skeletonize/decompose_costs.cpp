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

BranchCosts::BranchCosts(const BranchGraph& graph, double diagonal, DecompositionCost kind)
    : graph_(graph), kind_(kind), least_radius_(1e-4 * diagonal) {
    for (std::size_t b = 0; b < graph.branches.size(); ++b) {
        const std::size_t count = graph.branches[b].nodes.size();
        std::size_t first = balls_.size();
        for (std::size_t i = 0; i < count; i += nodes_of_leaf)
            balls_.push_back(leaf_over(b, i, std::min(count, i + nodes_of_leaf)));
        // Balls over balls, until one is left.
        for (std::size_t last = balls_.size(); last > first + 1; last = balls_.size()) {
            for (; first < last; first += balls_of_ball)
                balls_.push_back(ball_over(first, std::min(last, first + balls_of_ball)));
            first = last;
        }
        roots_.push_back(count > 0 ? balls_.size() - 1 : no_ball);
    }
}

double BranchCosts::radius(std::size_t branch, std::size_t node) const {
    return std::max(graph_.branches[branch].nodes[node].radius, least_radius_);
}

double BranchCosts::closeness(const Vec3d& at, std::size_t branch, std::size_t node) const {
    return (at - graph_.branches[branch].nodes[node].position).norm() / radius(branch, node);
}

BranchCosts::Ball BranchCosts::leaf_over(std::size_t branch, std::size_t first, std::size_t last) const {
    Ball ball;
    ball.branch = branch;
    ball.first = first;
    ball.last = last;
    const auto& nodes = graph_.branches[branch].nodes;
    for (std::size_t i = first; i < last; ++i) {
        ball.center += nodes[i].position / static_cast<double>(last - first);
        ball.thinnest = std::min(ball.thinnest, radius(branch, i));
        ball.thickest = std::max(ball.thickest, radius(branch, i));
    }
    for (std::size_t i = first; i < last; ++i) {
        ball.reach = std::max(ball.reach, rounding * (nodes[i].position - ball.center).norm());
    }
    return ball;
}

BranchCosts::Ball BranchCosts::ball_over(std::size_t first, std::size_t last) const {
    Ball ball;
    ball.leaf = false;
    ball.first = first;
    ball.last = last;
    for (std::size_t i = first; i < last; ++i) {
        ball.center += balls_[i].center / static_cast<double>(last - first);
        ball.thinnest = std::min(ball.thinnest, balls_[i].thinnest);
        ball.thickest = std::max(ball.thickest, balls_[i].thickest);
    }
    for (std::size_t i = first; i < last; ++i) {
        const double far = (balls_[i].center - ball.center).norm() + balls_[i].reach;
        ball.reach = std::max(ball.reach, rounding * far);
    }
    return ball;
}

/// No node in a ball costs less: none is nearer or farther than its sides.
double BranchCosts::bound(const Ball& ball, const Vec3d& at) const {
    const double distance = (at - ball.center).norm();
    const double least = std::max(0.0, distance - ball.reach), most = distance + ball.reach;
    if (kind_ == DecompositionCost::abs_diff)
        return std::max({0.0, least - ball.thickest, ball.thinnest - most});
    return cost_of(kind_, least, ball.thickest);
}

void BranchCosts::look_into(std::size_t which, const Vec3d& at, Best& best, std::size_t& found) const {
    const Ball& ball = balls_[which];
    if (!ball.leaf) {
        for (std::size_t i = ball.first; i < ball.last; ++i) {
            if (bound(balls_[i], at) <= best.cost) look_into(i, at, best, found);
        }
        return;
    }
    const auto& nodes = graph_.branches[ball.branch].nodes;
    for (std::size_t i = ball.first; i < ball.last; ++i) {
        const double cost = cost_of(kind_, (at - nodes[i].position).norm(), radius(ball.branch, i));
        if (cost > best.cost) continue;
        if (cost < best.cost || std::pair(ball.branch, i) < std::pair(best.branch, best.node)) {
            best = {cost, ball.branch, i};
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
        if (root != no_ball && bound(balls_[root], at) <= best.cost) look_into(root, at, best, hint);
    }
    return best;
}

}  // namespace sinew::rig
