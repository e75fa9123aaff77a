#pragma once
/// \file
/// A mesh as a tree of parts: its own parts where it has them, otherwise those that it is cut into.

#include "sinew/rig/parts/part_hierarchy.h"
#include "sinew/rig/parts/segment.h"

namespace sinew::rig {

struct PartBody {
    geometry::CutMesh cut;
    geometry::PartTree tree;
    bool automatic = false;                                 ///< the mesh was cut here
    std::vector<std::optional<model::JointLimits>> limits;  ///< by part, of a given hierarchy; or empty
};

struct PartBodyOptions {
    const model::Skeleton* hierarchy = nullptr;  ///< names and limits, as a .skel file gives them
    SegmentationOptions segmentation;
};

/// A given hierarchy must fit the parts of the mesh. Without one, parts that do not hang together are given
/// up for an automatic cut, with the warning `parts-automatic`; a mesh in one piece is cut without a warning.
/// \throws Error of `join_hierarchy` and `part_tree`, and when the mesh has no triangles.
PartBody part_body(const geometry::Mesh& mesh, const PartBodyOptions& options = {},
                   Monitor& monitor = silent());

}  // namespace sinew::rig
