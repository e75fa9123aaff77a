#pragma once
/// \file
/// Parts that meet in single loops, each only its parent and its children.

#include <functional>

#include "sinew/rig/parts/face_graph.h"

namespace sinew::rig {

struct SeparateOptions {
    bool join = true;  ///< parts that still meet in several loops, as around a handle, become one
};

/// Parents of parts; the second argument is the first label of each part.
using PartParents =
    std::function<std::vector<int>(const geometry::CutMesh& cut, const std::vector<int>& labels)>;

/// Where parts touch that are not parent and child, the triangles along their border go to the part between
/// them in the tree, until all borders are loops that meet nowhere: on a surface without handles these make a
/// tree of the parts. Labels must be 0, 1, 2, ... and are so again; returns the first label of each that is
/// left.
std::vector<int> separate_parts(const geometry::CutMesh& surface, const FaceGraph& graph,
                                const PartParents& parents, std::vector<int>& labels,
                                const SeparateOptions& options = {});

}  // namespace sinew::rig
