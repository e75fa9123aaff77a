#pragma once
/// \file
/// Rigid parts of a rigged character: each triangle follows the joint that moves it most.

#include "sinew/deform/parts/part_body.h"
#include "sinew/model/character.h"

namespace sinew::deform {

struct RigidPartsOfSkin {
    PartBody body;
    std::vector<std::uint32_t> driver;  ///< palette entry of each part
};

/// Parts are cut along edges, tidied, and named after their joints; a joint without triangles has none, and
/// its children hang on the part above it. Pivots are the joints.
/// \throws Error when the character has no mesh or no skin.
RigidPartsOfSkin rigid_parts_of_skin(const model::Character& character, Monitor& monitor = silent());

/// Where a palette takes the parts. What is not rigid in it is left out (`rotation` is the nearest one); the
/// largest such difference of a matrix is added to `stretch` when it is given.
std::vector<math::Rigidd> part_transforms(const RigidPartsOfSkin& parts, std::span<const math::Mat4d> palette,
                                          double* stretch = nullptr);

}  // namespace sinew::deform
