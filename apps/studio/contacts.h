// SPDX-License-Identifier: MIT
#pragma once
// Where a body touches itself while its clip plays.

#include "state.h"

namespace sinew::studio {

struct ContactTrack {
    std::shared_ptr<const model::Character> character;  ///< that was tested
    int clip = -1;
    double start = 0, step = 1;                         ///< seconds
    std::vector<std::vector<std::uint32_t>> triangles;  ///< in contact, frame by frame, in increasing order
    std::vector<int> pairs;                             ///< of triangles, frame by frame
    /// Depth of corners of touching triangles behind the plane of the other one, the maximum of each frame.
    std::vector<double> depths;

    /// Of the frame nearest to a time.
    std::size_t frame_at(double time) const;
};

/// Lower bound of the penetration depth of two touching triangles: the smaller of the two depths of the
/// corners of one behind the plane of the other.
double contact_depth(const std::vector<Vec3f>& positions, const std::vector<geometry::Triangle>& triangles,
                     std::uint32_t a, std::uint32_t b);
/// Tests every frame of the clip in the background.
void count_contacts(State& state);

}  // namespace sinew::studio
