// SPDX-License-Identifier: MIT
#pragma once
// Groups of widgets that show a state and change it. Each is one function; `layout.h` puts them in place.

#include "poser.h"
#include "state.h"

namespace sinew::studio {

void menu_bar(State& state);
void display_panel(State& state);
void camera_panel(State& state);
void rig_panel(State& state);
void skin_panel(State& state);
void selection_panel(State& state, const PosedBody& posed);
void joints_panel(State& state);
void geometry_panel(State& state);
void messages_panel(State& state);
void timeline_panel(State& state);
/// Keys of the selected joint or events of a walk have a lane under the ruler.
bool has_lane(const State& state);
void lane(State& state);
void status_bar(State& state);
void joints_page(State& state);
void weights_page(State& state);
void motion_page(State& state);
void measure_page(State& state);
/// Keys and curves of the selected joint, over the timeline.
void curve_editor(State& state);

/// Opening, exporting, questions and tables, over everything.
void dialogs(State& state);
void open_dialog(State& state);
void write_dialog(State& state);
void preferences_dialog(State& state);
void first_steps_dialog(State& state);
/// Of the dialog that is being shown.
void close_dialog(State& state);

}  // namespace sinew::studio
