// SPDX-License-Identifier: MIT
#pragma once
// Groups of widgets that show a state and change it. Each is one function; `layout.h` positions them.

#include "poser.h"
#include "state.h"

namespace sinew::studio {

void menu_bar(State& state);
/// Opens a page of docs/ in the program for such files, or shows its name as a message.
void open_manual(State& state, const std::string& page);
/// The steps from a mesh to a file, while they are shown; one of them with its page, numbered from 0.
void guide_panel(State& state);
void go_to_guide_step(State& state, int step);
void display_panel(State& state);
void camera_panel(State& state);
void rig_panel(State& state);
/// Kind of body and fingers.
void template_options(app::SkeletonChoice& choice);
void skin_panel(State& state);
void selection_panel(State& state, const PosedBody& posed);
void joints_panel(State& state);
void geometry_panel(State& state);
void messages_panel(State& state);
/// The characters of the scene.
void scene_panel(State& state);
void timeline_panel(State& state);
/// Whether keys of the selected joint or events of a walk have a lane under the ruler.
bool has_lane(const State& state);
void lane(State& state);
void status_bar(State& state);
void joints_page(State& state);
void weights_page(State& state);
void motion_page(State& state);
/// Parts of the page Motion.
void extend_panel(State& state, int joint);
void limits_panel(State& state, int joint);
void measure_page(State& state);
/// The user's observations of a walk; part of the page Measure.
void observation_panel(State& state);
/// Keys and curves of the selected joint, above the timeline.
void curve_editor(State& state);

/// Opening, exporting, questions and tables, on top of everything else.
void dialogs(State& state);
void open_dialog(State& state);
void write_dialog(State& state);
void preferences_dialog(State& state);
void first_steps_dialog(State& state);
/// Of the open dialog.
void close_dialog(State& state);

}  // namespace sinew::studio
