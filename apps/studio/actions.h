// SPDX-License-Identifier: MIT
#pragma once
// What a person can do, apart from how it is asked for: buttons, keys, options and scripts all call these.

#include <filesystem>
#include <string>

#include "state.h"

namespace sinew::studio {

/// Shows a document from its first clip on; undo starts anew.
void show(State& state, Document document);
/// What a document brings with it into view; nothing is selected.
void settle(State& state, int clip);
/// Puts a changed document in its place as a step that can be undone.
void change(State& state, std::string what, Document document);

/// Reads a file in the background. A motion goes onto the character that is open, if it has a skeleton;
/// onto a bare mesh its skeleton is fitted; everything else is shown instead of what is open.
void open_file(State& state, const std::filesystem::path& path);
/// A built-in character, made in the background.
void open_sample(State& state, const std::string& name);

/// Finds a skeleton by the chosen method, in the background, and binds the skin to it if that is wanted.
void find_skeleton(State& state);
/// Binds the mesh to the skeleton that it has.
void bind_skin(State& state);

/// Another page of the left panel, with what it needs to be seen: joints and weights are of the rest pose.
void show_page(State& state, Page page);

void choose_clip(State& state, int clip);
/// Back to the rest pose: no clip, no changes.
void reset_pose(State& state);
/// Remembers the state before a change of the pose.
void remember(State& state, std::string what);
void undo(State& state);
void redo(State& state);

/// Turns, moves or scales the selected joint as a step; nothing without one.
void rotate_selected(State& state, int axis, double degrees);
/// Takes the changes of the pose into the clip that plays, or makes a clip of them.
void bake_pose(State& state);
/// The joint that edits go to: the selected one, or the start of the selected bone; -1 for none.
int selected_joint(const State& state);
/// Moves a joint by a way in the world: its rest place while nothing is bound to it, else in the pose.
void move_joint(State& state, int joint, const Vec3d& shift);

/// Puts the last motion on again by another map, as a step; errors become messages.
void use_joint_map(State& state, motion::JointMap map);

/// Writes the character by the suffix, changes of the pose included; of a trial its markers where the format
/// is one of trials, the angles of the joints as .csv, the map of the last motion as .map, the checklist
/// of a walk as .txt, all of it as the project .sinew. \throws Error.
void export_file(const State& state, const std::filesystem::path& path, Monitor& monitor = silent());

/// Does something that would lose unsaved work: at once when there is none, else after asking.
void ask_before(State& state, std::string question, std::function<void(State&)> then);
void ask_to_quit(State& state);
/// Writes, after asking when the file is there already; `then` follows when all is saved.
void ask_and_write(State& state, const std::filesystem::path& path, std::function<void(State&)> then = {});
/// What is open counts as saved.
void mark_saved(State& state);

/// Opens the dialog that writes, with the name of a project.
void ask_for_project(State& state);
/// Opens the dialog in which joints of the last motion are chosen.
void ask_for_joint_map(State& state);

/// What is open with the changes of the pose.
io::Asset asset_to_write(const State& state);

/// The same, or a picture of the viewport for .png, a film, a page; errors become messages.
void write_what_is_open(State& state, const std::filesystem::path& path);

/// Looks at all of it, or at what is selected, from where the camera stands.
void look_at_all(State& state);
/// Remembers where the camera stands, goes back to such a place, forgets it. Views are numbered from 0.
void keep_view(State& state);
void go_to_view(State& state, std::size_t view);
void forget_view(State& state, std::size_t view);
void next_mode(State& state);
void next_skeleton_mode(State& state);

}  // namespace sinew::studio
