// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// A motion composed of several clips: which clips play when, at which speed, with which weight, and where on
/// the ground.

#include <span>
#include <vector>

#include "sinew/base/monitor.h"
#include "sinew/model/clip.h"

namespace sinew::motion {

/// A rotation about +y followed by a horizontal translation, which do not change a motion apart from its
/// position on the ground.
struct GroundTransform {
    double yaw = 0;  ///< radians
    math::Vec3d shift = math::Vec3d::Zero();
};

/// Applies `inner` first, then `outer`.
GroundTransform combined(const GroundTransform& outer, const GroundTransform& inner);

/// Moves a pose by moving all roots of the skeleton.
void apply(const GroundTransform& move, const model::Skeleton& skeleton, std::span<math::Transform> pose);

/// A range of a clip, sampled at equal steps.
struct ClipWindow {
    const model::Clip* clip = nullptr;
    double start = 0;
    double end = 0;
};

/// Aligns the second motion with the first. Let R_i be the rotations from a trunk joint (hips, spine, chest;
/// the first joint where there are none) of the second to that of the first, over both windows in step. The
/// rotation Y is the one closest to all of them: the largest sum of tr(Y^T R_i), which for quaternions (w; x
/// y z) is
///
///     turn = atan2(sum 2 w y, sum w^2 - y^2).
///
/// The mean over hips and chest is used because they swing in opposite directions in a walk. The translation
/// makes the hips coincide at `meet`, a fraction of both windows.
GroundTransform align_on_ground(const model::Skeleton& skeleton, const ClipWindow& first,
                                const ClipWindow& second, double meet = 0.5);

/// A clip on the timeline, with its position on the ground.
struct BlendSource {
    const model::Clip* clip = nullptr;
    GroundTransform move;
};

/// A span of the timeline in which two clips play, each from one time to another, while the weight of the
/// second changes linearly. With `second` equal to `first` only one clip plays.
struct BlendSpan {
    double start = 0, end = 0;
    std::size_t first = 0, second = 0;
    double first_start = 0, first_end = 0;
    double second_start = 0, second_end = 0;
    double weight_start = 0, weight_end = 0;
};

struct BlendTimeline {
    std::vector<BlendSource> sources;
    std::vector<BlendSpan> spans;  ///< in order, without gaps, from 0
    std::vector<char> mask;        ///< joints that the second clip may move; empty: all

    double duration() const { return spans.empty() ? 0 : spans.back().end; }
};

/// Two synchronised clips (by StepPhase, or just by time), with a weight for each fraction of the range, 0 to
/// 1. The duration of the span is the mean of the durations of both clips, by weight (Rose, Cohen and
/// Bodenheimer 1998): dt = (1 - w) da + w db.
struct InStep {
    std::size_t first = 0, second = 0;
    std::vector<double> first_times, second_times;  ///< same length, increasing together
    std::vector<double> weights;                    ///< same length
};
void append(BlendTimeline& timeline, const InStep& in_step);

/// Appends one clip at its own speed; nothing when the end is not after the start.
void append(BlendTimeline& timeline, std::size_t source, double start, double end);

/// Evaluates the timeline to keys at an even rate: translations and scales are blended linearly, rotations by
/// slerp along the shorter path. Properties without keys in all clips get no keys; where only one clip has
/// keys, the other is at rest. A morph without keys in a clip counts as 0 there.
model::Clip played(const BlendTimeline& timeline, const model::Skeleton& skeleton, double rate,
                   Monitor& monitor = silent());

}  // namespace sinew::motion
