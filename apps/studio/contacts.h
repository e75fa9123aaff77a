// SPDX-License-Identifier: MIT
#pragma once
// Where a body touches itself while its clip plays.

#include "state.h"

namespace sinew::studio {

struct ContactTrack {
    std::shared_ptr<const model::Character> character;  ///< that was looked at
    int clip = -1;
    double start = 0, step = 1;                         ///< seconds
    std::vector<std::vector<std::uint32_t>> triangles;  ///< that touch, frame by frame, rising
    std::vector<int> pairs;                             ///< of triangles, frame by frame

    /// Of the frame nearest to a time.
    std::size_t frame_at(double time) const;
};

/// Looks at every frame of the clip in the background.
void count_contacts(State& state);

}  // namespace sinew::studio
