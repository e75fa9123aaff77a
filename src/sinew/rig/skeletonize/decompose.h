#pragma once
/// \file
/// Which branch of a curve each vertex of the surface belongs to (Xie 2009, 3.4).

#include "sinew/rig/skeletonize/medial.h"

namespace sinew::rig {

/// How far a vertex is from a node at distance d with radius l.
enum class DecompositionCost {
    abs_diff,     ///< |d - l| (Xie 2009, 3.5)
    signed_diff,  ///< d - l
    ratio,        ///< d / l
    nearest,      ///< d
};

struct DecomposeOptions {
    DecompositionCost cost = DecompositionCost::ratio;
    double island = 0.005;  ///< smaller patches of a label (part of all vertices) are absorbed
};

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
/// point of the outline, so that it is the one whose circle comes nearest to the vertex: d / l is least.
std::vector<Seed> silhouette_seeds(const BranchGraph& graph, const Silhouette& silhouette,
                                   const ViewFrame& frame);

/// Labels spread over the surface from the seeds, and for a branch without one from its cheapest vertex,
/// cheapest first, and only to a branch itself or to one that meets it in a junction; the result does not
/// depend on the order of the vertices.
Decomposition decompose(const BranchGraph& graph, const WeldedSurface& surface,
                        const DecomposeOptions& options = {}, const std::vector<Seed>& seeds = {});

}  // namespace sinew::rig
