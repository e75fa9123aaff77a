// SPDX-License-Identifier: MIT
#include "motion_edit.h"

#include "actions.h"

#include "sinew/base/error.h"
#include "sinew/motion/edit.h"

namespace sinew::studio {
namespace {

/// Keeps the time and the selection: the joints are the same.
void put_clips(State& state, std::vector<model::Clip> clips, int clip) {
    model::Character changed = state.character();
    changed.clips = std::move(clips);
    const double time = state.timeline.time;
    const Timeline before = state.timeline;
    state.document.character = std::make_shared<const model::Character>(std::move(changed));
    choose_clip(state, clip);
    state.timeline.rate = before.rate;  // fewer keys are no fewer frames
    state.timeline.playing = before.playing && !state.timeline.empty();
    seek(state.timeline, time);
}

}  // namespace

bool edit_clip(State& state, const std::string& what, const ClipEdit& edit, bool again) {
    const model::Clip* clip = state.playing_clip();
    if (clip == nullptr) return false;
    try {
        model::Clip changed = edit(*clip);
        model::validate(changed, state.character().skeleton.size(), state.character().mesh.morphs.size(),
                        changed.name);
        if (!again) remember(state, what);
        std::vector<model::Clip> clips = state.character().clips;
        clips[static_cast<std::size_t>(state.clip)] = std::move(changed);
        put_clips(state, std::move(clips), state.clip);
        return true;
    } catch (const Error& error) {
        state.messages.add(Severity::error, error.what());
        return false;
    }
}

void add_clip(State& state, const std::string& what, model::Clip clip) {
    remember(state, what);
    std::vector<model::Clip> clips = state.character().clips;
    clips.push_back(std::move(clip));
    const auto last = static_cast<int>(clips.size()) - 1;
    put_clips(state, std::move(clips), last);
}

KeyProperty shown_property(const State& state) {
    return state.motion_tool.property == 0 ? KeyProperty::position : KeyProperty::rotation;
}

std::vector<double> shown_keys(const State& state) {
    const model::Clip* clip = state.playing_clip();
    const int joint = selected_joint(state);
    if (clip == nullptr || joint < 0) return {};
    return key_times(*clip, joint, shown_property(state));
}

void trim_clip(State& state, double start, double end) {
    edit_clip(state, "trim", [&](const model::Clip& clip) {
        if (!(end > start)) fail("trim", "the end must come after the start");
        return model::trimmed(clip, start, end);
    });
}

void loop_clip(State& state) {
    edit_clip(state, "loop", [&](const model::Clip& clip) {
        const motion::LoopResult made = motion::looped(state.character().skeleton, clip);
        state.messages.add(Severity::note,
                           fmt::format("a round from {:.2f} to {:.2f} s; its ends were {:.1f} degrees apart",
                                       made.start, made.end, math::degrees(made.seam)));
        return made.clip;
    });
}

void mirror_clip(State& state) {
    edit_clip(state, "mirror motion",
              [&](const model::Clip& clip) { return motion::mirrored(state.character().skeleton, clip); });
}

void reduce_clip(State& state, double tolerance) {
    edit_clip(state, "fewer keys", [&](const model::Clip& clip) {
        const motion::KeyReduction made = motion::reduce_keys(
            clip, state.character().skeleton, tolerance * static_cast<double>(scene_size(state.document)));
        state.messages.add(Severity::note,
                           fmt::format("{} keys instead of {}; no point moves more than {:.4f}",
                                       made.keys_after, made.keys_before, made.largest_error));
        return made.clip;
    });
}

void smooth_clip(State& state, double cutoff) {
    edit_clip(state, "smooth motion", [&](const model::Clip& clip) {
        return motion::smoothed(state.character().skeleton, clip, cutoff).clip;
    });
}

void key_this_pose(State& state) {
    if (state.pose.empty()) return;
    const double time = state.timeline.time;
    const PoseLayer layer = state.pose;
    const bool done = edit_clip(state, "key pose", [&](const model::Clip& clip) {
        model::Clip changed = clip;
        key_pose(changed, state.character().skeleton, layer, time);
        return changed;
    });
    if (done) state.pose = {};
}

}  // namespace sinew::studio
