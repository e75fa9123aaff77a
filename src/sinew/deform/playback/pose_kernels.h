// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The inner loops of playing, on bare memory that the caller has checked: compiled for every instruction set
/// and chosen at run time.

#include "sinew/deform/player.h"

namespace sinew::deform {

/// A position in a clip: `fraction` of the way from `frame` to the next. 0 is the frame itself, to the bit.
struct FramePosition {
    std::size_t frame = 0;
    float fraction = 0;
};

/// Where a time falls. Within a millionth of a frame of a frame is that frame.
/// \throws Error when the time is not finite or the clip has no frames.
FramePosition locate(const model::PackedClip& clip, double time, Playback playback);

/// A blend keeps its running sum in a pose and one more row for the summed weights.
inline constexpr std::size_t blend_rows = model::PackedClip::rows + 1;

/// One pose that enters another. `mask` may be null: all joints.
struct PoseInput {
    const float* pose = nullptr;
    float weight = 1;
    const float* mask = nullptr;
};

/// A joint while the hierarchy is walked.
struct JointStep {
    std::int32_t parent = -1;   ///< where the parent's world matrix begins, in floats; -1 for a root
    std::uint32_t entries = 0;  ///< how many palette entries it has
};

/// A palette entry: palette = world inverse_bind.
struct alignas(64) PaletteEntry {
    Mat34f inverse_bind;
    std::uint32_t offset = 0;  ///< where it goes in the palette, in floats
};

/// From local transforms to world matrices and palette. Entries lie in the order of their joints.
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
/// sum = input, or sum += input with rotations turned to the side of the sum. Turned so, the sum of
/// rotations only grows and can never cancel out.
void start_blend(const PoseInput& input, std::size_t stride, float* sum);
void add_to_blend(const PoseInput& input, std::size_t stride, float* sum);
/// Divides by the weights; `rest` is used where they are too small.
void finish_blend(const float* sum, const float* rest, std::size_t stride, float* pose);
/// pose = (1-w) pose + w input: a masked layer.
void lay_over(const PoseInput& input, std::size_t stride, float* pose);
/// An additive layer: rotation delta^w q, translation t + w delta, scale s (1 + w (delta - 1)).
void add_delta(const PoseInput& input, std::size_t stride, float* pose);
/// One linear pass over the joints. Returns false when a transform is not finite.
bool hierarchy(const HierarchyJob& job);

}  // namespace simd

}  // namespace sinew::deform
