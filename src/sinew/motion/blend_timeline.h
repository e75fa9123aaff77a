#pragma once
/// \file
/// One motion made of several: which clips play when, how fast, and with what weight.

#include <span>
#include <vector>

#include "sinew/base/monitor.h"
#include "sinew/motion/level_move.h"

namespace sinew::motion {

/// A clip on the timeline, with where it stands.
struct BlendSource {
    const model::Clip* clip = nullptr;
    LevelMove move;
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
