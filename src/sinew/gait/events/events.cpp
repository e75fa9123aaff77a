// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/gait/gait.h"
#include "sinew/model/roles.h"

namespace sinew::gait {

using model::Side;

namespace {

constexpr double same_within = 0.2;  // seconds within which two events may be the same one

Side side_of(std::string_view context) {
    if (equal_ignoring_case(context, "left") || equal_ignoring_case(context, "l")) return Side::left;
    if (equal_ignoring_case(context, "right") || equal_ignoring_case(context, "r")) return Side::right;
    return Side::none;
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view each) { return equal_ignoring_case(word, each); });
}

/// Side and kind of a trial's event; empty when it is another event.
GaitEvent parse(const model::Event& event) {
    GaitEvent parsed{side_of(event.context), GaitEventKind::strike, event.time, EventSource::file};
    const std::string_view label = trim(event.label);
    if (is_one_of(label, {"Foot Strike", "FootStrike", "Heel Strike", "Initial Contact", "FS", "IC", "HS"}))
        return parsed;
    parsed.kind = GaitEventKind::off;
    if (is_one_of(label, {"Foot Off", "FootOff", "Toe Off", "TO", "FO"})) return parsed;
    // Header events have four letters: RHS, LTO, RIC.
    if (label.size() == 3) {
        parsed.side = side_of(label.substr(0, 1));
        const bool off = is_one_of(label.substr(1), {"TO", "FO"});
        if (off || is_one_of(label.substr(1), {"HS", "IC", "FS"})) {
            parsed.kind = off ? GaitEventKind::off : GaitEventKind::strike;
            return parsed;
        }
    }
    parsed.side = Side::none;
    return parsed;
}

/// A foot cannot strike twice within a quarter of a second: of two such events the one with the better source
/// is kept, else the first.
std::vector<GaitEvent> without_doubles(const std::vector<GaitEvent>& events) {
    std::vector<GaitEvent> kept;
    for (const GaitEvent& event : events) {
        const auto same = std::find_if(kept.rbegin(), kept.rend(), [&](const GaitEvent& each) {
            return each.side == event.side && each.kind == event.kind && event.time - each.time < 0.25;
        });
        if (same == kept.rend())
            kept.push_back(event);
        else if (event.source < same->source)
            *same = event;
    }
    return kept;
}

void sort(std::vector<GaitEvent>& events) {
    std::stable_sort(events.begin(), events.end(),
                     [](const GaitEvent& a, const GaitEvent& b) { return a.time < b.time; });
}

/// \throws Error that lists the available events of the side and kind.
[[noreturn]] void fail_without(std::span<const GaitEvent> events, const GaitEvent& wanted) {
    std::string times;
    for (const GaitEvent& event : events)
        if (event.side == wanted.side && event.kind == wanted.kind)
            times += fmt::format("{}{:.2f}", times.empty() ? "" : ", ", event.time);
    fail("", "there is no {} {} within 0.1 s of {:.2f} s; {}", to_lower(model::name_of(wanted.side)),
         to_lower(name_of(wanted.kind)), wanted.time,
         times.empty() ? "there is none at all" : "they are at " + times + " s");
}

bool has_legs(const model::Skeleton& skeleton) {
    const std::vector<model::JointRole> roles = model::find_roles(skeleton);
    return model::find_role(roles, model::Role::hips) >= 0 &&
           model::find_role(roles, model::Role::thigh, model::Side::left) >= 0;
}

}  // namespace

std::string_view name_of(GaitEventKind kind) {
    return kind == GaitEventKind::strike ? "Foot Strike" : "Foot Off";
}

std::string_view name_of(EventSource source) {
    constexpr std::array<std::string_view, 4> names = {"file", "platform", "markers", "user"};
    return names[static_cast<std::size_t>(source)];
}

std::string_view name_of(EventRule rule) {
    constexpr std::array<std::string_view, 5> names = {"position", "foot-velocity", "acceleration", "landing",
                                                       "combined"};
    return names[static_cast<std::size_t>(rule)];
}

std::vector<GaitEvent> events_from_file(const model::Trial& trial) {
    std::vector<GaitEvent> events;
    for (const model::Event& event : trial.events) {
        const GaitEvent parsed = parse(event);
        if (parsed.side != Side::none) add_event(events, parsed);
    }
    return events;
}

namespace {

/// Events from the markers; platforms replace those that they time better.
std::vector<GaitEvent> detected(const EventsFound& found, bool use_platforms) {
    std::vector<GaitEvent> events = found.markers;
    if (use_platforms) {
        for (const GaitEvent& event : found.platforms) {
            const int same = find_event(events, event.side, event.kind, event.time, same_within);
            if (same >= 0)
                events[static_cast<std::size_t>(same)] = event;
            else
                events.push_back(event);
        }
    }
    sort(events);
    return without_doubles(events);
}

/// Files often contain only the events of the examined leg, or only strikes. True when a detected event
/// belongs to a leg without events in the file, or is an off between two strikes (a strike between two offs).
bool is_missing(std::span<const GaitEvent> file, const GaitEvent& event) {
    const GaitEvent *before = nullptr, *after = nullptr;
    for (const GaitEvent& each : file) {
        if (each.side != event.side) continue;
        if (each.time < event.time) before = &each;
        if (each.time >= event.time && after == nullptr) after = &each;
    }
    if (before == nullptr && after == nullptr) return true;
    return before != nullptr && after != nullptr && before->kind != event.kind && after->kind != event.kind;
}

}  // namespace

EventsFound find_events(const model::Trial& trial, const GaitMotion& motion, const EventOptions& options,
                        Monitor& monitor) {
    EventsFound found;
    found.file = events_from_file(trial);
    if (!trial.platforms.empty())
        found.platforms = events_from_platforms(trial, motion, options.force_threshold, monitor);
    found.markers = events_by_rule(motion, options.rule);
    const auto strikes = std::ranges::count(found.file, GaitEventKind::strike, &GaitEvent::kind);
    const bool by_file = options.use_file && strikes >= 2;
    if (by_file) found.events = found.file;
    for (const GaitEvent& event : detected(found, options.use_platforms))
        if (!by_file || is_missing(found.file, event)) found.events.push_back(event);
    sort(found.events);
    return found;
}

void rate_events(const model::Trial& trial, const GaitMotion& motion, EventsFound& found) {
    if (!(motion.rate > 0)) return;
    std::vector<std::vector<GaitEvent>> rules;
    for (const EventRule rule : event_rules()) rules.push_back(events_by_rule(motion, rule));
    const auto apart = [&](const GaitEvent& event, const std::vector<GaitEvent>& others) {
        const int same = find_event(others, event.side, event.kind, event.time, same_within);
        return same < 0 ? 0 : std::abs(others[static_cast<std::size_t>(same)].time - event.time);
    };
    for (GaitEvent& event : found.events) {
        event.uncertainty = 0.5 / motion.rate;
        if (event.source == EventSource::platform)
            event.uncertainty = 1 / (motion.rate * static_cast<double>(trial.analog.samples_per_frame));
        if (event.source == EventSource::file)
            event.uncertainty = std::max(event.uncertainty, apart(event, found.platforms));
        if (event.source != EventSource::markers) continue;
        for (const auto& rule : rules) event.uncertainty = std::max(event.uncertainty, apart(event, rule));
    }
}

EventError compare_events(std::span<const GaitEvent> reference, std::span<const GaitEvent> found,
                          GaitEventKind kind, double rate) {
    EventError error;
    error.kind = kind;
    std::vector<double> differences;
    for (const GaitEvent& event : reference) {
        if (event.kind != kind) continue;
        const int at = find_event(found, event.side, kind, event.time, same_within);
        if (at < 0)
            ++error.missed;
        else
            differences.push_back((found[static_cast<std::size_t>(at)].time - event.time) * rate);
    }
    error.matched = differences.size();
    if (differences.empty()) return error;
    std::sort(differences.begin(), differences.end());
    error.median = differences[differences.size() / 2];
    for (const double each : differences) {
        error.mean += each / static_cast<double>(differences.size());
        error.largest = std::max(error.largest, std::abs(each));
    }
    return error;
}

void add_event(std::vector<GaitEvent>& events, const GaitEvent& event) {
    const auto after = std::upper_bound(events.begin(), events.end(), event,
                                        [](const auto& a, const auto& b) { return a.time < b.time; });
    events.insert(after, event);
}

int find_event(std::span<const GaitEvent> events, Side side, GaitEventKind kind, double time, double within) {
    int best = -1;
    double nearest = within;
    for (std::size_t i = 0; i < events.size(); ++i) {
        const double distance = std::abs(events[i].time - time);
        if (events[i].side != side || events[i].kind != kind || distance > nearest) continue;
        nearest = distance;
        best = static_cast<int>(i);
    }
    return best;
}

GaitEvent parse_event(std::string_view text) {
    const std::size_t mark = text.rfind('@');
    GaitEvent event;
    event.source = EventSource::user;
    const std::string_view words = trim(text.substr(0, mark));
    const std::size_t space = words.find(' ');
    event.side = side_of(words.substr(0, space));
    const std::string_view kind = space == std::string_view::npos ? "" : trim(words.substr(space));
    event.kind = is_one_of(kind, {"foot off", "off", "toe off"}) ? GaitEventKind::off : GaitEventKind::strike;
    const bool known =
        event.kind == GaitEventKind::off || is_one_of(kind, {"foot strike", "strike", "heel strike"});
    const bool timed = mark != std::string_view::npos && parse_exact(trim(text.substr(mark + 1)), event.time);
    if (event.side == Side::none || !known || !timed || !std::isfinite(event.time))
        fail("", "\"{}\" is not an event: write \"left foot strike@1.24\" or \"right foot off@1.24\"", text);
    return event;
}

void edit_events(std::vector<GaitEvent>& events, std::span<const EventEdit> edits) {
    for (const EventEdit& edit : edits) {
        GaitEvent event = edit.event;
        event.source = EventSource::user;
        if (edit.action != EventEdit::Action::add) {
            const int found = find_event(events, event.side, event.kind, event.time);
            if (found < 0) fail_without(events, event);
            events.erase(events.begin() + found);
        }
        if (edit.action == EventEdit::Action::remove) continue;
        if (edit.action == EventEdit::Action::move) event.time = edit.to;
        add_event(events, event);
    }
}

std::optional<motion::StepPhase> find_step_phase(const model::Skeleton& skeleton, const model::Clip& clip) {
    if (clip.empty() || !has_legs(skeleton)) return std::nullopt;
    const GaitMotion motion = gait_motion(skeleton, clip);
    const double start = model::time_range(clip).start;
    motion::StepPhase result;
    model::Side last = model::Side::none;
    for (const GaitEvent& event : find_events({}, motion).events) {
        if (event.kind != GaitEventKind::strike) continue;
        const double time = start + event.time;
        if (!result.times.empty() && time <= result.times.back()) continue;
        // The same foot twice: the step of the other foot between them was not detected.
        const double phase = result.phases.empty() ? (event.side == model::Side::left ? 0 : 1)
                                                   : result.phases.back() + (event.side == last ? 2 : 1);
        result.times.push_back(time);
        result.phases.push_back(phase);
        last = event.side;
    }
    if (result.times.size() < 2) return std::nullopt;
    return result;
}

}  // namespace sinew::gait
