#pragma once
/// \file
/// How much it costs a vertex to belong to the nodes of a curve.

#include <limits>

#include "sinew/rig/skeletonize/decompose.h"

namespace sinew::rig {

/// The cheapest node of a branch, or of all: found in a tree of balls over each branch, so that few nodes are
/// looked at. Asking is thread-safe.
class BranchCosts {
  public:
    BranchCosts(const BranchGraph& graph, double diagonal, DecompositionCost kind);

    struct Best {
        double cost = std::numeric_limits<double>::infinity();
        std::size_t branch = 0, node = 0;
    };
    /// Of one branch.
    Best of_branch(const Vec3d& at, std::size_t branch) const;
    /// Of all; equal costs go to the first branch, then to the first node. `hint` is a ball to begin with, in
    /// which a vertex near by found its own; the result is the same whatever it is.
    Best of_all(const Vec3d& at, std::size_t& hint) const;
    /// Distance over radius.
    double closeness(const Vec3d& at, std::size_t branch, std::size_t node) const;

  private:
    /// The farthest at which a radius costs no more than a cost is slope * cost + offset.
    struct Reach {
        double slope = 0, offset = 0;
        bool holds(double squared_distance, double cost, double extra) const;
    };
    struct Node {
        Vec3d position;
        double radius;
        Reach reach;
        std::size_t branch, node;
    };
    struct Ball {
        Vec3d center = Vec3d::Zero();
        double extent = 0;                ///< of the nodes in it from the centre
        double thickest = 0;              ///< radius of a node
        Reach reach;                      ///< of that
        std::size_t first = 0, last = 0;  ///< nodes, or other balls, [first, last)
        bool leaf = true;
    };
    Reach reach_of(double radius) const;
    template <class Parts>
    Ball ball_over(const Parts& parts, std::size_t first, std::size_t last) const;
    bool may_hold(const Ball& ball, const Vec3d& at, double cost) const {
        return ball.reach.holds((at - ball.center).squaredNorm(), cost, ball.extent);
    }
    void look_into(std::size_t ball, const Vec3d& at, Best& best, std::size_t& found) const;

    DecompositionCost kind_;
    std::vector<Node> nodes_;  ///< of all branches
    std::vector<Ball> balls_;
    std::vector<std::size_t> first_node_, roots_;  ///< per branch; no root for one without nodes
};

}  // namespace sinew::rig
