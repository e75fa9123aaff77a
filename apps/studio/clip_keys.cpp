// SPDX-License-Identifier: MIT
#include "clip_keys.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/math/quaternion.h"

namespace sinew::studio {
namespace {

using math::Quatf;
using model::Interpolation;
using model::Keys;

constexpr double same_time = 1e-5;
constexpr double slope_step = 1e-4;  ///< seconds, of numerical slopes

model::Track* find_track(model::Clip& clip, int joint) {
    const auto found = std::ranges::find(clip.tracks, joint, &model::Track::joint);
    return found == clip.tracks.end() ? nullptr : &*found;
}

model::Track& track_of(model::Clip& clip, int joint) {
    if (model::Track* found = find_track(clip, joint)) return *found;
    model::Track fresh;
    fresh.joint = joint;
    const auto behind = std::ranges::upper_bound(clip.tracks, joint, {}, &model::Track::joint);
    return *clip.tracks.insert(behind, std::move(fresh));
}

std::vector<float> listed(const model::KeyTimes& times) {
    std::vector<float> list;
    for (std::size_t i = 0; i < times.size(); ++i) list.push_back(static_cast<float>(times[i]));
    return list;
}

/// The slope of a smooth curve through a key (Catmull and Rom 1974), flat at the ends.
template <class Value>
Value smooth_slope(const Keys<Value>& keys, std::size_t i) {
    const std::size_t n = keys.times.size();
    Value slope = keys.at_key(i);
    const std::size_t a = i == 0 ? 0 : i - 1, b = i + 1 < n ? i + 1 : i;
    const auto span = static_cast<float>(keys.times[b] - keys.times[a]);
    const bool inner = i > 0 && i + 1 < n && span > 0;
    if constexpr (std::is_same_v<Value, Quatf>) {
        slope.coeffs().setZero();
        if (inner) {
            math::Vec4f before = keys.at_key(a).coeffs(), after = keys.at_key(b).coeffs();
            if (before.dot(keys.at_key(i).coeffs()) < 0) before = -before;
            if (after.dot(keys.at_key(i).coeffs()) < 0) after = -after;
            slope.coeffs() = (after - before) / span;
        }
    } else {
        slope.setZero();
        if (inner) slope = (keys.at_key(b) - keys.at_key(a)) / span;
    }
    return slope;
}

/// Which keys are smooth; others have tangents that the user has set, which stay.
template <class Value>
std::vector<char> smooth_keys(const Keys<Value>& keys) {
    std::vector<char> flags;
    for (std::size_t i = 0; keys.mode == Interpolation::cubic && i < keys.times.size(); ++i) {
        const Value slope = smooth_slope(keys, i);
        flags.push_back(keys.values[3 * i].isApprox(slope, 1e-4f) &&
                        keys.values[3 * i + 2].isApprox(slope, 1e-4f));
    }
    return flags;
}

template <class Value>
void smooth(Keys<Value>& keys, const std::vector<char>& flags) {
    for (std::size_t i = 0; i < flags.size(); ++i)
        if (flags[i]) keys.values[3 * i] = keys.values[3 * i + 2] = smooth_slope(keys, i);
}

template <class Value>
void set_mode(Keys<Value>& keys, Interpolation mode) {
    if (keys.mode == mode) return;
    std::vector<Value> values;
    for (std::size_t i = 0; i < keys.times.size(); ++i) {
        const Value& value = keys.at_key(i);
        if (mode == Interpolation::cubic) values.insert(values.end(), {value, value, value});
        if (mode != Interpolation::cubic) values.push_back(value);
    }
    keys.values = std::move(values);
    keys.mode = mode;
    if (mode == Interpolation::cubic) smooth(keys, std::vector<char>(keys.times.size(), 1));
}

template <class Value>
void set_value(Keys<Value>& keys, std::size_t key, const Value& value) {
    const std::vector<char> flags = smooth_keys(keys);
    keys.values[key * keys.stride() + (keys.stride() == 3 ? 1 : 0)] = value;
    smooth(keys, flags);
}

template <class Value>
void move(Keys<Value>& keys, std::size_t key, double time) {
    std::vector<float> times = listed(keys.times);
    const float gap = 1e-3f;
    const float low = key == 0 ? 0.0f : times[key - 1] + gap;
    const float high = key + 1 < times.size() ? times[key + 1] - gap : std::numeric_limits<float>::max();
    if (low > high) return;
    const std::vector<char> flags = smooth_keys(keys);
    times[key] = std::clamp(static_cast<float>(time), low, high);
    keys.times = model::KeyTimes::listed(std::move(times));
    smooth(keys, flags);
}

template <class Value>
std::size_t insert(Keys<Value>& keys, double time, const Value& value) {
    std::vector<float> times = listed(keys.times);
    std::size_t at = 0;
    while (at < times.size() && static_cast<double>(times[at]) < time - same_time) ++at;
    if (at < times.size() && std::abs(static_cast<double>(times[at]) - time) <= same_time) return at;
    std::vector<char> flags = smooth_keys(keys);
    if (keys.mode == Interpolation::cubic) flags.insert(flags.begin() + static_cast<std::ptrdiff_t>(at), 1);
    times.insert(times.begin() + static_cast<std::ptrdiff_t>(at), static_cast<float>(time));
    const std::size_t stride = keys.stride();
    keys.values.insert(keys.values.begin() + static_cast<std::ptrdiff_t>(at * stride), stride, value);
    keys.times = model::KeyTimes::listed(std::move(times));
    smooth(keys, flags);
    return at;
}

template <class Value>
void erase(Keys<Value>& keys, std::size_t key) {
    if (keys.times.size() < 2) return;
    std::vector<float> times = listed(keys.times);
    std::vector<char> flags = smooth_keys(keys);
    if (!flags.empty()) flags.erase(flags.begin() + static_cast<std::ptrdiff_t>(key));
    times.erase(times.begin() + static_cast<std::ptrdiff_t>(key));
    const auto first = keys.values.begin() + static_cast<std::ptrdiff_t>(key * keys.stride());
    keys.values.erase(first, first + static_cast<std::ptrdiff_t>(keys.stride()));
    keys.times = model::KeyTimes::listed(std::move(times));
    smooth(keys, flags);
}

/// Calls a function with the keys of a property of a joint, if it has any.
template <class Clip, class Visit>
void visit(Clip& clip, int joint, KeyProperty property, const Visit& with) {
    for (auto& track : clip.tracks) {
        if (track.joint != joint) continue;
        if (property == KeyProperty::position)
            with(track.translation);
        else
            with(track.rotation);
    }
}

Vec3d vector_of(const std::array<double, 3>& v) {
    return {v[0], v[1], v[2]};
}

}  // namespace

std::vector<double> key_times(const model::Clip& clip, int joint, KeyProperty property) {
    std::vector<double> times;
    visit(clip, joint, property, [&](const auto& keys) {
        for (std::size_t i = 0; i < keys.times.size(); ++i) times.push_back(keys.times[i]);
    });
    return times;
}

std::array<double, 3> key_values(const model::Clip& clip, const model::Skeleton& skeleton, int joint,
                                 KeyProperty property, double time) {
    const Transform& rest = skeleton.joints[static_cast<std::size_t>(joint)].rest;
    Vec3d position = rest.translation;
    Quatd rotation = rest.rotation;
    visit(clip, joint, property, [&](const auto& keys) {
        if (keys.empty()) return;
        if constexpr (std::is_same_v<std::decay_t<decltype(keys)>, Keys<Quatf>>)
            rotation = model::sample(keys, time);
        else
            position = model::sample(keys, time);
    });
    if (property == KeyProperty::position) return {position.x(), position.y(), position.z()};
    const Vec3d angles = to_degrees(angle_frame(skeleton, joint), rotation.normalized());
    return {angles.x(), angles.y(), angles.z()};
}

void move_key(model::Clip& clip, int joint, KeyProperty property, std::size_t key, double time) {
    visit(clip, joint, property, [&](auto& keys) {
        if (key < keys.times.size()) move(keys, key, time);
    });
}

void set_key(model::Clip& clip, int joint, KeyProperty property, std::size_t key,
             const std::array<double, 3>& values, const AngleFrame& frame) {
    visit(clip, joint, property, [&](auto& keys) {
        if (key >= keys.times.size()) return;
        if constexpr (std::is_same_v<std::decay_t<decltype(keys)>, Keys<Quatf>>)
            set_value(keys, key, Quatf(to_rotation(frame, vector_of(values)).cast<float>()));
        else
            set_value(keys, key, Vec3f(vector_of(values).cast<float>()));
    });
}

void set_curve_key(model::Clip& clip, const model::Skeleton& skeleton, int joint, KeyProperty property,
                   std::size_t key, const std::array<double, 3>& values) {
    if (property == KeyProperty::position) return set_key(clip, joint, property, key, values);
    set_key(clip, joint, property, key, within_limits(skeleton, joint, values), angle_frame(skeleton, joint));
}

std::size_t add_key(model::Clip& clip, const model::Skeleton& skeleton, int joint, KeyProperty property,
                    double time) {
    const Transform& rest = skeleton.joints[static_cast<std::size_t>(joint)].rest;
    model::Track& track = track_of(clip, joint);
    if (property == KeyProperty::position) {
        const Vec3d now =
            track.translation.empty() ? rest.translation : model::sample(track.translation, time);
        return insert(track.translation, time, Vec3f(now.cast<float>()));
    }
    const Quatd now = track.rotation.empty() ? rest.rotation : model::sample(track.rotation, time);
    return insert(track.rotation, time, Quatf(now.cast<float>()));
}

void delete_key(model::Clip& clip, int joint, KeyProperty property, std::size_t key) {
    visit(clip, joint, property, [&](auto& keys) {
        if (key < keys.times.size()) erase(keys, key);
    });
}

std::array<double, 3> key_slope(const model::Clip& clip, int joint, KeyProperty property, std::size_t key,
                                bool after, const AngleFrame& frame) {
    std::array<double, 3> slope = {0, 0, 0};
    visit(clip, joint, property, [&](const auto& keys) {
        if (keys.mode != Interpolation::cubic || key >= keys.times.size()) return;
        const auto& tangent = keys.values[3 * key + (after ? 2 : 0)];
        Vec3d rate;
        if constexpr (std::is_same_v<std::decay_t<decltype(keys)>, Keys<Quatf>>) {
            const Quatd here = keys.at_key(key).template cast<double>();
            Quatd there = here;
            there.coeffs() += slope_step * tangent.coeffs().template cast<double>();
            const Vec3d change = to_degrees(frame, there.normalized()) - to_degrees(frame, here.normalized());
            for (int c = 0; c < 3; ++c) rate[c] = std::remainder(change[c], 360.0) / slope_step;
        } else {
            rate = tangent.template cast<double>();
        }
        slope = {rate[0], rate[1], rate[2]};
    });
    return slope;
}

void set_slope(model::Clip& clip, int joint, KeyProperty property, std::size_t key, KeySide side,
               const std::array<double, 3>& slope, const AngleFrame& frame) {
    visit(clip, joint, property, [&](auto& keys) {
        if (keys.mode != Interpolation::cubic || key >= keys.times.size()) return;
        auto tangent = keys.at_key(key);
        if constexpr (std::is_same_v<std::decay_t<decltype(keys)>, Keys<Quatf>>) {
            const Quatd here = keys.at_key(key).template cast<double>().normalized();
            const Vec3d angles = to_degrees(frame, here);
            Quatd there = to_rotation(frame, Vec3d(angles + slope_step * vector_of(slope)));
            if (there.coeffs().dot(here.coeffs()) < 0) there.coeffs() = -there.coeffs();
            tangent.coeffs() = ((there.coeffs() - here.coeffs()) / slope_step).template cast<float>();
        } else {
            tangent = vector_of(slope).template cast<float>();
        }
        if (side != KeySide::after) keys.values[3 * key] = tangent;
        if (side != KeySide::before) keys.values[3 * key + 2] = tangent;
    });
}

void smooth_key(model::Clip& clip, int joint, KeyProperty property, std::size_t key) {
    visit(clip, joint, property, [&](auto& keys) {
        if (keys.mode != Interpolation::cubic || key >= keys.times.size()) return;
        keys.values[3 * key] = keys.values[3 * key + 2] = smooth_slope(keys, key);
    });
}

void rotate_keys(model::Clip& clip, const model::Skeleton& skeleton, int joint, const Quatd& by) {
    Keys<Quatf>& keys = track_of(clip, joint).rotation;
    if (keys.empty()) {
        keys.times = model::KeyTimes::listed({static_cast<float>(model::time_range(clip).start)});
        keys.mode = Interpolation::linear;
        keys.values = {skeleton.joints[static_cast<std::size_t>(joint)].rest.rotation.cast<float>()};
    }
    // The product is linear in the keys and their tangents.
    for (Quatf& value : keys.values) value = by.cast<float>() * value;
}

void set_interpolation(model::Clip& clip, int joint, KeyProperty property, Interpolation mode) {
    visit(clip, joint, property, [&](auto& keys) { set_mode(keys, mode); });
}

Interpolation interpolation_of(const model::Clip& clip, int joint, KeyProperty property) {
    Interpolation mode = Interpolation::linear;
    visit(clip, joint, property, [&](const auto& keys) { mode = keys.mode; });
    return mode;
}

void key_pose(model::Clip& clip, const model::Skeleton& skeleton, const PoseLayer& layer, double time) {
    const std::vector<Transform> local = with_layer(model::sample(clip, skeleton, time), layer);
    for (const auto& [joint, offset] : layer.offsets) {
        if (joint < 0 || static_cast<std::size_t>(joint) >= local.size()) continue;
        const Transform& now = local[static_cast<std::size_t>(joint)];
        const std::size_t turned = add_key(clip, skeleton, joint, KeyProperty::rotation, time);
        set_value(track_of(clip, joint).rotation, turned, Quatf(now.rotation.cast<float>()));
        if (offset.translation.isZero()) continue;
        const std::size_t moved = add_key(clip, skeleton, joint, KeyProperty::position, time);
        set_value(track_of(clip, joint).translation, moved, Vec3f(now.translation.cast<float>()));
    }
}

}  // namespace sinew::studio
