#pragma once
/// \file
/// Bones between a parent and its child that share out a twist or bend (Weber 2000), so that linear blending
/// loses less of the radius.

#include <span>
#include <vector>

#include "sinew/model/skin.h"

namespace sinew::deform {

struct AuxiliaryBoneOptions {
    int count = 1;  ///< bones between each pair, 1 .. 16
};

/// A skin with palette entries between neighbouring joints. Bone i of a pair with m bones takes the rotation
/// slerp(i / (m + 1)) of the two about the child's rest place, which both keep. Linear blending of a twist a
/// then leaves at least cos(a / (2 (m + 1))) of the radius.
struct AuxiliaryBones {
    /// Between entries `parent` and `child` of the original palette.
    struct Pair {
        std::uint32_t parent = 0;
        std::uint32_t child = 0;
        std::uint32_t first = 0;                  ///< palette entry of its first bone in `skin`
        math::Vec3d pivot = math::Vec3d::Zero();  ///< rest place of the child
    };

    model::Skin skin;  ///< the original entries first, then the new ones; for posing use `palette`
    std::vector<Pair> pairs;
    int count = 0;  ///< of each pair

    /// The palette of `skin` from the palette of the original skin.
    /// \throws Error when the sizes do not fit.
    std::vector<math::Mat4d> palette(std::span<const math::Mat4d> original) const;
};

/// Redistributes the weights of every vertex that follows a parent and its child: with u = child / (parent +
/// child), the two and the bones between them share its weight by tent functions of u at i / (m + 1). A
/// vertex with several such pairs uses the heaviest; other influences stay.
/// \throws Error when the count is out of range or the skin does not fit the skeleton.
AuxiliaryBones add_auxiliary_bones(const model::Skin& skin, const model::Skeleton& skeleton,
                                   const AuxiliaryBoneOptions& options = {});

}  // namespace sinew::deform
