#pragma once
/// \file
/// A packed clip at a time.

#include "sinew/deform/pose_kernels.h"

namespace sinew::deform {

/// What lies beyond the ends of a clip.
enum class Playback : std::uint8_t {
    clamp,  ///< the first and the last frame stay
    loop,   ///< the clip repeats; its last frame is the first of the next round, and gives way to it
};

/// Where a time falls. Within a millionth of a frame of a frame is that frame.
/// \throws Error when the time is not finite or the clip has no frames.
FramePosition locate(const model::PackedClip& clip, double time, Playback playback);

/// The pose at a time: translations and scales linear, rotations normalised linear, between the two nearest
/// frames. The same bits whatever was sampled before; nothing is allocated.
/// \throws Error when the joint counts differ or the time is not finite.
void sample(const model::PackedClip& clip, double time, Playback playback, LocalPose& pose);

}  // namespace sinew::deform
