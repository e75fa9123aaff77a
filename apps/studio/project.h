// SPDX-License-Identifier: MIT
#pragma once
// Projects: the open document and its display settings, to continue later.

#include "state.h"

namespace sinew::studio {

inline constexpr const char* project_suffix = "sinew";
inline constexpr const char* map_suffix = "map";

/// Camera, picture, skinning, time, pose, and the map of the last motion.
struct Project {
    Document document;
    render::OrbitCamera camera;
    ViewSettings view;
    SkinSettings skin;
    io::ReadOptions read;
    std::string clip;  ///< by name; empty for the rest pose
    double time = 0;
    double speed = 1;
    bool loop = true;
    PoseLayer pose;
    Cast cast;
    std::vector<SavedView> views;
};
Project project_of(const State& state);

/// Writes NAME.sinew (JSON, readable and editable) and beside it NAME.sinew.glb with mesh, skeleton, binding
/// and clips, which other programs can open; trials and mesh sequences stay in their own files, and are
/// named. Other characters of the scene are written in the same form as NAME.sinew.2.glb and so on.
/// \throws Error when nothing is open or a file cannot be written.
void save_project(const Project& project, const std::filesystem::path& path, Monitor& monitor = silent());
/// The file that was open when a project was saved; empty when there was none, or the project is invalid.
std::filesystem::path source_of(const std::filesystem::path& project);

/// \throws Error with file and position: what is missing, misspelt or of the wrong type.
Project load_project(const std::filesystem::path& path, Monitor& monitor = silent(),
                     bool allow_outside = false);

/// Restores the project; clears the undo history.
void show(State& state, const Project& project);

}  // namespace sinew::studio
