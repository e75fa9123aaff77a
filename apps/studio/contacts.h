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
    /// How far corners of touching triangles reach through the plane of the other one, the most of each
    /// frame.
    std::vector<double> depths;

    /// Of the frame nearest to a time.
    std::size_t frame_at(double time) const;
};

/// How deep two triangles that touch are in each other, at least: the smaller of the two ways by which the
/// corners of one reach behind the plane of the other.
double contact_depth(const std::vector<Vec3f>& positions, const std::vector<geometry::Triangle>& triangles,
                     std::uint32_t a, std::uint32_t b);
/// Looks at every frame of the clip in the background.
void count_contacts(State& state);

}  // namespace sinew::studio
