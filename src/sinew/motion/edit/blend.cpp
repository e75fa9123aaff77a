// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>

#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/motion/edit.h"
#include "sinew/motion/edit/timeline.h"

namespace sinew::motion {

using model::Clip;
using model::Skeleton;
using model::TimeRange;

namespace {

constexpr int fade_steps = 64;

/// Piecewise linear interpolation through (x, y), extrapolated with the first and the last segment.
double on_broken_line(const std::vector<double>& x, const std::vector<double>& y, double at) {
    const auto above = std::upper_bound(x.begin() + 1, x.end() - 1, at);
    const auto i = static_cast<std::size_t>(above - x.begin());
    return y[i - 1] + (at - x[i - 1]) * (y[i] - y[i - 1]) / (x[i] - x[i - 1]);
}

/// Smooth step from 0 to 1, with slope 0 at both ends.
double smooth_share(double s) {
    const double t = std::clamp(s, 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

TimeRange playable_range(const Clip& clip, std::string_view name) {
    const TimeRange range = model::time_range(clip);
    if (!(range.duration() > 0)) fail(name, "the clip has no length, so there is nothing to blend");
    return range;
}

void check_weight(double weight) {
    if (!(weight >= 0 && weight <= 1)) fail("", "a weight of {} is outside 0 to 1", weight);
}

double shared_rate(double wanted, const Clip& first, const Clip& second) {
    return wanted > 0 ? wanted : std::max(model::frame_rate(first), model::frame_rate(second));
}

/// Divides the range between two numbers into `count` equal intervals.
std::vector<double> even_numbers(double from, double to, int count) {
    std::vector<double> numbers;
    for (int i = 0; i <= count; ++i) numbers.push_back(std::lerp(from, to, static_cast<double>(i) / count));
    return numbers;
}

std::vector<double> times_of(const StepPhase& phase, std::span<const double> at) {
    std::vector<double> times;
    for (const double p : at) times.push_back(phase.time_at(p));
    return times;
}

/// Joins pieces: finds the overlaps from first to last, then plays them.
class Joiner {
  public:
    Joiner(const Skeleton& skeleton, std::span<const JoinPiece> pieces, const JoinOptions& options,
           Monitor& monitor)
        : skeleton_(skeleton), pieces_(pieces), options_(options), monitor_(monitor) {}
    JoinResult run();

  private:
    const std::optional<StepPhase>& steps_of(const Clip& clip);
    InStep overlap(std::size_t next);
    InStep in_step(std::size_t next, const StepPhase& before, const StepPhase& after);
    void check_range(std::size_t next, const InStep& both) const;
    void join(std::size_t next);

    const Skeleton& skeleton_;
    std::span<const JoinPiece> pieces_;
    const JoinOptions& options_;
    Monitor& monitor_;
    std::map<const Clip*, std::optional<StepPhase>> steps_;
    std::vector<TimeRange> ranges_;
    double entered_ = 0;  ///< time in the newest piece up to which it has been played
    BlendTimeline timeline_;
    JoinResult result_;
};

const std::optional<StepPhase>& Joiner::steps_of(const Clip& clip) {
    const auto [found, is_new] = steps_.try_emplace(&clip);
    if (is_new && options_.steps) found->second = options_.steps(skeleton_, clip);
    return found->second;
}

/// Cross-fade by step phase: the next piece begins at its first time at which the feet have the same phase as
/// in the previous piece, up to whole strides (two steps).
InStep Joiner::in_step(std::size_t next, const StepPhase& before, const StepPhase& after) {
    const double end = ranges_[next - 1].end;
    const double from = before.phase_at(end - pieces_[next].fade), to = before.phase_at(end);
    const double earliest = after.phase_at(ranges_[next].start);
    const double strides = 2 * std::ceil((earliest - from) / 2 - 1e-9);
    InStep both{next - 1, next, {}, {}, {}};
    both.first_times = times_of(before, even_numbers(from, to, fade_steps));
    both.second_times = times_of(after, even_numbers(from + strides, to + strides, fade_steps));
    return both;
}

InStep Joiner::overlap(std::size_t next) {
    const JoinPiece& piece = pieces_[next];
    InStep both{next - 1, next, {}, {}, {}};
    bool matched = false;
    if (piece.match_steps) {
        const auto& before = steps_of(*pieces_[next - 1].clip);
        const auto& after = steps_of(*piece.clip);
        matched = before && after;
        if (matched) both = in_step(next, *before, *after);
        if (!matched)
            warn(monitor_, "blend-no-steps", "{}: fades without matching steps, for {} has none", piece.name,
                 before ? "it" : "the piece before it");
    }
    if (!matched) {
        const double end = ranges_[next - 1].end, start = ranges_[next].start;
        both.first_times = even_numbers(end - piece.fade, end, fade_steps);
        both.second_times = even_numbers(start, start + piece.fade, fade_steps);
    }
    for (const double s : even_numbers(0, 1, fade_steps)) both.weights.push_back(smooth_share(s));
    return both;
}

void Joiner::check_range(std::size_t next, const InStep& both) const {
    constexpr double rounding = 1e-6;
    if (both.first_times.front() < entered_ - rounding)
        fail(pieces_[next - 1].name, "has only {:.3f} s left, but {} fades in over {:.3f} s: shorten a fade",
             ranges_[next - 1].end - entered_, pieces_[next].name, pieces_[next].fade);
    if (both.second_times.back() > ranges_[next].end + rounding)
        fail(pieces_[next].name, "has {:.3f} s, but its fade ends at {:.3f} s: shorten the fade",
             ranges_[next].duration(), both.second_times.back() - ranges_[next].start);
}

void Joiner::join(std::size_t next) {
    const InStep both = overlap(next);
    check_range(next, both);
    const double leave = std::max(both.first_times.front(), entered_);
    append(timeline_, next - 1, entered_, leave);
    BlendSource source{pieces_[next].clip, {}};
    if (pieces_[next].align) {
        const ClipWindow before{pieces_[next - 1].clip, leave, ranges_[next - 1].end};
        const ClipWindow after{source.clip, both.second_times.front(), both.second_times.back()};
        source.move = combined(timeline_.sources.back().move, align_on_ground(skeleton_, before, after));
    }
    timeline_.sources.push_back(source);
    result_.parts.push_back({timeline_.duration(), 0, both.second_times.front() - ranges_[next].start});
    if (pieces_[next].fade > 0) append(timeline_, both);
    result_.parts[next - 1].end = timeline_.duration();
    entered_ = both.second_times.back();
}

JoinResult Joiner::run() {
    double highest = 0;
    for (const JoinPiece& piece : pieces_) {
        ranges_.push_back(playable_range(*piece.clip, piece.name));
        if (!(piece.fade >= 0)) fail(piece.name, "a fade of {} s is negative", piece.fade);
        highest = std::max(highest, model::frame_rate(*piece.clip));
    }
    if (pieces_.empty()) fail("", "there are no clips to join");
    timeline_.sources.push_back({pieces_[0].clip, {}});
    result_.parts.emplace_back();
    entered_ = ranges_[0].start;
    for (std::size_t next = 1; next < pieces_.size(); ++next) join(next);
    append(timeline_, pieces_.size() - 1, entered_, ranges_.back().end);
    result_.parts.back().end = timeline_.duration();
    result_.clip = played(timeline_, skeleton_, options_.rate > 0 ? options_.rate : highest, monitor_);
    result_.clip.name = pieces_[0].clip->name;
    return std::move(result_);
}

/// Foot strikes of both clips, from the first step to the last step that both clips have.
std::optional<InStep> common_steps(const Skeleton& skeleton, const Clip& first, const Clip& second,
                                   const StepFinder& steps_of) {
    if (!steps_of) return std::nullopt;
    const auto a = steps_of(skeleton, first), b = steps_of(skeleton, second);
    if (!a || !b) return std::nullopt;
    // When the clips begin with different feet, one of them waits until the step with which the other begins.
    const double from = std::max(a->phases.front(), b->phases.front());
    const double to = std::min(a->phases.back(), b->phases.back());
    if (to - from < 1) return std::nullopt;
    const std::vector<double> steps = even_numbers(from, to, static_cast<int>(to - from));
    return InStep{0, 1, times_of(*a, steps), times_of(*b, steps), {}};
}

std::vector<char> mask_below(const Skeleton& skeleton, const std::vector<std::string>& names) {
    std::vector<char> mask;
    if (names.empty()) return mask;
    mask.assign(skeleton.size(), 0);
    for (const std::string& name : names) {
        const int joint = skeleton.find(name);
        if (joint < 0) fail("", "the skeleton has no joint \"{}\"", name);
        mask[at(joint)] = 1;
    }
    for (std::size_t j = 0; j < mask.size(); ++j) {
        const int parent = skeleton.joints[j].parent;
        if (parent >= 0 && mask[at(parent)] != 0) mask[j] = 1;
    }
    return mask;
}

/// One repetition of a layer over the base, beginning at `start` seconds; the whole layer fades in at 0 and
/// fades out at `gone`.
InStep layer_lap(const TimeRange& base, const TimeRange& layer, double start, double gone,
                 const LayerOptions& options) {
    const double end = std::min(start + layer.duration(), gone);
    // Intervals that are short compared with the fade.
    const double steps = options.fade > 0 ? std::ceil((end - start) * fade_steps / options.fade) : 1;
    InStep lap{0, 1, {}, {}, {}};
    for (const double t : even_numbers(start, end, static_cast<int>(std::clamp(steps, 1.0, 1e5)))) {
        const double nearest_end = std::min(t, gone - t);
        const double here = options.fade > 0 ? smooth_share(nearest_end / options.fade) : 1;
        lap.first_times.push_back(base.start + t);
        lap.second_times.push_back(layer.start + t - start);
        lap.weights.push_back(options.weight * here);
    }
    return lap;
}

}  // namespace

double StepPhase::phase_at(double time) const {
    return on_broken_line(times, phases, time);
}

double StepPhase::time_at(double phase) const {
    return on_broken_line(phases, times, phase);
}

JoinResult join_clips(const Skeleton& skeleton, std::span<const JoinPiece> pieces, const JoinOptions& options,
                      Monitor& monitor) {
    return Joiner(skeleton, pieces, options, monitor).run();
}

Clip mix_clips(const Skeleton& skeleton, const Clip& first, const Clip& second, const MixOptions& options,
               Monitor& monitor) {
    check_weight(options.weight);
    const TimeRange a = playable_range(first, first.name), b = playable_range(second, second.name);
    std::optional<InStep> both;
    if (options.match_steps) {
        both = common_steps(skeleton, first, second, options.steps);
        if (!both) warn(monitor, "blend-no-steps", "the clips have no steps in common, so none are matched");
    }
    const double length = std::min(a.duration(), b.duration());
    if (!both) both = InStep{0, 1, {a.start, a.start + length}, {b.start, b.start + length}, {}};
    both->weights.assign(both->first_times.size(), options.weight);
    BlendTimeline timeline;
    timeline.sources = {{&first, {}}, {&second, {}}};
    if (options.align) {
        timeline.sources[1].move =
            align_on_ground(skeleton, {&first, both->first_times.front(), both->first_times.back()},
                            {&second, both->second_times.front(), both->second_times.back()}, 0);
    }
    append(timeline, *both);
    Clip clip = played(timeline, skeleton, shared_rate(options.rate, first, second), monitor);
    clip.name = first.name;
    return clip;
}

Clip layer_clips(const Skeleton& skeleton, const Clip& base, const Clip& layer, const LayerOptions& options,
                 Monitor& monitor) {
    check_weight(options.weight);
    const TimeRange below = playable_range(base, base.name), over = playable_range(layer, layer.name);
    BlendTimeline timeline;
    timeline.sources = {{&base, {}}, {&layer, {}}};
    timeline.mask = mask_below(skeleton, options.joints);
    const double gone = options.repeat ? below.duration() : std::min(below.duration(), over.duration());
    if (gone / over.duration() > 1e4) fail(layer.name, "is too short to be repeated for {:.1f} s", gone);
    for (double start = 0; start < gone - 1e-9; start += over.duration())
        append(timeline, layer_lap(below, over, start, gone, options));
    append(timeline, 0, below.start + gone, below.end);
    Clip clip = played(timeline, skeleton, shared_rate(options.rate, base, layer), monitor);
    clip.name = base.name;
    return clip;
}

}  // namespace sinew::motion
