#pragma once
/// \file
/// Names of parts by where they are in the body.

#include <string>

#include "sinew/geometry/cut_mesh.h"

namespace sinew::rig {

/// Of each part its role by the shape of the tree of parts, as "LeftUpperArm"; empty where there is none.
/// Limbs that are cut into unequal numbers of parts are told by where they start and end.
std::vector<std::string> names_by_shape(const geometry::CutMesh& cut, const geometry::PartTree& tree);

}  // namespace sinew::rig
