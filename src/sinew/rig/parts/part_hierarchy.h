#pragma once
/// \file
/// A hierarchy of names, as a .skel file gives it, joined with the parts of a mesh.

#include "sinew/geometry/cut_mesh.h"
#include "sinew/model/skeleton.h"

namespace sinew::rig {

struct PartHierarchy {
    std::vector<int> parents;                               ///< of each part of the mesh, -1 for the root
    std::vector<int> joint_of_part;                         ///< joint of the hierarchy
    std::vector<std::optional<model::JointLimits>> limits;  ///< of each part
};

/// Names match whatever their case is.
/// \throws Error that names the parts that only one side has, and the nearest names of the other side; on
/// several roots; when two parts or two joints have the same name but for its case.
PartHierarchy join_hierarchy(const geometry::CutMesh& cut, const model::Skeleton& hierarchy);

}  // namespace sinew::rig
