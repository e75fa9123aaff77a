// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The poses that show what is wrong with a skinning method: one scene for each known artifact.

#include <string>
#include <string_view>
#include <vector>

#include "sinew/model/character.h"

namespace sinew::bench {

/// A character in a pose of its only clip.
struct ArtifactScene {
    std::string name;
    std::string what;  ///< one line for a person
    model::Character character;
    double time = 1;         ///< of the pose
    double time_before = 0;  ///< of the pose that it is compared with, where two are
};

/// A striped tube of radius 0.1 and length 1 along +y, its joint at (0, 0.5, 0); weights change over 0.4.
///   candy-wrapper   twist of 174 degrees
///   elbow           bend of 120 degrees about x
///   origin          bend of 90 degrees about x, the whole moved by (0, 0, 10) at time 1
///   flip            twist of 179 degrees, then of 181
///   long-way        three joints, twisted by 0, 120 and 240 degrees, and a ring that follows all alike
/// A strip of cloth along +x from 0 to 1:
///   set-jump        the third of three joints loses its last weight at x = 0.5
std::vector<ArtifactScene> artifact_scenes();

/// \throws Error that lists the names.
ArtifactScene artifact_scene(std::string_view name);

}  // namespace sinew::bench
