// SPDX-License-Identifier: MIT
#include "timeline.h"

#include <algorithm>
#include <cmath>

namespace sinew::studio {
namespace {

double time_of(const Timeline& timeline, int frame) {
    return std::clamp(timeline.start + frame / timeline.rate, timeline.start, timeline.end);
}

}  // namespace

int Timeline::frame_count() const {
    return static_cast<int>(std::lround(duration() * rate)) + 1;
}

int Timeline::frame() const {
    return std::clamp(static_cast<int>(std::lround((time - start) * rate)), 0, frame_count() - 1);
}

void set_range(Timeline& timeline, const model::TimeRange& range, double rate) {
    timeline.start = range.start;
    timeline.end = std::max(range.start, range.end);
    timeline.rate = rate > 0 ? rate : 30;
    timeline.time = timeline.start;
    if (timeline.empty()) timeline.playing = false;
}

void set_clip(Timeline& timeline, const model::Clip* clip) {
    if (clip == nullptr)
        set_range(timeline, {}, 30);
    else
        set_range(timeline, model::time_range(*clip), model::frame_rate(*clip));
}

void set_sequence(Timeline& timeline, const model::MeshSequence& sequence) {
    const auto steps = static_cast<double>(std::max<std::size_t>(sequence.frames.size(), 1) - 1);
    set_range(timeline, {0, steps / sequence.rate}, sequence.rate);
}

void advance(Timeline& timeline, double seconds) {
    if (!timeline.playing || timeline.empty()) return;
    double position = timeline.time - timeline.start + seconds * timeline.speed;
    const double length = timeline.duration();
    if (timeline.loop) {
        position -= std::floor(position / length) * length;
    } else if (position < 0 || position >= length) {
        position = std::clamp(position, 0.0, length);
        timeline.playing = false;
    }
    timeline.time = timeline.start + position;
}

void step(Timeline& timeline, int frames) {
    timeline.playing = false;
    const int count = timeline.frame_count();
    int frame = timeline.frame() + frames;
    frame = timeline.loop ? ((frame % count) + count) % count : std::clamp(frame, 0, count - 1);
    timeline.time = time_of(timeline, frame);
}

void seek(Timeline& timeline, double time) {
    timeline.time = std::clamp(time, timeline.start, timeline.end);
}

void seek_frame(Timeline& timeline, int frame) {
    timeline.time = time_of(timeline, frame);
}

void toggle_play(Timeline& timeline) {
    if (timeline.empty()) return;
    timeline.playing = !timeline.playing;
    if (timeline.playing && !timeline.loop && timeline.time >= timeline.end) timeline.time = timeline.start;
}

}  // namespace sinew::studio
