#pragma once
/// \file
/// Yes or no, frame after frame: bodies that touched mostly touch at the same place in the next frame.

#include "sinew/collide/query.h"

namespace sinew::collide {

/// Where two bodies touched last. It need not fit the poses at hand: the answer is the same whatever it
/// holds, only found sooner when little has changed.
struct TouchMemory {
    const SphereTree* trees[2] = {nullptr, nullptr};  ///< that it is about; null when they did not touch
    std::uint32_t leaves[2] = {0, 0};
};

/// As touching() without a memory, but looks first where these bodies touched when it was last asked.
bool touching(Body& a, Body& b, QueryScratch& room, TouchMemory& memory, double tolerance = 0);

}  // namespace sinew::collide
