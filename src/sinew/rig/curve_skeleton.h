#pragma once
/// \file
/// A curve skeleton: the thin graph in the middle of a body, before joints are chosen on it. Every way of
/// finding one gives this type.

#include <array>
#include <cstdint>
#include <vector>

#include "sinew/model/skeleton.h"

namespace sinew::rig {

using math::Vec3d;

/// A point of the curve and the distance from there to the surface.
struct CurveNode {
    Vec3d position = Vec3d::Zero();
    double radius = 0;
};

struct CurveSkeleton {
    std::vector<CurveNode> nodes;
    std::vector<std::array<int, 2>> edges;     ///< lower index first, sorted, none twice
    std::vector<std::int32_t> node_of_vertex;  ///< per vertex of the mesh the node it belongs to, or -1

    bool empty() const { return nodes.empty(); }
};

/// A chain between two nodes whose degree is not 2, both ends included; a ring without such nodes is one
/// chain that starts and ends at its lowest node.
struct CurveBranch {
    std::vector<int> nodes;
    double length = 0;
};

/// The bones of a skeleton at rest as a curve: nodes on its joints, tips, and so closely between them that
/// none is farther from the next than `spacing`. Radii are 0.
CurveSkeleton curve_of(const model::Skeleton& skeleton, double spacing);

/// Edges at each node.
std::vector<int> degrees(const CurveSkeleton& curve);

/// All branches, each once, ordered by their lowest end.
std::vector<CurveBranch> branches(const CurveSkeleton& curve);

/// Nodes that every node can be reached from: pieces of the graph.
int piece_count(const CurveSkeleton& curve);

}  // namespace sinew::rig
