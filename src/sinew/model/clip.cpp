// SPDX-License-Identifier: MIT
#include "sinew/model/clip.h"

#include <cmath>
#include <limits>

#include "sinew/base/error.h"

namespace sinew::model {
namespace {

Vec3d widen(const Vec3f& v) {
    return v.cast<double>();
}
math::Vec4d widen(const Quatf& q) {
    return q.coeffs().cast<double>();
}
double widen(float v) {
    return v;
}

/// Interpolation component by component: step, linear or cubic.
template <class Value>
auto sample_components(const Keys<Value>& keys, const KeyTimes::Span& span) {
    using Wide = decltype(widen(keys.values[0]));
    const std::size_t i = span.index;
    const double t = span.fraction;
    if (keys.times.size() == 1) return Wide(widen(keys.at_key(0)));
    if (keys.mode == Interpolation::step) return Wide(widen(keys.at_key(t >= 1 ? i + 1 : i)));
    const Wide a = widen(keys.at_key(i)), b = widen(keys.at_key(i + 1));
    if (keys.mode == Interpolation::linear) return Wide((1 - t) * a + t * b);
    // Cubic Hermite spline; tangents are per second, hence the length of the span (glTF 2.0, appendix C).
    const double length = keys.times[i + 1] - keys.times[i];
    const Wide out = length * widen(keys.values[i * 3 + 2]);
    const Wide in = length * widen(keys.values[(i + 1) * 3]);
    const double t2 = t * t, t3 = t2 * t;
    return Wide((2 * t3 - 3 * t2 + 1) * a + (t3 - 2 * t2 + t) * out + (-2 * t3 + 3 * t2) * b +
                (t3 - t2) * in);
}

/// Calls `visit` with each key list of the clip.
template <class Visit>
void for_each_keys(const Clip& clip, const Visit& visit) {
    for (const Track& track : clip.tracks) {
        visit(track.translation);
        visit(track.rotation);
        visit(track.scale);
    }
    for (const MorphTrack& track : clip.morph_tracks) visit(track.weight);
}

Vec3f narrow(const Vec3d& v) {
    return v.cast<float>();
}
Quatf narrow(const Quatd& q) {
    return q.cast<float>();
}
float narrow(double v) {
    return static_cast<float>(v);
}

/// Puts the rotations of neighbouring keys in one hemisphere, so that linear blending takes the short path.
template <class Value>
void make_continuous(std::vector<Value>&) {}
void make_continuous(std::vector<Quatf>& values) {
    for (std::size_t i = 1; i < values.size(); ++i) values[i] = math::aligned(values[i], values[i - 1]);
}

template <class Value>
Keys<Value> resampled(const Keys<Value>& keys, double start, double rate, std::size_t count) {
    Keys<Value> result;
    if (keys.empty()) return result;
    result.times = KeyTimes::even(0, 1 / rate, count);
    result.values.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        result.values.push_back(narrow(sample(keys, start + static_cast<double>(i) / rate)));
    }
    make_continuous(result.values);
    return result;
}

template <class Value>
Keys<Value> trimmed(const Keys<Value>& keys, double start, double end) {
    Keys<Value> result;
    if (keys.empty()) return result;
    result.mode = keys.mode == Interpolation::step ? Interpolation::step : Interpolation::linear;
    std::vector<float> times{0};
    result.values.push_back(narrow(sample(keys, start)));
    for (std::size_t i = 0; i < keys.times.size(); ++i) {
        const double time = keys.times[i];
        const auto moved = static_cast<float>(time - start);
        // Checked in single precision, so that times still increase after rounding.
        if (moved <= times.back() || moved >= static_cast<float>(end - start)) continue;
        times.push_back(moved);
        result.values.push_back(keys.at_key(i));
    }
    if (end > start) {
        times.push_back(static_cast<float>(end - start));
        result.values.push_back(narrow(sample(keys, end)));
    }
    make_continuous(result.values);
    result.times = KeyTimes::listed(std::move(times));
    return result;
}

/// The same operation on every key list of a clip.
template <class Change>
Clip changed(const Clip& clip, const Change& change) {
    Clip result;
    result.name = clip.name;
    for (const Track& track : clip.tracks) {
        result.tracks.push_back(
            {track.joint, change(track.translation), change(track.rotation), change(track.scale)});
    }
    for (const MorphTrack& track : clip.morph_tracks)
        result.morph_tracks.push_back({track.morph, change(track.weight)});
    return result;
}

bool finite(const Vec3f& v) {
    return v.allFinite();
}
bool finite(const Quatf& q) {
    return q.coeffs().allFinite();
}
bool finite(float v) {
    return std::isfinite(v);
}

/// True when a rotation is too short to be normalised.
bool vanishes(const Quatf& q) {
    return !(q.coeffs().norm() > 1e-6f);
}
template <class Value>
bool vanishes(const Value&) {
    return false;
}

template <class Value>
void check_keys(const Keys<Value>& keys, std::string_view what, std::string_view location) {
    if (keys.values.size() != keys.times.size() * keys.stride()) {
        fail(location, "{} has {} values for {} keys", what, keys.values.size(), keys.times.size());
    }
    for (std::size_t i = 0; i < keys.times.size(); ++i) {
        if (!std::isfinite(keys.times[i])) fail(location, "{} has a key time that is not finite", what);
        if (i > 0 && keys.times[i] <= keys.times[i - 1]) {
            fail(location, "{} has key times that do not rise at key {}", what, i);
        }
    }
    for (std::size_t i = 0; i < keys.values.size(); ++i) {
        if (!finite(keys.values[i]))
            fail(location, "{} has a value that is not finite at key {}", what, i / keys.stride());
    }
    for (std::size_t i = 0; i < keys.times.size(); ++i) {
        if (vanishes(keys.at_key(i))) fail(location, "{} has a rotation of length 0 at key {}", what, i);
    }
}

}  // namespace

TimeRange time_range(const Clip& clip) {
    TimeRange range{std::numeric_limits<double>::max(), std::numeric_limits<double>::lowest()};
    for_each_keys(clip, [&](const auto& keys) {
        if (keys.empty()) return;
        range.start = std::min(range.start, keys.times.front());
        range.end = std::max(range.end, keys.times.back());
    });
    return range.start > range.end ? TimeRange{} : range;
}

double frame_rate(const Clip& clip, double fallback) {
    double rate = 0;
    for_each_keys(clip, [&](const auto& keys) {
        if (keys.times.size() < 2) return;
        const double step = keys.times.is_even() ? keys.times.step()
                                                 : (keys.times.back() - keys.times.front()) /
                                                       static_cast<double>(keys.times.size() - 1);
        rate = std::max(rate, 1 / step);
    });
    return rate > 0 ? rate : fallback;
}

std::size_t frame_count(const Clip& clip) {
    if (clip.empty()) return 0;
    // With very different spacing of two lists, the number of frames can exceed the range of integers.
    return static_cast<std::size_t>(std::min(time_range(clip).duration() * frame_rate(clip), 1e15) + 0.5) + 1;
}

std::size_t sample_count(const TimeRange& range, double rate) {
    const double frames = range.duration() * rate;
    if (!(frames >= 0 && frames < 1e7)) {
        fail("", "{} seconds at {} frames per second are too many frames", range.duration(), rate);
    }
    return static_cast<std::size_t>(std::lround(frames)) + 1;
}

double frame_time(const Clip& clip, std::size_t frame) {
    const TimeRange range = time_range(clip);
    return std::min(range.end, range.start + static_cast<double>(frame) / frame_rate(clip));
}

Vec3d sample(const Keys<Vec3f>& keys, double time) {
    return sample_components(keys, keys.times.span(time));
}

double sample(const Keys<float>& keys, double time) {
    return sample_components(keys, keys.times.span(time));
}

Quatd sample(const Keys<Quatf>& keys, double time) {
    const KeyTimes::Span span = keys.times.span(time);
    if (keys.mode == Interpolation::linear && keys.times.size() > 1) {
        const Quatd a = keys.at_key(span.index).cast<double>().normalized();
        const Quatd b = keys.at_key(span.index + 1).cast<double>().normalized();
        return math::slerp(span.fraction, a, b);
    }
    Quatd q;
    q.coeffs() = sample_components(keys, span);
    q.normalize();
    return q;
}

std::vector<Transform> sample(const Clip& clip, const Skeleton& skeleton, double time) {
    std::vector<Transform> local;
    local.reserve(skeleton.size());
    for (const Joint& joint : skeleton.joints) local.push_back(joint.rest);
    for (const Track& track : clip.tracks) {
        Transform& transform = local[static_cast<std::size_t>(track.joint)];
        if (!track.translation.empty()) transform.translation = sample(track.translation, time);
        if (!track.rotation.empty()) transform.rotation = sample(track.rotation, time);
        if (!track.scale.empty()) transform.scale = sample(track.scale, time);
    }
    return local;
}

void sample_morphs(const Clip& clip, double time, std::span<float> weights) {
    for (const MorphTrack& track : clip.morph_tracks) {
        if (!track.weight.empty()) {
            weights[static_cast<std::size_t>(track.morph)] = static_cast<float>(sample(track.weight, time));
        }
    }
}

Clip trimmed(const Clip& clip, double start, double end) {
    const TimeRange range = time_range(clip);
    const double from = std::clamp(start, range.start, range.end);
    const double to = std::clamp(end, from, range.end);
    return changed(clip, [&](const auto& keys) { return trimmed(keys, from, to); });
}

Clip resampled(const Clip& clip, double rate) {
    const TimeRange range = time_range(clip);
    const std::size_t count = sample_count(range, rate);
    return changed(clip, [&](const auto& keys) { return resampled(keys, range.start, rate, count); });
}

void validate(const Clip& clip, std::size_t joint_count, std::size_t morph_count, std::string_view location) {
    int previous = -1;
    for (const Track& track : clip.tracks) {
        const std::string what = fmt::format("clip \"{}\", track of joint {}", clip.name, track.joint);
        if (track.joint < 0 || static_cast<std::size_t>(track.joint) >= joint_count) {
            fail(location, "{}: there are only {} joints", what, joint_count);
        }
        if (track.joint <= previous) fail(location, "{}: tracks are not in the order of the joints", what);
        previous = track.joint;
        check_keys(track.translation, what + " (translation)", location);
        check_keys(track.rotation, what + " (rotation)", location);
        check_keys(track.scale, what + " (scale)", location);
    }
    for (const MorphTrack& track : clip.morph_tracks) {
        const std::string what = fmt::format("clip \"{}\", track of morph {}", clip.name, track.morph);
        if (track.morph < 0 || static_cast<std::size_t>(track.morph) >= morph_count) {
            fail(location, "{}: there are only {} morphs", what, morph_count);
        }
        check_keys(track.weight, what, location);
    }
}

namespace {

/// True when times are evenly spaced up to rounding in single precision.
bool evenly_spaced(const std::vector<float>& times, double step) {
    const double tolerance =
        4 * 1.1920929e-7 * std::max({std::abs(times.front()), std::abs(times.back()), 1e-3f});
    for (std::size_t i = 0; i < times.size(); ++i) {
        // The comparison is written so that a NaN time fails it.
        if (!(std::abs(times[i] - (times.front() + step * static_cast<double>(i))) <= tolerance))
            return false;
    }
    return tolerance < step / 4;
}

/// A step read in single precision has an error of a few units in the last digit. Capture rates are round
/// numbers.
double snapped_step(double step) {
    for (const double scale : {1.0, 1000.0}) {
        const double rate = scale / step;
        const double nearest = std::round(rate);
        if (nearest >= 1 && std::abs(rate - nearest) < 1e-5 * nearest) return scale / nearest;
    }
    return step;
}

}  // namespace

KeyTimes KeyTimes::even(double start, double step, std::size_t count) {
    KeyTimes times;
    times.start_ = start;
    times.step_ = step;
    times.count_ = count;
    return times;
}

KeyTimes KeyTimes::listed(std::vector<float> times) {
    KeyTimes result;
    if (times.size() == 1) return even(times[0], 0, 1);
    if (times.size() > 2) {
        const double measured =
            (static_cast<double>(times.back()) - times.front()) / static_cast<double>(times.size() - 1);
        for (const double step : {snapped_step(measured), measured}) {
            if (evenly_spaced(times, step)) return even(times.front(), step, times.size());
        }
    }
    result.count_ = times.size();
    result.times_ = std::move(times);
    return result;
}

KeyTimes::Span KeyTimes::span(double time) const {
    if (count_ < 2 || !(time > front())) return {0, 0};  // NaN counts as before the start
    if (time >= back()) return {count_ - 2, 1};
    std::size_t index = 0;
    if (is_even()) {
        index = std::min(static_cast<std::size_t>((time - start_) / step_), count_ - 2);
    } else {
        const auto after = std::upper_bound(times_.begin(), times_.end(), time,
                                            [](double t, float key) { return t < static_cast<double>(key); });
        index = static_cast<std::size_t>(after - times_.begin()) - 1;
    }
    const double from = (*this)[index], to = (*this)[index + 1];
    return {index, std::clamp((time - from) / (to - from), 0.0, 1.0)};
}

}  // namespace sinew::model
