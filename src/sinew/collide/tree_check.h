#pragma once
/// \file
/// Does every number of a tree that came from outside lead to something? Inside the room only.

#include <string_view>

#include "sinew/collide/sphere_tree.h"

namespace sinew::collide {

/// \throws Error naming `place` and the first list that is wrong.
void check_tree(const SphereTree& tree, std::string_view place);

}  // namespace sinew::collide
