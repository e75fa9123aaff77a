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
    struct Ball {
        Vec3d center = Vec3d::Zero();
        double reach = 0;  ///< of the nodes in it from the centre
        double thinnest = std::numeric_limits<double>::infinity(), thickest = 0;
        std::size_t branch = 0, first = 0, last = 0;  ///< nodes, or other balls, [first, last)
        bool leaf = true;
    };
    double radius(std::size_t branch, std::size_t node) const;
    double bound(const Ball& ball, const Vec3d& at) const;
    Ball leaf_over(std::size_t branch, std::size_t first, std::size_t last) const;
    Ball ball_over(std::size_t first, std::size_t last) const;
    void look_into(std::size_t ball, const Vec3d& at, Best& best, std::size_t& found) const;

    const BranchGraph& graph_;
    DecompositionCost kind_;
    double least_radius_;
    std::vector<Ball> balls_;
    std::vector<std::size_t> roots_;  ///< per branch; past the end for one without nodes
};

}  // namespace sinew::rig
