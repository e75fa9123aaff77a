#pragma once
/// \file
/// Third pass of building: what each node knows about the weights of its vertices. Inside the room only.

#include "sinew/collide/sphere_tree.h"

namespace sinew::collide {

/// Fills records, joint balls and corners of a tree that has nodes, vertices and sets.
void add_records(SphereTree& tree);

}  // namespace sinew::collide
