// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Inner loops of playback on raw memory that the caller has checked; compiled for every instruction set and
/// selected at run time.

#include "sinew/deform/player.h"

namespace sinew::deform {

/// A position in a clip: `fraction` between `frame` and the next frame. 0 gives exactly the frame.
struct FramePosition {
    std::size_t frame = 0;
    float fraction = 0;
};

/// The position of a time. Within a millionth of a frame it is rounded to that frame.
/// \throws Error when the time is not finite or the clip has no frames
FramePosition locate(const model::PackedClip& clip, double time, Playback playback);

/// A blend stores its running sum as a pose with one additional row for the sum of weights.
inline constexpr std::size_t blend_rows = model::PackedClip::rows + 1;

/// A pose to be combined with another. `mask` may be null for all joints.
struct PoseInput {
    const float* pose = nullptr;
    float weight = 1;
    const float* mask = nullptr;
};

/// A joint during evaluation of the hierarchy.
struct JointStep {
    std::int32_t parent = -1;   ///< offset of the parent's world matrix in floats; -1 for a root
    std::uint32_t entries = 0;  ///< number of palette entries
};

/// A palette entry: palette = world inverse_bind.
struct alignas(64) PaletteEntry {
    Mat34f inverse_bind;
    std::uint32_t offset = 0;  ///< offset in the palette, in floats
};

/// Local transforms to world matrices and palette. Entries are in the order of their joints.
struct HierarchyJob {
    const float* pose = nullptr;
    std::size_t stride = 0;
    std::size_t joint_count = 0;
    const JointStep* joints = nullptr;
    const PaletteEntry* entries = nullptr;
    Mat34f* world = nullptr;
    Mat34f* palette = nullptr;
};

namespace simd {

/// Linear translations and scales, normalised linear rotations.
void sample(const model::PackedClip& clip, const FramePosition& position, float* pose);
/// sum = input, or sum += input, with each rotation negated if necessary to lie in the hemisphere of the sum,
/// so that the sum of rotations cannot cancel.
void start_blend(const PoseInput& input, std::size_t stride, float* sum);
void add_to_blend(const PoseInput& input, std::size_t stride, float* sum);
/// Divides by the weights; uses `rest` where they are too small.
void finish_blend(const float* sum, const float* rest, std::size_t stride, float* pose);
/// pose = (1-w) pose + w input: a masked layer.
void lay_over(const PoseInput& input, std::size_t stride, float* pose);
/// An additive layer: rotation delta^w q, translation t + w delta, scale s (1 + w (delta - 1)).
void add_delta(const PoseInput& input, std::size_t stride, float* pose);
/// One linear pass over the joints. Returns false when a transform is not finite.
bool hierarchy(const HierarchyJob& job);

}  // namespace simd

}  // namespace sinew::deform
