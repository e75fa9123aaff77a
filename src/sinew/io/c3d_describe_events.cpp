#include <algorithm>
#include <cmath>

#include "sinew/io/c3d/describe.h"

namespace sinew::io::c3d {
namespace {

using model::Event;

/// Minutes and seconds; whole seconds in one number where that is exact.
void add_time(double time, std::vector<float>& times) {
    const auto seconds = static_cast<float>(time);
    const bool exact = std::abs(static_cast<double>(seconds) - time) < 1e-9;
    const double minutes = exact ? 0 : std::floor(time / 60);
    times.push_back(static_cast<float>(minutes));
    times.push_back(exact ? seconds : static_cast<float>(time - 60 * minutes));
}

/// The header has room for a short label and a flag, and its events must not be taken for those of the group.
bool fits_header(const Event& event, const std::vector<Event>& events, double half_frame) {
    if (!event.context.empty() || !event.subject.empty() || !event.description.empty() ||
        event.label.size() > 4) {
        return false;
    }
    return std::none_of(events.begin(), events.end(), [&](const Event& other) {
        return &other != &event && !other.context.empty() &&
               std::abs(other.time - event.time) <= 1.01 * half_frame;
    });
}

void set_group(const std::vector<Event>& events, const Clock& clock, Parameters& parameters) {
    std::vector<std::string> labels, contexts, subjects, descriptions;
    std::vector<float> times;
    for (const Event& event : events) {
        labels.push_back(event.label);
        contexts.push_back(event.context);
        subjects.push_back(event.subject);
        descriptions.push_back(event.description);
        add_time(event.time + clock.start(), times);
    }
    set_word(parameters, "EVENT", "USED", events.size());
    set_texts(parameters, "EVENT", "LABELS", labels);
    set_texts(parameters, "EVENT", "CONTEXTS", contexts);
    set_texts(parameters, "EVENT", "SUBJECTS", subjects);
    set_texts(parameters, "EVENT", "DESCRIPTIONS", descriptions);
    set_numbers(parameters, "EVENT", "TIMES", times, {2});
    // One value for each of the old events.
    parameters.remove("EVENT", "ICON_IDS");
    parameters.remove("EVENT", "GENERIC_FLAGS");
}

}  // namespace

std::vector<HeaderEvent> describe_events(const model::Trial& trial, Parameters& parameters,
                                         std::string_view place, Monitor& monitor) {
    const Clock clock{trial.rate, static_cast<std::size_t>(std::max<std::int64_t>(trial.first_frame, 1)),
                      trial.frames};
    std::vector<HeaderEvent> header;
    std::vector<Event> group;
    for (const Event& event : trial.events) {
        if (header.size() < max_header_events && fits_header(event, trial.events, clock.half_frame())) {
            header.push_back({event.label, event.time, event.hidden});
            continue;
        }
        if (event.hidden) {
            warn(monitor, "c3d-hidden-event", "{}: only events of the header can be hidden, not \"{}\"",
                 place, event.label);
        }
        group.push_back(event);
    }
    Tally tally("");
    std::vector<Event> known = group_events(parameters, clock, tally);
    if (merge_events(known, header, clock) == trial.events) return header;
    if (merge_events(known, {}, clock) == trial.events) return {};
    if (!group.empty() || parameters.group("EVENT") != nullptr) set_group(group, clock, parameters);
    return header;
}

}  // namespace sinew::io::c3d
