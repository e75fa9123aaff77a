#pragma once
/// \file
/// A skeleton from the parts of a cut mesh.

#include "sinew/model/skeleton.h"
#include "sinew/rig/parts/part_graph.h"
#include "sinew/rig/parts/part_refine.h"
#include "sinew/rig/skeleton_quality.h"

namespace sinew::rig {

struct PartSkeletonOptions {
    PartGraphOptions graph;
    PartRefineOptions refine;
};

/// Seconds by the clock on the wall.
struct PartTimes {
    double features = 0;  ///< hulls, kernels, boxes
    double refine = 0;
    double graph = 0;
    double total() const { return features + refine + graph; }
};

/// Where a joint of the skeleton comes from.
struct JointOrigin {
    PartNodeKind kind = PartNodeKind::link;
    int part = -1;
};

struct PartSkeleton {
    model::Skeleton skeleton;
    std::vector<JointOrigin> origins;  ///< by joint
    std::vector<int> joint_of_part;    ///< that turns the part: at its opening, or the root point
    std::vector<int> joint_of_node;    ///< of the graph; a node that became a tip has -1
    PartGraph graph;
    std::vector<PartPiece> pieces;                   ///< by part
    std::vector<geometry::PartFeatures> features;    ///< by part, before refinement; none of `opening`
    std::vector<geometry::PartFeatures> refinement;  ///< after it
    PartTimes seconds;
};

/// Joints stand at the nodes of the graph and are named after their parts. A node at the end of a part that
/// is the only one below another becomes that joint's tip.
PartSkeleton part_skeleton(const geometry::CutMesh& cut, const geometry::PartTree& tree,
                           const PartSkeletonOptions& options = {}, Monitor& monitor = silent());

/// How much of a graph lies inside a mesh that winds around it.
struct GraphInside {
    double nodes = 0;   ///< part of them
    double length = 0;  ///< part of the edges' length
};
GraphInside inside_of(const PartGraph& graph, const geometry::Mesh& mesh);

/// How good a part skeleton is.
struct PartSkeletonQuality {
    SkeletonQuality curve;  ///< inside, centred, as of every skeleton
    GraphInside inside;
    double symmetry_percent = -1;  ///< mean distance of a joint's mirror image from the nearest joint, in
                                   ///< percent of the diagonal; -1 when the mesh has no mirror plane
};
PartSkeletonQuality part_skeleton_quality(const PartSkeleton& skeleton, const geometry::Mesh& mesh,
                                          Monitor& monitor = silent());

}  // namespace sinew::rig
