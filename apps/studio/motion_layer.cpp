// SPDX-License-Identifier: MIT
#include "motion_layer.h"

#include <algorithm>
#include <cmath>

#include "actions.h"
#include "motion_edit.h"

#include "sinew/base/error.h"

namespace sinew::studio {
namespace {

/// Frames per second, minimum: clips made by hand may have one key per second.
constexpr double min_rate = 30;

/// The change of a track at a time, or its inverse.
Quatd rotation_at(const MotionLayer& layer, const model::Track& track, double time, bool back) {
    const Quatd whole = model::sample(track.rotation, time).normalized();
    const Quatd part = Quatd::Identity().slerp(layer.weight, whole);
    return back ? part.conjugate() : part;
}

Vec3d translation_at(const MotionLayer& layer, const model::Track& track, double time, bool back) {
    return (back ? -layer.weight : layer.weight) * model::sample(track.translation, time);
}

model::Track& track_of(model::Clip& clip, int joint) {
    const auto found = std::ranges::find(clip.tracks, joint, &model::Track::joint);
    if (found != clip.tracks.end()) return *found;
    model::Track fresh;
    fresh.joint = joint;
    return *clip.tracks.insert(std::ranges::upper_bound(clip.tracks, joint, {}, &model::Track::joint), fresh);
}

/// `clip` with the keys of a layer applied after its own, or with their inverse applied before them.
model::Clip with_keys(const model::Skeleton& skeleton, const model::Clip& clip, const MotionLayer& layer,
                      bool back) {
    model::Clip result = clip;
    const model::TimeRange range = model::time_range(clip);
    const double rate = std::max(model::frame_rate(clip, min_rate), min_rate);
    const std::size_t frames = std::max<std::size_t>(model::sample_count(range, rate), 1);
    const auto times = model::KeyTimes::even(range.start, 1 / rate, frames);
    for (const model::Track& track : layer.keys.tracks) {
        const Transform& rest = skeleton.joints[static_cast<std::size_t>(track.joint)].rest;
        model::Track& out = track_of(result, track.joint);
        if (!track.rotation.empty()) {
            model::Keys<math::Quatf> keys;
            keys.times = times;
            for (std::size_t f = 0; f < frames; ++f) {
                const Quatd below =
                    out.rotation.empty() ? rest.rotation : model::sample(out.rotation, times[f]);
                const Quatd both = below * rotation_at(layer, track, times[f], back);
                keys.values.emplace_back(both.normalized().cast<float>());
            }
            out.rotation = std::move(keys);
        }
        if (!track.translation.empty()) {
            model::Keys<Vec3f> keys;
            keys.times = times;
            for (std::size_t f = 0; f < frames; ++f) {
                const Vec3d below =
                    out.translation.empty() ? rest.translation : model::sample(out.translation, times[f]);
                const Vec3d both = below + translation_at(layer, track, times[f], back);
                keys.values.emplace_back(both.cast<float>());
            }
            out.translation = std::move(keys);
        }
    }
    return result;
}

/// Sets a layer and the clip that it produces.
void put(State& state, MotionLayer layer) {
    model::Clip clip = combined(state.character().skeleton, layer);
    const int index = layer.clip;
    state.document.layer = std::make_shared<const MotionLayer>(std::move(layer));
    put_clip(state, index, std::move(clip));
}

MotionLayer layer_or_new(const State& state) {
    if (const MotionLayer* layer = shown_layer(state)) return *layer;
    MotionLayer fresh;
    fresh.clip = state.clip;
    fresh.base = *state.playing_clip();
    return fresh;
}

/// Smooth curves that are flat where the layer changes nothing, so that they do not overshoot.
void ease_keys(model::Clip& keys, const model::Skeleton& neutral, int joint) {
    constexpr double nothing = 1e-3;  ///< degrees or metres
    for (const KeyProperty property : {KeyProperty::rotation, KeyProperty::position}) {
        set_interpolation(keys, joint, property, model::Interpolation::cubic);
        const std::vector<double> times = key_times(keys, joint, property);
        for (std::size_t k = 0; k < times.size(); ++k) {
            const auto value = key_values(keys, neutral, joint, property, times[k]);
            if (std::ranges::all_of(value, [](double v) { return std::abs(v) < nothing; }))
                set_slope(keys, joint, property, k, KeySide::both, {0, 0, 0});
        }
    }
}

}  // namespace

model::Clip combined(const model::Skeleton& skeleton, const MotionLayer& layer) {
    return with_keys(skeleton, layer.base, layer, false);
}

model::Clip without_layer(const model::Skeleton& skeleton, const model::Clip& clip,
                          const MotionLayer& layer) {
    return with_keys(skeleton, clip, layer, true);
}

const MotionLayer* shown_layer(const State& state) {
    const MotionLayer* layer = state.document.layer.get();
    return layer != nullptr && state.clip >= 0 && layer->clip == state.clip ? layer : nullptr;
}

const model::Clip* edited_clip(const State& state) {
    static const model::Clip empty;
    const MotionLayer* layer = shown_layer(state);
    if (state.playing_clip() == nullptr) return nullptr;
    if (state.motion_tool.layer) return layer != nullptr ? &layer->keys : &empty;
    return layer != nullptr ? &layer->base : state.playing_clip();
}

const model::Skeleton& edited_skeleton(const State& state) {
    static std::shared_ptr<const model::Character> of;
    static model::Skeleton neutral;
    if (!state.motion_tool.layer) return state.character().skeleton;
    if (of != state.document.character) {
        of = state.document.character;
        neutral = of->skeleton;
        for (model::Joint& joint : neutral.joints) {
            joint.rest = {};
            joint.limits.reset();  // the limits are for the clip with its layer, not for a change
        }
    }
    return neutral;
}

bool edit_keys(State& state, const std::string& what,
               const std::function<model::Clip(const model::Clip&)>& edit, bool again) {
    const bool in_layer = state.motion_tool.layer;
    if (state.playing_clip() == nullptr) return false;
    if (!in_layer && shown_layer(state) == nullptr) return edit_clip(state, what, edit, again);
    try {
        MotionLayer layer = layer_or_new(state);
        model::Clip& clip = in_layer ? layer.keys : layer.base;
        clip = edit(clip);
        model::validate(clip, state.character().skeleton.size(), state.character().mesh.morphs.size(), what);
        if (!again) remember(state, what);
        put(state, std::move(layer));
        return true;
    } catch (const Error& error) {
        state.messages.add(Severity::error, error.what());
        return false;
    }
}

void key_pose_in_layer(State& state) {
    if (state.pose.empty() || state.playing_clip() == nullptr) return;
    MotionTool& tool = state.motion_tool;
    const double time = state.timeline.time, ease = tool.ease;
    const bool chosen = tool.layer;
    tool.layer = true;
    const model::Skeleton neutral = edited_skeleton(state);
    const PoseLayer pose = state.pose;
    const bool done = edit_keys(state, "key pose in layer", [&](const model::Clip& old) {
        model::Clip keys = old;
        for (const auto& [joint, offset] : pose.offsets)
            for (const KeyProperty property : {KeyProperty::rotation, KeyProperty::position}) {
                if (ease <= 0 || (property == KeyProperty::position && offset.translation.isZero())) continue;
                const std::vector<double> there = key_times(keys, joint, property);
                for (const double side : {-ease, ease}) {
                    const double low = std::min(time, time + side), high = std::max(time, time + side);
                    if (std::ranges::any_of(there, [&](double t) { return t > low && t < high; })) continue;
                    const double at = std::max(time + side, state.timeline.start);
                    add_key(keys, neutral, joint, property, at);
                }
            }
        key_pose(keys, neutral, pose, time);
        for (const auto& [joint, offset] : pose.offsets) ease_keys(keys, neutral, joint);
        return keys;
    });
    tool.layer = chosen || done;
    if (done) state.pose = {};
}

void set_layer_weight(State& state, double weight, bool again) {
    const MotionLayer* shown = shown_layer(state);
    if (shown == nullptr) return;
    MotionLayer layer = *shown;
    layer.weight = std::clamp(weight, 0.0, 1.0);
    if (!again) remember(state, "weight of the layer");
    put(state, std::move(layer));
}

void merge_layer(State& state) {
    if (shown_layer(state) == nullptr) return;
    remember(state, "merge layer");
    state.document.layer.reset();
}

void discard_layer(State& state) {
    const MotionLayer* layer = shown_layer(state);
    if (layer == nullptr) return;
    remember(state, "discard layer");
    model::Clip base = layer->base;
    state.document.layer.reset();
    put_clip(state, state.clip, std::move(base));
}

}  // namespace sinew::studio
