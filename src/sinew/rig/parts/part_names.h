#pragma once
/// \file
/// Names of parts by where they are in the body.

#include <string>

#include "sinew/geometry/cut_mesh.h"

namespace sinew::rig {

/// Of each part its role by the shape of the tree of parts, as "LeftUpperArm"; empty where there is none.
/// Limbs that are cut into unequal numbers of parts are told by where they start and end.
std::vector<std::string> names_by_shape(const geometry::CutMesh& cut, const geometry::PartTree& tree);

/// Twins, as twin_labels() has them, get the same name for both sides: that of the one which is nearer to the
/// trunk by its name, unless a third part has it already.
void name_twins(const std::vector<int>& twins, std::vector<std::string>& names);

}  // namespace sinew::rig
