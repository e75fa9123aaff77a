// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// One motion made of several: which clips play when, how fast, with what weight, and where they stand.

#include <span>
#include <vector>

#include "sinew/base/monitor.h"
#include "sinew/model/clip.h"

namespace sinew::motion {

/// A rotation about +y followed by a shift without height: what may be done to a motion without changing it.
struct GroundTransform {
    double yaw = 0;  ///< radians
    math::Vec3d shift = math::Vec3d::Zero();
};

/// First `inner`, then `outer`.
GroundTransform combined(const GroundTransform& outer, const GroundTransform& inner);

/// Moves a pose: all roots of the skeleton go along.
void apply(const GroundTransform& move, const model::Skeleton& skeleton, std::span<math::Transform> pose);

/// A stretch of a clip, looked at in even steps.
struct ClipWindow {
    const model::Clip* clip = nullptr;
    double start = 0;
    double end = 0;
};

/// What brings the second motion to the first. With R_i the rotations from a trunk joint (hips, spine, chest;
/// the first joint where there are none) of the second to that of the first, over both windows in step, the
/// turn Y is the one that is nearest to all of them: the largest sum of tr(Y^T R_i), which for quaternions
/// (w; x y z) is
///
///     turn = atan2(sum 2 w y, sum w^2 - y^2).
///
/// A mean over hips and chest, because they swing against each other in a walk. The shift brings the hips
/// together at `meet`, a fraction of both windows.
GroundTransform align_on_ground(const model::Skeleton& skeleton, const ClipWindow& first,
                                const ClipWindow& second, double meet = 0.5);

/// A clip on the timeline, with where it stands.
struct BlendSource {
    const model::Clip* clip = nullptr;
    GroundTransform move;
};

/// Between two times of the result, two clips play from time to time of their own, and the weight of the
/// second goes from one value to another, all in a straight line. With `second` equal to `first` one clip
/// plays.
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

/// Two clips in step from one moment to another (see StepPhase, or just seconds): a weight for a share of
/// the way, from 0 to 1, and the span lasts as long as both clips' own times, averaged by weight, say
/// (Rose, Cohen and Bodenheimer 1998): dt = (1 - w) da + w db.
struct InStep {
    std::size_t first = 0, second = 0;
    std::vector<double> first_times, second_times;  ///< as many, rising together
    std::vector<double> weights;                    ///< as many
};
void append(BlendTimeline& timeline, const InStep& in_step);

/// One clip by itself, at its own speed. Nothing is added where the end is not after the start.
void append(BlendTimeline& timeline, std::size_t source, double start, double end);

/// Plays the timeline into keys at an even rate: translations and scales are blended linearly, rotations by
/// slerp along the shorter way. What no clip keys has no keys; what only one keys is at rest in the other. A
/// morph that a clip does not key counts as 0 there.
model::Clip played(const BlendTimeline& timeline, const model::Skeleton& skeleton, double rate,
                   Monitor& monitor = silent());

}  // namespace sinew::motion
