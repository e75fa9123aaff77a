// SPDX-License-Identifier: MIT
#include "gait_work.h"

#include <utility>

#include "actions.h"

#include "sinew/base/error.h"
#include "sinew/pipeline/publish.h"

namespace sinew::studio {
namespace {

/// The open walk: a trial, or the clip that plays.
io::Asset walk_of(const State& state) {
    io::Asset asset;
    if (state.document.trial) {
        asset.trial = *state.document.trial;
        return asset;
    }
    asset.character.skeleton = state.character().skeleton;
    if (const model::Clip* clip = state.playing_clip()) asset.character.clips = {*clip};
    return asset;
}

Job::Work measuring(const State& state, std::vector<gait::EventEdit> edits, std::string what) {
    const auto old = state.document.gait;
    return [asset = walk_of(state), path = state.document.path, edits = std::move(edits),
            solved = old ? old->solved : nullptr, what = std::move(what)](Monitor& monitor) -> Job::Apply {
        pipeline::GaitReportOptions options;
        options.gait.edits = edits;
        options.anonymous = false;
        if (solved) options.motion = *solved;
        const pipeline::GaitReport report = pipeline::gait_report(asset, path, options, monitor);
        auto work = std::make_shared<GaitWork>();
        work->edits = edits;
        work->analysis = std::make_shared<const gait::GaitAnalysis>(report.analysis);
        work->solved = solved;
        if (!solved && !asset.trial.empty() && report.motion)
            work->solved = std::make_shared<const model::Character>(report.motion->character);
        return [work, what](State& now) {
            if (!what.empty()) remember(now, what);
            now.document.gait = work;
            if (what.empty()) mark_saved(now);  // an analysis without an edit changes nothing
        };
    };
}

}  // namespace

void measure_gait(State& state) {
    if (!state.document.trial && state.playing_clip() == nullptr) {
        state.messages.add(Severity::error, "there is no walk to measure: open a trial, or choose a clip");
        return;
    }
    std::vector<gait::EventEdit> edits;
    if (state.document.gait) edits = state.document.gait->edits;
    state.job.start("Measuring the walk", measuring(state, std::move(edits), ""));
}

void change_event(State& state, const gait::EventEdit& edit) {
    std::vector<gait::EventEdit> edits;
    if (state.document.gait) edits = state.document.gait->edits;
    edits.push_back(edit);
    state.job.start("Measuring the walk",
                    measuring(state, std::move(edits), std::string(name_of(edit.action)) + " event"));
}

void delete_selected_event(State& state) {
    if (!state.document.gait || !state.document.gait->analysis || state.job.running()) return;
    const auto& events = state.document.gait->analysis->events.events;
    const int event = std::exchange(state.selected_event, -1);
    if (event < 0 || static_cast<std::size_t>(event) >= events.size()) return;
    change_event(state, {gait::EventEdit::Action::remove, events[static_cast<std::size_t>(event)], 0});
}

std::string event_text(const gait::GaitEvent& event) {
    return fmt::format("{} {}@{:.6g}", event.side == model::Side::left ? "left" : "right",
                       event.kind == gait::GaitEventKind::strike ? "foot strike" : "foot off", event.time);
}

std::string event_words(const gait::GaitEvent& event) {
    return fmt::format("{} {} {:.2f} s", event.side == model::Side::left ? "left" : "right",
                       event.kind == gait::GaitEventKind::strike ? "strike" : "off", event.time);
}

std::string_view name_of(gait::EventEdit::Action action) {
    using Action = gait::EventEdit::Action;
    return action == Action::add ? "add" : action == Action::remove ? "remove" : "move";
}

}  // namespace sinew::studio
