// SPDX-License-Identifier: MIT
#include "extend_keys.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "actions.h"
#include "motion_edit.h"
#include "motion_layer.h"
#include "shared/plural.h"

#include "sinew/base/error.h"
#include "sinew/math/quaternion.h"

namespace sinew::studio {
namespace {

using math::Quatf;
using model::Interpolation;
using model::Keys;

constexpr std::array names = {"constant", "linear", "repeat", "repeat-offset", "mirror"};
constexpr double slope_step = 1e-3;  ///< seconds, of numerical slopes
constexpr double same_time = 1e-4;   ///< seconds: below this nothing is added
constexpr double lowest_rate = 30;   ///< frames per second: a clip made by hand may have one key per second

/// A value extrapolated by `count` times the step from a to b.
template <class Value>
Value gone_on(const Value& value, const Value& a, const Value& b, double count) {
    if constexpr (std::is_same_v<Value, Quatd>) {
        const Vec3d offset = math::rotation_vector<double>((b * a.conjugate()).normalized());
        return (math::from_rotation_vector<double>(Vec3d(count * offset)) * value).normalized();
    } else {
        return value + count * (b - a);
    }
}

/// The value of keys at any time, by a rule outside their range.
template <class Key>
auto value_at(const Keys<Key>& keys, double time, const Extension& extension) {
    using Value = decltype(model::sample(keys, time));
    const double first = keys.times.front(), last = keys.times.back(), span = last - first;
    if ((time >= first && time <= last) || span <= 0) return model::sample(keys, time);
    const bool late = time > last;
    const Beyond rule = late ? extension.after : extension.before;
    const Value start = model::sample(keys, first), end = model::sample(keys, last);
    const double laps = std::floor((time - first) / span);
    const double inside = std::clamp(time - laps * span, first, last);
    switch (rule) {
        case Beyond::linear: {
            if (keys.mode == Interpolation::step) break;  // the slope is zero at both ends
            const double step = std::min(slope_step, span);
            const Value a = late ? model::sample(keys, last - step) : start;
            const Value b = late ? end : model::sample(keys, first + step);
            return gone_on(late ? end : start, a, b, (time - (late ? last : first)) / step);
        }
        case Beyond::repeat:
            return model::sample(keys, inside);
        case Beyond::repeat_offset:
            return gone_on(Value(model::sample(keys, inside)), start, end, laps);
        case Beyond::mirror:
            return model::sample(keys, std::fmod(std::abs(laps), 2) == 1 ? first + last - inside : inside);
        default:
            break;
    }
    return late ? end : start;
}

template <class Value, class Key>
Key as_key(const Value& value, const Key& near) {
    if constexpr (std::is_same_v<Key, Quatf>) {
        Quatf key = value.template cast<float>();
        if (key.coeffs().dot(near.coeffs()) < 0) key.coeffs() = -key.coeffs();
        return key;
    } else if constexpr (std::is_same_v<Key, float>) {
        return static_cast<float>(value);
    } else {
        return value.template cast<float>();
    }
}

/// Change per second from one key to another one.
template <class Key>
Key slope_of(const Key& from, const Key& to, double seconds) {
    const auto span = static_cast<float>(seconds);
    if constexpr (std::is_same_v<Key, Quatf>) {
        Key slope;
        slope.coeffs() = (to.coeffs() - from.coeffs()) / span;
        return slope;
    } else {
        return (to - from) / span;
    }
}

template <class Key>
float size_of(const Key& slope) {
    if constexpr (std::is_same_v<Key, Quatf>)
        return slope.coeffs().norm();
    else if constexpr (std::is_same_v<Key, float>)
        return std::abs(slope);
    else
        return slope.norm();
}

/// Times on one side of the keys, in order of their distance.
std::vector<double> times_beyond(double end, double goal, Beyond rule, double rate) {
    const double length = std::abs(goal - end), sign = goal < end ? -1 : 1;
    if (length < same_time) return {};
    if (rule == Beyond::constant) return {goal};
    std::vector<double> times;
    const std::size_t count = model::sample_count({0, length}, rate);
    for (std::size_t i = 1; i < count; ++i)
        if (const double offset = static_cast<double>(i) / rate; offset < length - same_time)
            times.push_back(end + sign * offset);
    times.push_back(goal);
    return times;
}

/// Values of one key: the value alone, or with its tangents.
template <class Key>
std::vector<Key> key_at(const Keys<Key>& keys, const Extension& extension, double time, const Key& near) {
    const Key value = as_key(value_at(keys, time, extension), near);
    if (keys.mode != Interpolation::cubic) return {value};
    const Key before = as_key(value_at(keys, time - slope_step, extension), value);
    const Key after = as_key(value_at(keys, time + slope_step, extension), value);
    // At a seam the curve may jump: the slope is that of the side without the jump.
    const Key in = slope_of(before, value, slope_step), out = slope_of(value, after, slope_step);
    const Key& slope = size_of(in) < size_of(out) ? in : out;
    return {slope, value, slope};
}

template <class Key>
void extend(Keys<Key>& keys, const Extension& extension, double rate) {
    if (keys.empty()) return;
    const double first = keys.times.front(), last = keys.times.back();
    const auto before = extension.from < first ? times_beyond(first, extension.from, extension.before, rate)
                                               : std::vector<double>();
    const auto after =
        extension.to > last ? times_beyond(last, extension.to, extension.after, rate) : std::vector<double>();
    std::vector<float> times;
    std::vector<std::vector<Key>> early, late;
    for (Key near = keys.at_key(0); const double time : before) {
        early.push_back(key_at(keys, extension, time, near));
        near = early.back()[early.back().size() / 2];
    }
    for (Key near = keys.at_key(keys.times.size() - 1); const double time : after) {
        late.push_back(key_at(keys, extension, time, near));
        near = late.back()[late.back().size() / 2];
    }
    std::vector<Key> values;
    for (std::size_t i = before.size(); i-- > 0;) {
        times.push_back(static_cast<float>(before[i]));
        values.insert(values.end(), early[i].begin(), early[i].end());
    }
    const std::size_t own = values.size();
    for (std::size_t i = 0; i < keys.times.size(); ++i) times.push_back(static_cast<float>(keys.times[i]));
    values.insert(values.end(), keys.values.begin(), keys.values.end());
    if (keys.mode == Interpolation::cubic) {
        // The outer tangents of the first and the last key are used now; just beyond the seam there is no
        // jump.
        const auto slope_beyond = [&](double from, const Key& near) {
            const Key a = as_key(value_at(keys, from, extension), near);
            return slope_of(a, as_key(value_at(keys, from + slope_step, extension), a), slope_step);
        };
        if (!before.empty()) values[own] = slope_beyond(first - 2 * slope_step, keys.at_key(0));
        if (!after.empty())
            values.back() = slope_beyond(last + slope_step, keys.at_key(keys.times.size() - 1));
    }
    for (std::size_t i = 0; i < after.size(); ++i) {
        times.push_back(static_cast<float>(after[i]));
        values.insert(values.end(), late[i].begin(), late[i].end());
    }
    keys.times = model::KeyTimes::listed(std::move(times));
    keys.values = std::move(values);
}

template <class Key>
void shift(Keys<Key>& keys, double by) {
    std::vector<float> times;
    for (std::size_t i = 0; i < keys.times.size(); ++i)
        times.push_back(std::max(static_cast<float>(keys.times[i] + by), 0.0f));
    keys.times = model::KeyTimes::listed(std::move(times));
}

void shift(model::Clip& clip, double by) {
    for (model::Track& track : clip.tracks) {
        shift(track.translation, by);
        shift(track.rotation, by);
        shift(track.scale, by);
    }
    for (model::MorphTrack& track : clip.morph_tracks) shift(track.weight, by);
}

std::size_t key_count(const model::Clip& clip) {
    std::size_t count = 0;
    for (const model::Track& track : clip.tracks)
        count += track.translation.times.size() + track.rotation.times.size() + track.scale.times.size();
    for (const model::MorphTrack& track : clip.morph_tracks) count += track.weight.times.size();
    return count;
}

}  // namespace

std::span<const char* const> beyond_names() {
    return names;
}

model::Clip extended(const model::Clip& clip, int joint, const Extension& extension, double rate) {
    if (!(extension.to > extension.from) || !std::isfinite(extension.to - extension.from))
        fail("extend", "the end of the range must come after its start");
    model::Clip result = clip;
    for (model::Track& track : result.tracks) {
        if (joint >= 0 && track.joint != joint) continue;
        extend(track.translation, extension, rate);
        extend(track.rotation, extension, rate);
        extend(track.scale, extension, rate);
    }
    if (joint < 0)
        for (model::MorphTrack& track : result.morph_tracks) extend(track.weight, extension, rate);
    return result;
}

Extension chosen_extension(const State& state) {
    const MotionTool& tool = state.motion_tool;
    return {static_cast<Beyond>(tool.before), static_cast<Beyond>(tool.after), tool.from, tool.to};
}

double extension_rate(const State& state) {
    const model::Clip* clip = state.playing_clip();
    return clip == nullptr ? lowest_rate : std::max(model::frame_rate(*clip, lowest_rate), lowest_rate);
}

void extend_clip(State& state) {
    const MotionTool& tool = state.motion_tool;
    const int joint = tool.extend_all ? -1 : selected_joint(state);
    if (!tool.extend_all && joint < 0) {
        state.messages.add(Severity::error, "extend: select a joint, or take all joints");
        return;
    }
    const Extension extension = chosen_extension(state);
    const double rate = extension_rate(state);
    const model::TimeRange whole =
        state.playing_clip() ? model::time_range(*state.playing_clip()) : model::TimeRange{};
    std::size_t added = 0;
    const bool done = edit_keys(state, "extend keys", [&](const model::Clip& old) {
        const bool layered = tool.layer || shown_layer(state) != nullptr;
        if (layered && (extension.from < whole.start - same_time || extension.to > whole.end + same_time))
            fail("extend", "keys under or in a layer cannot go beyond the clip: merge the layer first");
        model::Clip made = extended(old, joint, extension, rate);
        added = key_count(made) - key_count(old);
        if (added == 0) fail("extend", "there are no keys, or they fill the range already");
        if (extension.from < 0) shift(made, -extension.from);
        return made;
    });
    if (!done) return;
    std::string text =
        fmt::format("baked {} before (by {}) and after (by {}) the others: a clip itself holds no such rule",
                    app::count_of(added, "key"), names[static_cast<std::size_t>(tool.before)],
                    names[static_cast<std::size_t>(tool.after)]);
    if (extension.from < 0) text += fmt::format("; the whole clip begins {:.2f} s later", -extension.from);
    state.messages.add(Severity::note, text);
}

}  // namespace sinew::studio
