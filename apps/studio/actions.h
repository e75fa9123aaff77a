// SPDX-License-Identifier: MIT
#pragma once
// Actions of the user, independent of the input: buttons, keys, options and scripts all call these.

#include <filesystem>
#include <string>

#include "state.h"

namespace sinew::studio {

/// Shows a document from its first clip on; clears the undo history.
void show(State& state, Document document);
/// Frames the contents of a document and clears the selection.
void settle(State& state, int clip);
/// Replaces the document by a changed one as a step that can be undone.
void change(State& state, std::string what, Document document);

/// Reads a file in the background. A motion is applied to the open character if it has a skeleton; on a bare
/// mesh its skeleton is fitted; everything else replaces the open document.
void open_file(State& state, const std::filesystem::path& path);
/// A built-in character, generated in the background.
void open_sample(State& state, const std::string& name);

/// Finds a skeleton by the chosen method, in the background, and binds the skin to it on request.
void find_skeleton(State& state);
/// Binds the mesh to the skeleton of the character.
void bind_skin(State& state);

/// Changes the page of the left panel and the display that it needs: joints and weights need the rest pose.
void show_page(State& state, Page page);

void choose_clip(State& state, int clip);
/// Back to the rest pose: no clip, no changes.
void reset_pose(State& state);
/// Stores the state before a change of the pose.
void remember(State& state, std::string what);
void undo(State& state);
void redo(State& state);

/// Rotates, moves or scales the selected joint as a step; does nothing without one.
void rotate_selected(State& state, int axis, double degrees);
/// Moves the changes of the pose into the clip that plays, or makes a clip of them.
void bake_pose(State& state);
/// The joint that edits apply to: the selected one, or the start of the selected bone; -1 for none.
int selected_joint(const State& state);
/// Moves a joint by a vector in the world: its rest position while nothing is bound to it, else in the pose.
void move_joint(State& state, int joint, const Vec3d& shift);

/// Applies the last motion again with another map, as a step; errors become messages.
void use_joint_map(State& state, motion::JointMap map);

/// Writes the character in the format of the suffix, changes of the pose included; of a trial its markers if
/// the format is one of trials, the angles of the joints as .csv, the map of the last motion as .map, the
/// checklist of a walk as .txt, everything as the project .sinew. \throws Error.
void export_file(const State& state, const std::filesystem::path& path, Monitor& monitor = silent());

/// Runs an action that would lose unsaved work: immediately if there is none, otherwise after asking.
void ask_before(State& state, std::string question, std::function<void(State&)> then);
void ask_to_quit(State& state);
/// Writes, after asking if the file exists; `then` is called when everything is saved.
void ask_and_write(State& state, const std::filesystem::path& path, std::function<void(State&)> then = {});
/// Marks the open document as saved.
void mark_saved(State& state);

/// Opens the export dialog, with the name of a project.
void ask_for_project(State& state);
/// Opens the dialog in which joints of the last motion are chosen.
void ask_for_joint_map(State& state);

/// The open character with the changes of the pose.
io::Asset asset_to_write(const State& state);

/// The same, or a picture of the viewport for .png, a film, a page; errors become messages.
void write_what_is_open(State& state, const std::filesystem::path& path);

/// Points the camera at everything, or at the selection, from its present direction.
void look_at_all(State& state);
/// Stores the camera, restores a stored camera, deletes one. Views are numbered from 0.
void keep_view(State& state);
void go_to_view(State& state, std::size_t view);
void forget_view(State& state, std::size_t view);
void next_mode(State& state);
void next_skeleton_mode(State& state);

}  // namespace sinew::studio
