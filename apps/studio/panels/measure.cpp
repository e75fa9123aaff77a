// SPDX-License-Identifier: MIT
// The page Measure: walks, contacts, parts, and the error of a fitted sequence.

#include <algorithm>
#include <array>
#include <cmath>

#include "actions.h"
#include "body_work.h"
#include "contacts.h"
#include "gait_work.h"
#include "panels.h"
#include "ui.h"

#include "sinew/render/view.h"

namespace sinew::studio {
namespace {

constexpr ImU32 left_ink = IM_COL32(220, 70, 60, 255), right_ink = IM_COL32(70, 130, 235, 255);

/// A field for curves over time, with the present time; a press seeks.
class Plot {
  public:
    Plot(State& state, const char* name, double start, double end, double low, double high)
        : start_(start), end_(std::max(end, start + 1e-9)), low_(low), high_(std::max(high, low + 1e-9)) {
        corner_ = ImGui::GetCursorScreenPos();
        size_ = {ImGui::GetContentRegionAvail().x, 110 * ImGui::GetIO().FontGlobalScale};
        ImGui::InvisibleButton(name, size_);
        ui::mark(name);
        list_ = ImGui::GetWindowDrawList();
        list_->AddRectFilled(corner_, {corner_.x + size_.x, corner_.y + size_.y},
                             ImGui::GetColorU32(ImGuiCol_FrameBg), 4);
        if (low_ < 0 && high_ > 0) list_->AddLine(at(start_, 0), at(end_, 0), IM_COL32(128, 128, 128, 90));
        if (ImGui::IsItemActive() && !state.timeline.empty())
            seek(state.timeline,
                 start_ + (end_ - start_) *
                              static_cast<double>((ImGui::GetIO().MousePos.x - corner_.x) / size_.x));
    }
    ImVec2 at(double time, double value) const {
        return {corner_.x + size_.x * static_cast<float>((time - start_) / (end_ - start_)),
                corner_.y + size_.y - size_.y * static_cast<float>((value - low_) / (high_ - low_))};
    }
    template <class Values>
    void curve(const Values& values, double step, ImU32 ink) {
        for (std::size_t i = 0; i + 1 < values.size(); ++i) {
            const auto a = static_cast<double>(values[i]), b = static_cast<double>(values[i + 1]);
            if (!std::isfinite(a) || !std::isfinite(b)) continue;
            const double time = start_ + static_cast<double>(i) * step;
            list_->AddLine(at(time, a), at(time + step, b), ink, 1.5f);
        }
    }
    /// The range, drawn on top of the curves.
    void labels() {
        for (const bool upper : {true, false}) {
            const std::string text = fmt::format("{:.3g}", upper ? high_ : low_);
            const ImVec2 size = ImGui::CalcTextSize(text.c_str());
            const ImVec2 at{corner_.x + 4, upper ? corner_.y + 2 : corner_.y + size_.y - size.y - 2};
            list_->AddRectFilled({at.x - 3, at.y}, {at.x + size.x + 3, at.y + size.y},
                                 ImGui::GetColorU32(ImGuiCol_FrameBg, 0.8f), 3);
            list_->AddText(at, ImGui::GetColorU32(ImGuiCol_Text), text.c_str());
        }
    }
    void line(double time, ImU32 ink, float width = 1) {
        list_->AddLine(at(time, low_), at(time, high_), ink, width);
    }

  private:
    double start_, end_, low_, high_;
    ImVec2 corner_, size_;
    ImDrawList* list_ = nullptr;
};

void event_buttons(State& state) {
    using gait::EventEdit;
    using gait::GaitEventKind;
    const auto& events = state.document.gait->analysis->events.events;
    const bool idle = !state.job.running();
    const float half = ui::part_width(2);
    static int kind = 0;
    constexpr std::array kinds = {"Strike", "Off"};
    ui::segments("Event", kind, kinds);
    for (const model::Side side : {model::Side::left, model::Side::right}) {
        if (side == model::Side::right) ImGui::SameLine();
        if (ui::button(side == model::Side::left ? "Add left here" : "Add right here", idle, half)) {
            gait::GaitEvent event;
            event.side = side;
            event.kind = kind == 0 ? GaitEventKind::strike : GaitEventKind::off;
            event.time = state.timeline.time - state.timeline.start;
            event.source = gait::EventSource::user;
            change_event(state, {EventEdit::Action::add, event, 0});
        }
    }
    const bool chosen =
        state.selected_event >= 0 && static_cast<std::size_t>(state.selected_event) < events.size();
    if (ui::button("Delete event", idle && chosen, half)) delete_selected_event(state);
    ui::tip("takes the event that you clicked away", "Delete");
    ImGui::SameLine();
    ImGui::TextDisabled("%s",
                        chosen ? event_words(events[static_cast<std::size_t>(state.selected_event)]).c_str()
                               : "click an event");
}

/// Colours of stance and swing, alternately.
constexpr ImU32 phase_inks[gait::phase_count] = {IM_COL32(196, 120, 60, 255), IM_COL32(214, 160, 84, 255),
                                                 IM_COL32(196, 140, 70, 255), IM_COL32(170, 104, 56, 255),
                                                 IM_COL32(70, 120, 150, 255), IM_COL32(92, 150, 180, 255),
                                                 IM_COL32(70, 120, 150, 255)};

/// The phases of each side as a band over time, and in words for the present time. Phases that were not
/// measured are hollow.
void phase_bands(const State& state, const gait::GaitAnalysis& analysis, double end) {
    if (analysis.cycles.empty()) return;
    const double first = state.timeline.start, now = state.timeline.time - first;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, row = 9 * ImGui::GetIO().FontGlobalScale;
    ImGui::Dummy({width, 2 * row + 2});
    ui::mark("Phases");
    ui::tip(
        "phases of the left (upper) and right (lower) leg: stance brown, swing blue; hollow: not measured");
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const auto x = [&](double time) {
        return corner.x +
               width * static_cast<float>(std::clamp(time / std::max(end - first, 1e-9), 0.0, 1.0));
    };
    std::array<std::string, 2> words = {"not in a cycle", "not in a cycle"};
    for (const gait::GaitCycleSpan& cycle : analysis.cycles) {
        const std::size_t side = cycle.side == model::Side::left ? 0 : 1;
        const float top = corner.y + static_cast<float>(side) * (row + 2);
        for (const gait::PhaseSpan& span : gait::measured_spans(cycle.phases)) {
            const double from = cycle.start + cycle.duration() * cycle.phases[span.first] / 100;
            const double to = cycle.start + cycle.duration() * cycle.phases[span.last] / 100;
            const ImVec2 low{x(from), top}, high{std::max(x(to) - 1, x(from)), top + row};
            if (span.is_phase())
                list.AddRectFilled(low, high, phase_inks[span.first]);
            else
                list.AddRect(low, high, phase_inks[span.first]);
            if (now >= from && now < to)
                words[side] = span.is_phase()
                                  ? std::string(gait::long_name(static_cast<gait::GaitPhase>(span.first)))
                                  : "not measured";
        }
    }
    list.AddLine({x(now), corner.y}, {x(now), corner.y + 2 * row + 2}, ImGui::GetColorU32(ImGuiCol_CheckMark),
                 1.5f);
    ui::field("Left leg", words[0]);
    ui::field("Right leg", words[1]);
}

void gait_curve(State& state, const gait::GaitAnalysis& analysis) {
    std::vector<std::string> names;
    for (std::size_t c = 0; c < gait::curve_count; ++c)
        names.emplace_back(gait::info(gait::curve_at(c)).title);
    ImGui::SetNextItemWidth(-60);
    ui::choice("Curve", state.gait_curve, names);
    const gait::GaitCurve which = gait::curve_at(static_cast<std::size_t>(state.gait_curve));
    const auto& left = analysis.traces.of(model::Side::left, which);
    const auto& right = analysis.traces.of(model::Side::right, which);
    double low = 0, high = 0;
    for (const auto* trace : {&left, &right})
        for (const double v : *trace)
            if (std::isfinite(v)) {
                low = std::min(low, v);
                high = std::max(high, v);
            }
    if (low == high) {
        ImGui::TextDisabled("not measured");
        return;
    }
    const gait::CurveInfo& info = gait::info(which);
    const double start = state.timeline.start, step = 1 / analysis.rate;
    const double end = start + static_cast<double>(analysis.frames - 1) * step;
    Plot plot(state, "Gait curve", start, end, low, high);
    for (const gait::GaitEvent& event : analysis.events.events)
        if (event.kind == gait::GaitEventKind::strike)
            plot.line(start + event.time,
                      (event.side == model::Side::left ? left_ink : right_ink) & 0x60FFFFFF);
    plot.curve(left, step, left_ink);
    plot.curve(right, step, right_ink);
    plot.line(state.timeline.time, ImGui::GetColorU32(ImGuiCol_CheckMark), 1.5f);
    plot.labels();
    const auto now = [&](const auto& trace) {
        const double frame = std::round((state.timeline.time - start) * analysis.rate);
        const auto last = static_cast<double>(trace.size()) - 1;
        const double v = last < 0 ? NAN : trace[static_cast<std::size_t>(std::clamp(frame, 0.0, last))];
        return std::isfinite(v) ? fmt::format("{:.1f}", v) : std::string("-");
    };
    ui::field("Now", fmt::format("left {}, right {} {}", now(left), now(right), info.unit));
    ImGui::TextDisabled("%s; + %s, in %s; left red, right blue", std::string(info.plane).c_str(),
                        std::string(info.positive).c_str(), std::string(info.unit).c_str());
}

void gait_values(const gait::GaitAnalysis& analysis) {
    if (!ImGui::BeginTable("values", 3, ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchProp)) return;
    for (const char* head : {"", "left", "right"}) {
        ImGui::TableNextColumn();
        ImGui::TextDisabled("%s", head);
    }
    for (const gait::SpatioTemporalRow& row : gait::spatiotemporal_rows()) {
        if (!(analysis.sides[0].*row.value) && !(analysis.sides[1].*row.value)) continue;
        ImGui::TableNextColumn();
        const std::string title =
            row.unit == "1" ? std::string(row.title) : fmt::format("{} {}", row.title, row.unit);
        ImGui::TextDisabled("%s", title.c_str());
        for (std::size_t side = 0; side < 2; ++side) {
            ImGui::TableNextColumn();
            const auto& value = analysis.sides[side].*row.value;
            const std::string text = value ? fmt::format("{:.3g}", *value) : "-";
            ui::remember_value(fmt::format("{}/{}", row.key, side == 0 ? "left" : "right"), text);
            ImGui::TextUnformatted(text.c_str());
        }
    }
    ImGui::EndTable();
}

void walk(State& state) {
    if (!ui::section("Walk")) return;
    const bool can = state.document.trial || state.playing_clip() != nullptr;
    if (ui::button("Measure the walk", can && !state.job.running(), -1)) measure_gait(state);
    if (state.document.trial) {
        ui::toggle("Marker labels", state.view.names);
        ImGui::SameLine(140);
        ui::toggle("Sticks", state.view.sticks);
        ui::tip("links markers that stay near each other");
    }
    if (!state.document.gait || !state.document.gait->analysis) return;
    const gait::GaitAnalysis& analysis = *state.document.gait->analysis;
    std::array<int, 2> cycles = {0, 0};
    for (const gait::GaitCycleSpan& cycle : analysis.cycles)
        ++cycles[cycle.side == model::Side::left ? 0 : 1];
    ui::field("Cycles", fmt::format("{} left, {} right", cycles[0], cycles[1]));
    ui::field("Events", fmt::format("{}; {} changed by hand", analysis.events.events.size(),
                                    state.document.gait->edits.size()));
    event_buttons(state);
    gait_curve(state, analysis);
    phase_bands(state, analysis,
                state.timeline.start + static_cast<double>(analysis.frames - 1) / analysis.rate);
    gait_values(analysis);
    ImGui::PushTextWrapPos(0);
    for (const std::string& note : analysis.notes) ImGui::TextDisabled("%s", note.c_str());
    ImGui::PopTextWrapPos();
}

void touching(State& state) {
    if (!ui::section("Contacts", state.contacts != nullptr)) return;
    const bool can = state.playing_clip() != nullptr && state.character().has_skin() && !state.job.running();
    if (ui::button("Count contacts", can, -1)) count_contacts(state);
    ui::tip("where the skin touches itself, in every frame of the clip");
    if (!state.contacts) return;
    const ContactTrack& track = *state.contacts;
    if (track.character != state.document.character || track.clip != state.clip) {
        ImGui::TextDisabled("counted for another clip: count again");
        return;
    }
    const int most = *std::ranges::max_element(track.pairs);
    const double end = track.start + static_cast<double>(track.pairs.size() - 1) * track.step;
    Plot plot(state, "Contacts over time", track.start, end, 0, std::max(most, 1));
    plot.curve(track.pairs, track.step, IM_COL32(230, 150, 50, 255));
    if (const double deepest = *std::ranges::max_element(track.depths); deepest > 0) {
        std::vector<double> scaled;
        for (const double depth : track.depths) scaled.push_back(std::max(most, 1) * depth / deepest);
        plot.curve(scaled, track.step, IM_COL32(110, 170, 240, 255));
    }
    plot.line(state.timeline.time, ImGui::GetColorU32(ImGuiCol_CheckMark), 1.5f);
    plot.labels();
    ImGui::TextDisabled("pairs of triangles (orange), depth (blue)");
    const std::size_t now = track.frame_at(state.timeline.time);
    const auto frames = std::ranges::count_if(track.pairs, [](int n) { return n > 0; });
    ui::field("Now", fmt::format("{} pairs, {} triangles", track.pairs[now], track.triangles[now].size()));
    ui::field("Depth", fmt::format("{:.4f} now, {:.4f} at most", track.depths[now],
                                   *std::ranges::max_element(track.depths)));
    ui::tip("how far triangles that touch reach through each other");
    ui::field("Contact", fmt::format("in {} of {} frames", frames, track.pairs.size()));
}

/// Parts with their colours in the view; a click selects one.
void part_list(State& state) {
    if (!ImGui::BeginTable("parts", 2, ImGuiTableFlags_SizingStretchProp)) return;
    const auto& parts = state.document.parts->parts;
    const float side = ImGui::GetTextLineHeight();
    for (std::size_t p = 0; p < parts.size(); ++p) {
        ImGui::TableNextColumn();
        ImGui::PushID(static_cast<int>(p));
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const Vec3f color = render::joint_color(p);
        const auto shade = [](float linear) { return static_cast<int>(255 * std::pow(linear, 1 / 2.2f)); };
        ImGui::Dummy({side, side});
        ImGui::GetWindowDrawList()->AddRectFilled(
            {at.x, at.y + 1}, {at.x + side - 2, at.y + side - 1},
            IM_COL32(shade(color.x()), shade(color.y()), shade(color.z()), 255), 3);
        ImGui::SameLine();
        const Selection self{SelectionKind::part, static_cast<int>(p)};
        if (ImGui::Selectable(parts[p].name.c_str(), state.selection == self,
                              ImGuiSelectableFlags_SpanAllColumns))
            state.selection = self;
        ui::mark("part/" + parts[p].name);
        ImGui::PopID();
        ImGui::TableNextColumn();
        ImGui::TextDisabled("%zu faces", parts[p].triangles);
    }
    ImGui::EndTable();
}

void parts_and_fit(State& state) {
    if (ui::section("Parts", false)) {
        const bool can = state.character().has_mesh() && !state.job.running();
        if (ui::button("Cut into parts", can, -1)) cut_into_parts(state);
        ui::tip("segments the mesh into meaningful parts");
        part_list(state);
    }
    if (!ui::section("Fit", state.document.sequence || state.fit_error)) return;
    ImGui::SetNextItemWidth(-60);
    ui::slider("Bones", state.fit_bones, 2, 100);
    if (ui::button("Fit bones", state.document.sequence != nullptr && !state.job.running(), -1))
        fit_sequence(state, state.fit_bones);
    ui::tip("finds bones and weights that replay the mesh sequence");
    if (!state.fit_error || state.fit_error->empty()) return;
    const std::vector<double>& error = *state.fit_error;
    Plot plot(state, "Error of the fit", state.timeline.start, state.timeline.end, 0,
              *std::ranges::max_element(error));
    plot.curve(error,
               state.timeline.duration() / static_cast<double>(std::max<std::size_t>(error.size(), 2) - 1),
               IM_COL32(230, 150, 50, 255));
    plot.line(state.timeline.time, ImGui::GetColorU32(ImGuiCol_CheckMark), 1.5f);
    plot.labels();
    ImGui::TextDisabled("RMS distance in each frame");
    const auto last = static_cast<double>(error.size() - 1);
    const double frame =
        last * (state.timeline.time - state.timeline.start) / std::max(state.timeline.duration(), 1e-9);
    const auto worst = std::ranges::max_element(error) - error.begin();
    ui::field("Now", fmt::format("{:.4f}",
                                 error[static_cast<std::size_t>(std::clamp(std::round(frame), 0.0, last))]));
    ui::field("Largest", fmt::format("{:.4f} in frame {}", error[static_cast<std::size_t>(worst)], worst));
}

}  // namespace

void measure_page(State& state) {
    walk(state);
    observation_panel(state);
    touching(state);
    parts_and_fit(state);
}

}  // namespace sinew::studio
