// SPDX-License-Identifier: MIT
#pragma once
// Seeded random skeletons, clips and skins.

#include "support/random.h"

#include "sinew/model/clip.h"
#include "sinew/model/skin.h"

namespace sinew::test {

/// A random tree with several roots now and then, bones of about 0.3, and rest scales near 1.
model::Skeleton random_skeleton(Random& random, std::size_t joints);

struct RandomClip {
    double rate = 30;
    std::size_t frames = 40;
    double start = 0;
    double turn = 0.2;        ///< largest rotation between two frames, radians
    bool everything = false;  ///< all joints move and scale; otherwise all turn and the first moves
};
/// Keys at every frame, with rotations that wander.
model::Clip random_clip(Random& random, const model::Skeleton& skeleton, const RandomClip& options = {});

/// Palette entries in random order: some joints have none, some two.
std::vector<model::SkinJoint> random_skin_joints(Random& random, const model::Skeleton& skeleton);

}  // namespace sinew::test
