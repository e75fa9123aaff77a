// SPDX-License-Identifier: MIT
#include "motion_edit.h"

#include <array>

#include "actions.h"
#include "motion_layer.h"

#include "sinew/base/error.h"
#include "sinew/gait/gait.h"
#include "sinew/math/quaternion.h"
#include "sinew/model/roles.h"
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
    state.timeline.rate = before.rate;  // fewer keys do not mean fewer frames
    state.timeline.playing = before.playing && !state.timeline.empty();
    seek(state.timeline, time);
}

/// Adds the result of `make` for the clip that plays and another one.
void combine(State& state, const char* what, int other,
             const std::function<model::Clip(const model::Clip&, const model::Clip&, Monitor&)>& make) {
    const model::Clip* clip = state.playing_clip();
    const auto& clips = state.character().clips;
    if (clip == nullptr || other < 0 || static_cast<std::size_t>(other) >= clips.size()) return;
    const model::Clip& second = clips[static_cast<std::size_t>(other)];
    try {
        MessageMonitor monitor(state.messages);
        model::Clip made = make(*clip, second, monitor);
        made.name = fmt::format("{} {} {}", clip->name, what, second.name);
        add_clip(state, fmt::format("{} clips", what), std::move(made));
    } catch (const Error& error) {
        state.messages.add(Severity::error, error.what());
    }
}

}  // namespace

void mix_with(State& state, int other) {
    combine(state, "mixed with", other, [&](const model::Clip& a, const model::Clip& b, Monitor& monitor) {
        motion::MixOptions options;
        options.weight = state.motion_tool.weight;
        options.match_steps = state.motion_tool.in_step;
        options.steps = gait::find_step_phase;
        return motion::mix_clips(state.character().skeleton, a, b, options, monitor);
    });
}

void layer_over(State& state, int other, int joint) {
    combine(state, "under", other, [&](const model::Clip& a, const model::Clip& b, Monitor& monitor) {
        motion::LayerOptions options;
        options.weight = state.motion_tool.weight;
        options.fade = state.motion_tool.fade;
        options.repeat = true;
        if (joint >= 0)
            options.joints = {state.character().skeleton.joints[static_cast<std::size_t>(joint)].name};
        return motion::layer_clips(state.character().skeleton, a, b, options, monitor);
    });
}

void append_clip(State& state, int other) {
    combine(state, "then", other, [&](const model::Clip& a, const model::Clip& b, Monitor& monitor) {
        const std::array pieces = {
            motion::JoinPiece{&a, a.name, 0, false, true},
            motion::JoinPiece{&b, b.name, state.motion_tool.fade, state.motion_tool.in_step, true}};
        motion::JoinOptions options;
        options.steps = gait::find_step_phase;
        return motion::join_clips(state.character().skeleton, pieces, options, monitor).clip;
    });
}

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
        if (shown_layer(state) != nullptr) {
            state.document.layer.reset();
            state.messages.add(Severity::note, what + ": the layer is part of the clip now");
        }
        put_clips(state, std::move(clips), state.clip);
        return true;
    } catch (const Error& error) {
        state.messages.add(Severity::error, error.what());
        return false;
    }
}

void put_clip(State& state, int index, model::Clip clip) {
    std::vector<model::Clip> clips = state.character().clips;
    clips[static_cast<std::size_t>(index)] = std::move(clip);
    put_clips(state, std::move(clips), state.clip);
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
    const model::Clip* clip = edited_clip(state);
    const int joint = selected_joint(state);
    if (clip == nullptr || joint < 0) return {};
    return key_times(*clip, joint, shown_property(state));
}

void delete_shown_key(State& state) {
    MotionTool& tool = state.motion_tool;
    if (tool.key < 0 || static_cast<std::size_t>(tool.key) >= shown_keys(state).size()) return;
    const int joint = selected_joint(state);
    edit_keys(state, "delete key", [&](const model::Clip& old) {
        model::Clip changed = old;
        delete_key(changed, joint, shown_property(state), static_cast<std::size_t>(tool.key));
        return changed;
    });
    tool.key = -1;
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
                           fmt::format("a loop from {:.2f} to {:.2f} s; its ends differed by {:.1f} degrees",
                                       made.start, made.end, math::degrees(made.seam)));
        return made.clip;
    });
}

void mirror_clip(State& state) {
    edit_clip(state, "mirror motion",
              [&](const model::Clip& clip) { return motion::mirrored(state.character().skeleton, clip); });
}

void reduce_clip(State& state, double tolerance) {
    edit_clip(state, "reduce keys", [&](const model::Clip& clip) {
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

void widen_arms(State& state, double degrees) {
    const model::Skeleton& skeleton = state.character().skeleton;
    const std::vector<model::JointRole> roles = model::find_roles(skeleton);
    const std::vector<math::Mat4d> world = model::rest_world_matrices(skeleton);
    const auto side = [&](model::Role role, model::Side which) {
        return model::find_role(roles, role, which);
    };
    const int left = side(model::Role::upper_arm, model::Side::left);
    const int right = side(model::Role::upper_arm, model::Side::right);
    if (left < 0 || right < 0) {
        state.messages.add(Severity::error, "arm space needs a left and a right upper arm, by name or shape");
        return;
    }
    const auto at = [&](int joint) -> Vec3d {
        return world[static_cast<std::size_t>(joint)].topRightCorner<3, 1>();
    };
    const Vec3d forward = (at(left) - at(right)).cross(Vec3d::UnitY()).normalized();
    edit_clip(state, "arm space", [&](const model::Clip& clip) {
        model::Clip changed = clip;
        for (const int arm : {left, right}) {
            // About an axis of the parent, applied before the keys: the motion of the arm is rotated with it.
            const int parent = skeleton.joints[static_cast<std::size_t>(arm)].parent;
            Vec3d axis = forward;
            if (parent >= 0) {
                const math::Mat3d linear = world[static_cast<std::size_t>(parent)].topLeftCorner<3, 3>();
                axis = (linear.transpose() * forward).normalized();
            }
            const double angle = math::radians(arm == left ? degrees : -degrees);
            rotate_keys(changed, skeleton, arm, math::axis_angle<double>(axis, angle));
        }
        return changed;
    });
}

void key_this_pose(State& state) {
    if (state.pose.empty()) return;
    // With a layer, the pose that is shown contains it: a key of the clip below would apply it twice.
    if (state.motion_tool.layer || shown_layer(state) != nullptr) return key_pose_in_layer(state);
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
