#pragma once
/// \file
/// A tree as bytes, to be stored beside its model.

#include <cstddef>
#include <string_view>
#include <vector>

#include "sinew/base/file.h"
#include "sinew/collide/sphere_tree.h"

namespace sinew::collide {

std::vector<std::byte> save_tree(const SphereTree& tree);

/// Reads a tree and checks that nothing in it leads outside it. `expected_hash` is content_hash() of the mesh
/// and options it shall serve.
/// \throws Error naming `place` when the bytes are not a tree of this version, are damaged, or belong to
/// other content.
SphereTree load_tree(Bytes bytes, std::uint64_t expected_hash, std::string_view place);

}  // namespace sinew::collide
