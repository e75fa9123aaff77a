// SPDX-License-Identifier: MIT
#pragma once
// The present time of playing, and how it advances.

#include <chrono>

#include "sinew/model/character.h"
#include "sinew/model/clip.h"

namespace sinew::studio {

/// Advances with a clock that only runs forward.
inline double seconds_now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Timeline {
    double start = 0, end = 0;  ///< seconds
    double rate = 30;           ///< frames per second
    double time = 0;
    double speed = 1;  ///< negative: backwards
    bool playing = false;
    bool loop = true;

    double duration() const { return end - start; }
    bool empty() const { return !(end > start); }
    int frame_count() const;
    int frame() const;  ///< the nearest frame
};

/// Does not change play, loop and speed.
void set_range(Timeline& timeline, const model::TimeRange& range, double rate);
void set_clip(Timeline& timeline, const model::Clip* clip);
void set_sequence(Timeline& timeline, const model::MeshSequence& sequence);

/// Advances the time. Without a loop it stops at the end.
void advance(Timeline& timeline, double seconds);
/// Steps by whole frames, from the nearest; playing stops.
void step(Timeline& timeline, int frames);
/// Clamped to the range.
void seek(Timeline& timeline, double time);
void seek_frame(Timeline& timeline, int frame);
/// From the end it starts again.
void toggle_play(Timeline& timeline);

}  // namespace sinew::studio
