// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Which branch of a curve each vertex of the surface belongs to (Xie 2009, 3.4).

#include <limits>

#include "sinew/rig/silhouette/medial.h"

namespace sinew::rig {

struct Decomposition {
    std::vector<int> branch;         ///< per vertex of the mesh; -1 where no triangle uses it
    std::vector<std::int32_t> node;  ///< in the numbering of curve_of
    std::vector<double> closeness;   ///< d / l of that node
};

/// A vertex whose branch is known from the start.
struct Seed {
    std::uint32_t vertex = 0;
    int branch = -1;
    bool operator==(const Seed&) const = default;
};

/// Every vertex of the outline and the branch whose triangles it touches. The circles of the axis hold no
/// point of the outline, so that it is the one whose circle is nearest to the vertex: d / l is smallest.
std::vector<Seed> silhouette_seeds(const MedialGraph& graph, const Silhouette& silhouette,
                                   const ViewFrame& frame);

/// Labels spread over the surface from the seeds, and for a branch without one from its cheapest vertex,
/// cheapest first, and only to a branch itself or to one that meets it in a junction; the result does not
/// depend on the order of the vertices.
Decomposition decompose(const MedialGraph& graph, const WeldedSurface& surface,
                        DecompositionCost cost = DecompositionCost::ratio,
                        const std::vector<Seed>& seeds = {});

// Cost of assigning a vertex to the nodes of a curve.

/// The cheapest node of a branch, or of all. Branches that are too far away are skipped as a whole. Queries
/// are thread-safe.
class BranchCosts {
  public:
    BranchCosts(const MedialGraph& graph, double diagonal, DecompositionCost kind);

    struct Best {
        double cost = std::numeric_limits<double>::infinity();
        std::size_t branch = 0, node = 0;
    };
    /// Of one branch.
    Best of_branch(const Vec3d& at, std::size_t branch) const;
    /// Of all; equal costs go to the first branch, then to the first node. `hint` is the branch to test
    /// first, for example that of a nearby vertex; it does not change the result.
    Best of_all(const Vec3d& at, std::size_t& hint) const;
    /// Distance over radius.
    double closeness(const Vec3d& at, std::size_t branch, std::size_t node) const;

  private:
    /// The largest distance at which the cost does not exceed a given cost is slope * cost + offset.
    struct Reach {
        double slope = 0, offset = 0;
        bool holds(double squared_distance, double cost, double extra) const;
    };
    struct Node {
        Vec3d position;
        double radius;
        Reach reach;
    };
    struct Branch {
        std::vector<Node> nodes;
        Vec3d center = Vec3d::Zero();  ///< of a sphere around the nodes
        double extent = 0;             ///< its radius
        Reach reach;                   ///< of the thickest node
    };
    Reach reach_of(double radius) const;
    void look_into(std::size_t branch, const Vec3d& at, Best& best) const;

    DecompositionCost kind_;
    std::vector<Branch> branches_;
};

}  // namespace sinew::rig
