// SPDX-License-Identifier: MIT
#pragma once
// Measurements of a walk: the results, and the changes of its events by the user.

#include <memory>

#include "state.h"

#include "sinew/gait/gait.h"

namespace sinew::studio {

struct GaitWork {
    std::vector<gait::EventEdit> edits;                  ///< in their order
    std::shared_ptr<const gait::GaitAnalysis> analysis;  ///< with them; null until it is computed
    std::shared_ptr<const model::Character> solved;      ///< the markers as a moving skeleton; or null
};

/// Analyses the open trial or clip, with the changes so far, in the background.
void measure_gait(State& state);
/// Adds a change of the events as a step and repeats the analysis; errors become messages.
void change_event(State& state, const gait::EventEdit& edit);

/// Removes the selected event; does nothing without one.
void delete_selected_event(State& state);

/// "left foot strike@1.24", which gait::parse_event reads.
std::string event_text(const gait::GaitEvent& event);
/// For the user: "left strike 1.20 s".
std::string event_words(const gait::GaitEvent& event);
std::string_view name_of(gait::EventEdit::Action action);

}  // namespace sinew::studio
