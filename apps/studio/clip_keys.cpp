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

/// Slopes that go smoothly through the keys (Catmull and Rom 1974), flat at the ends.
template <class Value>
void smooth_tangents(Keys<Value>& keys) {
    const std::size_t n = keys.times.size();
    for (std::size_t i = 0; i < n; ++i) {
        Value slope = keys.at_key(i);
        const std::size_t a = i == 0 ? 0 : i - 1, b = i + 1 < n ? i + 1 : i;
        const auto span = static_cast<float>(keys.times[b] - keys.times[a]);
        if constexpr (std::is_same_v<Value, Quatf>) {
            slope.coeffs().setZero();
            if (i > 0 && i + 1 < n && span > 0) {
                math::Vec4f before = keys.at_key(a).coeffs(), after = keys.at_key(b).coeffs();
                if (before.dot(keys.at_key(i).coeffs()) < 0) before = -before;
                if (after.dot(keys.at_key(i).coeffs()) < 0) after = -after;
                slope.coeffs() = (after - before) / span;
            }
        } else {
            slope.setZero();
            if (i > 0 && i + 1 < n && span > 0) slope = (keys.at_key(b) - keys.at_key(a)) / span;
        }
        keys.values[3 * i] = keys.values[3 * i + 2] = slope;
    }
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
    if (mode == Interpolation::cubic) smooth_tangents(keys);
}

template <class Value>
void set_value(Keys<Value>& keys, std::size_t key, const Value& value) {
    keys.values[key * keys.stride() + (keys.stride() == 3 ? 1 : 0)] = value;
    if (keys.mode == Interpolation::cubic) smooth_tangents(keys);
}

template <class Value>
void move(Keys<Value>& keys, std::size_t key, double time) {
    std::vector<float> times = listed(keys.times);
    const float gap = 1e-3f;
    const float low = key == 0 ? 0.0f : times[key - 1] + gap;
    const float high = key + 1 < times.size() ? times[key + 1] - gap : std::numeric_limits<float>::max();
    if (low > high) return;
    times[key] = std::clamp(static_cast<float>(time), low, high);
    keys.times = model::KeyTimes::listed(std::move(times));
    if (keys.mode == Interpolation::cubic) smooth_tangents(keys);
}

template <class Value>
std::size_t insert(Keys<Value>& keys, double time, const Value& value) {
    std::vector<float> times = listed(keys.times);
    std::size_t at = 0;
    while (at < times.size() && static_cast<double>(times[at]) < time - same_time) ++at;
    if (at < times.size() && std::abs(static_cast<double>(times[at]) - time) <= same_time) return at;
    times.insert(times.begin() + static_cast<std::ptrdiff_t>(at), static_cast<float>(time));
    const std::size_t stride = keys.stride();
    keys.values.insert(keys.values.begin() + static_cast<std::ptrdiff_t>(at * stride), stride, value);
    keys.times = model::KeyTimes::listed(std::move(times));
    if (keys.mode == Interpolation::cubic) smooth_tangents(keys);
    return at;
}

template <class Value>
void erase(Keys<Value>& keys, std::size_t key) {
    if (keys.times.size() < 2) return;
    std::vector<float> times = listed(keys.times);
    times.erase(times.begin() + static_cast<std::ptrdiff_t>(key));
    const auto first = keys.values.begin() + static_cast<std::ptrdiff_t>(key * keys.stride());
    keys.values.erase(first, first + static_cast<std::ptrdiff_t>(keys.stride()));
    keys.times = model::KeyTimes::listed(std::move(times));
    if (keys.mode == Interpolation::cubic) smooth_tangents(keys);
}

/// Calls with the keys of a property of a joint, if it has any.
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

const math::EulerOrder order = {0, 1, 2};

Vec3d radians_of(const std::array<double, 3>& degrees) {
    return {math::radians(degrees[0]), math::radians(degrees[1]), math::radians(degrees[2])};
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
    const Vec3d angles = math::to_euler(order, rotation.normalized());
    return {math::degrees(angles.x()), math::degrees(angles.y()), math::degrees(angles.z())};
}

void move_key(model::Clip& clip, int joint, KeyProperty property, std::size_t key, double time) {
    visit(clip, joint, property, [&](auto& keys) {
        if (key < keys.times.size()) move(keys, key, time);
    });
}

void set_key(model::Clip& clip, int joint, KeyProperty property, std::size_t key,
             const std::array<double, 3>& values) {
    visit(clip, joint, property, [&](auto& keys) {
        if (key >= keys.times.size()) return;
        if constexpr (std::is_same_v<std::decay_t<decltype(keys)>, Keys<Quatf>>)
            set_value(keys, key, Quatf(math::from_euler(order, radians_of(values)).cast<float>()));
        else
            set_value(keys, key, Vec3f(Vec3d(values[0], values[1], values[2]).cast<float>()));
    });
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
