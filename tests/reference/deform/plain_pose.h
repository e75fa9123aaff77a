// SPDX-License-Identifier: MIT
#pragma once
// The kernels of playing one joint at a time, straight from the formulas.

#include "sinew/deform/playback/pose_kernels.h"

namespace sinew::deform {

namespace plain {

void sample(const model::PackedClip& clip, const FramePosition& position, float* pose);
void start_blend(const PoseInput& input, std::size_t stride, float* sum);
void add_to_blend(const PoseInput& input, std::size_t stride, float* sum);
void finish_blend(const float* sum, const float* rest, std::size_t stride, float* pose);
void lay_over(const PoseInput& input, std::size_t stride, float* pose);
void add_delta(const PoseInput& input, std::size_t stride, float* pose);
bool hierarchy(const HierarchyJob& job);

}  // namespace plain

}  // namespace sinew::deform
