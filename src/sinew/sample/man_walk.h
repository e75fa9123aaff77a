#pragma once
/// \file
/// The man's walk, from published joint angles, with feet that stay where they are put.

#include "sinew/model/clip.h"

namespace sinew::sample {

struct WalkOptions {
    int cycles = 5;
    double cycle_seconds = 1.1;
    int keys_per_cycle = 66;
    bool in_place = false;  ///< without the way forward: the last key equals the first
};

/// Starts with the left heel on the ground and the hips at z = 0, and goes along +z.
model::Clip man_walk(const model::Skeleton& skeleton, const WalkOptions& options = {});

}  // namespace sinew::sample
