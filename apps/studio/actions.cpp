// SPDX-License-Identifier: MIT
#include "actions.h"

#include <algorithm>

#include "angles_csv.h"
#include "export.h"
#include "motion_import.h"
#include "motion_layer.h"
#include "project.h"

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/rig/edit.h"

namespace sinew::studio {
namespace {

constexpr std::size_t max_steps = 100;

Snapshot snapshot(const State& state, std::string what) {
    return {std::move(what), state.document, state.pose, state.clip, state.cast, state.views};
}

void restore(State& state, Snapshot old) {
    const bool same_document = old.document.character == state.document.character;
    const int joint = selected_joint(state);
    const std::string selected =
        joint < 0 ? "" : state.character().skeleton.joints[static_cast<std::size_t>(joint)].name;
    state.document = std::move(old.document);
    state.pose = std::move(old.pose);
    state.camera.target += (state.cast.shift - old.cast.shift).cast<float>();
    state.cast = std::move(old.cast);
    state.views = std::move(old.views);
    if (!same_document || old.clip != state.clip) {
        const double time = state.timeline.time;
        settle(state, old.clip);
        seek(state.timeline, time);
        if (const int again = state.character().skeleton.find(selected); again >= 0)
            state.selection = {SelectionKind::joint, again};
    }
}

void travel(State& state, std::vector<Snapshot>& from, std::vector<Snapshot>& to) {
    if (from.empty()) return;
    Snapshot old = std::move(from.back());
    from.pop_back();
    to.push_back(snapshot(state, old.what));
    restore(state, std::move(old));
}

/// Marks the contents of a file as saved: for a project everything, for others the character or the checklist
/// alone.
void mark_written(State& state, const std::filesystem::path& path) {
    const Work now = work_of(state);
    if (suffix(path) == project_suffix) {
        state.saved = now;
    } else if (suffix(path) == "txt") {
        state.saved.checklist = now.checklist;
    } else if (keeps_work(path)) {
        state.saved.character = now.character;
        state.saved.pose = now.pose;
    }
}

}  // namespace

void settle(State& state, int clip) {
    state.selection = {};
    if (state.document.sequence) {
        state.clip = -1;
        set_sequence(state.timeline, *state.document.sequence);
        return;
    }
    choose_clip(state, clip);
}

void show(State& state, Document document) {
    state.undo.clear();
    state.redo.clear();
    state.pose = {};
    state.rig_reason.clear();
    state.export_path.clear();
    state.document = std::move(document);
    state.frame_wanted = true;
    const model::Character& character = state.character();
    if (!character.has_mesh() && state.view.skeleton == SkeletonMode::hidden)
        state.view.skeleton = SkeletonMode::over;
    settle(state, character.clips.empty() ? -1 : 0);
    state.camera_mode.follow = state.clip >= 0;  // keeps a walking character in the picture
    state.painter.reset();
    state.contacts.reset();
    state.fit_error.reset();
    state.compare.weights.reset();
    state.motion_tool.layer = false;
    state.motion_tool.pins.clear();
    state.joint_tool.mark = -1;
    state.cast = {};
    mark_saved(state);
}

void mark_saved(State& state) {
    state.saved = work_of(state);
}

void ask_before(State& state, std::string question, std::function<void(State&)> then) {
    if (!is_unsaved(state)) return then(state);
    state.question = std::move(question);
    state.pending = std::move(then);
    state.dialog = Dialog::unsaved;
}

void ask_to_quit(State& state) {
    ask_before(state, "quitting", [](State& s) { s.quit = true; });
}

void ask_and_write(State& state, const std::filesystem::path& path, std::function<void(State&)> then) {
    std::error_code code;
    if (!std::filesystem::exists(path, code)) {
        write_what_is_open(state, path);
        if (then && !is_unsaved(state)) then(state);
        return;
    }
    state.question = path.string();
    state.pending = [path, then = std::move(then)](State& s) {
        write_what_is_open(s, path);
        if (then && !is_unsaved(s)) then(s);
    };
    state.dialog = Dialog::overwrite;
}

void change(State& state, std::string what, Document document) {
    const std::string what_now = what;
    remember(state, std::move(what));
    const double time = state.timeline.time;
    const int clip = std::min(state.clip, static_cast<int>(document.character->clips.size()) - 1);
    if (document.character->skeleton.size() != state.character().skeleton.size()) state.pose = {};
    if (state.document.layer && !document.layer)
        state.messages.add(Severity::note, what_now + ": the layer is part of the clip now");
    state.document = std::move(document);
    settle(state, clip);
    seek(state.timeline, time);
}

void show_page(State& state, Page page) {
    state.page = page;
    if (page == Page::joints) {
        state.pose = {};
        state.timeline.playing = false;
        choose_clip(state, -1);
        if (state.view.skeleton == SkeletonMode::hidden) state.view.skeleton = SkeletonMode::inside;
    }
    if (page == Page::weights && state.character().has_skin()) {
        state.timeline.playing = false;
        state.view.coloring = Coloring::joint_weights;
    } else if (state.view.coloring == Coloring::joint_weights) {
        state.view.coloring = Coloring::material;
    }
    if (page == Page::motion && state.view.skeleton == SkeletonMode::hidden)
        state.view.skeleton = SkeletonMode::inside;
}

void choose_clip(State& state, int clip) {
    const auto count = static_cast<int>(state.character().clips.size());
    state.clip = std::clamp(clip, -1, count - 1);
    set_clip(state.timeline, state.playing_clip());
}

void reset_pose(State& state) {
    if (!state.pose.empty() || state.clip >= 0) remember(state, "reset pose");
    state.pose = {};
    state.timeline.playing = false;
    if (state.document.sequence)
        seek(state.timeline, state.timeline.start);
    else
        choose_clip(state, -1);
}

void remember(State& state, std::string what) {
    state.undo.push_back(snapshot(state, std::move(what)));
    if (state.undo.size() > max_steps) state.undo.erase(state.undo.begin());
    state.redo.clear();
}

void undo(State& state) {
    travel(state, state.undo, state.redo);
}

void redo(State& state) {
    travel(state, state.redo, state.undo);
}

int selected_joint(const State& state) {
    const model::Skeleton& skeleton = state.character().skeleton;
    const auto index = static_cast<std::size_t>(std::max(state.selection.index, 0));
    if (state.selection.kind == SelectionKind::joint && index < skeleton.size()) return state.selection.index;
    if (state.selection.kind == SelectionKind::bone) {
        const auto bones = model::bones(skeleton, model::rest_world_matrices(skeleton));
        if (index < bones.size()) return bones[index].joint;
    }
    if (state.selection.kind == SelectionKind::part && index < state.document.parts->parts.size()) {
        const int entry = state.document.parts->parts[index].entry;
        if (entry >= 0) return state.character().skin.joints[static_cast<std::size_t>(entry)].joint;
    }
    return -1;
}

void rotate_selected(State& state, int axis, double degrees) {
    const int joint = selected_joint(state);
    if (joint < 0) return;
    remember(state, "rotate");
    rotate(state.pose, state.character().skeleton, pose_below(state), joint, Vec3d::Unit(axis),
           math::radians(degrees), state.edit.space);
}

void bake_pose(State& state) {
    if (state.pose.empty()) return;
    model::Character changed = state.character();
    model::Clip clip = baked(changed.skeleton, state.playing_clip(), state.pose);
    int slot = state.clip;
    if (slot >= 0) {
        changed.clips[static_cast<std::size_t>(slot)] = std::move(clip);
    } else {
        slot = static_cast<int>(changed.clips.size());
        changed.clips.push_back(std::move(clip));
    }
    Document document = state.document.with(std::move(changed));
    if (document.layer && document.layer->clip == slot) document.layer.reset();
    change(state, "bake pose into clip", std::move(document));
    state.pose = {};
    const double time = state.timeline.time;
    choose_clip(state, slot);
    seek(state.timeline, time);
}

void move_joint(State& state, int joint, const Vec3d& shift) {
    const model::Character& character = state.character();
    if (character.has_skin() || state.clip >= 0) {
        translate(state.pose, character.skeleton, pose_below(state), joint, shift, Space::global);
        return;
    }
    const auto world = model::world_matrices(character.skeleton, pose_now(state));
    const Vec3d location = world[static_cast<std::size_t>(joint)].topRightCorner<3, 1>() + shift;
    model::Character changed = rig::move_joint(character, joint, location);
    state.document.character = std::make_shared<const model::Character>(std::move(changed));
}

void use_joint_map(State& state, motion::JointMap map) {
    try {
        MessageMonitor monitor(state.messages);
        change(state, "joint map", with_joint_map(state.document, std::move(map), monitor));
    } catch (const Error& error) {
        state.messages.add(Severity::error, error.what());
    }
}

void export_file(const State& state, const std::filesystem::path& path, Monitor& monitor) {
    if (state.document.empty()) fail(path.string(), "nothing is open, so there is nothing to write");
    if (suffix(path) == "txt" && state.document.checklist)
        return write_file(path, gait::to_text(*state.document.checklist));
    if (suffix(path) == "csv") {
        if (!state.character().has_skeleton())
            fail(path.string(), "there are no joints, so there are no angles to write");
        write_file(path, angles_csv(state.character().skeleton, state.playing_clip(), state.pose));
        return;
    }
    if (suffix(path) == project_suffix) return save_project(project_of(state), path, monitor);
    if (suffix(path) == map_suffix) {
        if (!state.document.motion)
            fail(path.string(), "no motion was opened, so there is no joint map to write");
        const ImportedMotion& motion = *state.document.motion;
        write_file(path,
                   motion::to_text(motion.map, motion.source.character.skeleton, state.character().skeleton));
        return;
    }
    const io::Format* format = io::find_format(path);
    if (state.document.trial && format != nullptr && format->family == io::Family::trial) {
        io::Asset asset;
        asset.trial = *state.document.trial;
        io::write(path, asset, {}, monitor);
        return;
    }
    io::write(path, asset_to_write(state), {}, monitor);
}

io::Asset asset_to_write(const State& state) {
    io::Asset asset;
    asset.character = state.character();
    if (state.document.sequence) asset.sequence = *state.document.sequence;
    if (!state.pose.empty()) {
        model::Clip clip = baked(asset.character.skeleton, state.playing_clip(), state.pose);
        if (state.clip >= 0)
            asset.character.clips[static_cast<std::size_t>(state.clip)] = std::move(clip);
        else
            asset.character.clips.push_back(std::move(clip));
    }
    return asset;
}

void ask_for_project(State& state) {
    std::filesystem::path path = state.document.path;
    if (path.empty()) path = std::filesystem::current_path() / state.character().name;
    state.export_path = path.replace_extension(project_suffix).string();
    state.dialog = Dialog::write;
}

void ask_for_joint_map(State& state) {
    if (!state.document.motion) return;
    state.map_edit = state.document.motion->map;
    state.dialog = Dialog::joint_map;
}

void write_what_is_open(State& state, const std::filesystem::path& path) {
    if (suffix(path) == "png") {
        state.picture_path = path.string();
        return;
    }
    if (is_film(path) || is_page(path)) return export_in_background(state, path);
    try {
        MessageMonitor monitor(state.messages);
        export_file(state, path, monitor);
        mark_written(state, path);
        const bool alone = !state.cast.actors.empty() && suffix(path) != project_suffix;
        state.messages.add(Severity::note,
                           "wrote " + path.string() +
                               (alone ? ": " + state.character().name + " alone; a project keeps the scene"
                                      : std::string()));
    } catch (const std::exception& error) {
        state.messages.add(Severity::error, error.what());
    }
}

void look_at_all(State& state) {
    state.frame_wanted = true;
}

void keep_view(State& state) {
    remember(state, "keep view");
    int number = 1;
    const auto taken = [&](const SavedView& view) { return view.name == fmt::format("View {}", number); };
    while (std::ranges::any_of(state.views, taken)) ++number;
    state.views.push_back({fmt::format("View {}", number), state.camera});
}

void go_to_view(State& state, std::size_t view) {
    if (view >= state.views.size()) return;
    state.camera = state.views[view].camera;
    state.frame_wanted = false;
}

void forget_view(State& state, std::size_t view) {
    if (view >= state.views.size()) return;
    remember(state, "forget view");
    state.views.erase(state.views.begin() + static_cast<std::ptrdiff_t>(view));
}

void next_mode(State& state) {
    state.view.mode = static_cast<RenderMode>((static_cast<int>(state.view.mode) + 1) % 4);
}

void next_skeleton_mode(State& state) {
    state.view.skeleton = static_cast<SkeletonMode>((static_cast<int>(state.view.skeleton) + 1) % 3);
}

}  // namespace sinew::studio
