#include "sinew/io/c3d/data.h"

#include <algorithm>
#include <cmath>

namespace sinew::io::c3d {
namespace {

using model::Event;

/// Seconds from frame 1 of the capture. EVENT:TIMES holds minutes and seconds; a plain list holds seconds.
std::vector<double> event_times(const Parameters& parameters) {
    const std::vector<double> numbers = numbers_of(parameters, "EVENT", "TIMES");
    const model::Parameter* const first = parameters.find("EVENT", "TIMES");
    if (first == nullptr || first->dimensions.empty() || first->dimensions[0] != 2) return numbers;
    // One event may be written as an array of two.
    std::vector<double> times(numbers.size() / 2);
    for (std::size_t i = 0; i < times.size(); ++i) times[i] = 60 * numbers[2 * i] + numbers[2 * i + 1];
    return times;
}

/// From the clock of the capture to that of the trial.
double trial_time(double time, const Clock& clock, Tally& tally) {
    if (clock.rate <= 0) return time;
    const double frame = std::round(time * clock.rate);
    const double shifted = frame - static_cast<double>(clock.first_frame - 1);
    const auto inside = [&](double f) { return f >= 0 && f < static_cast<double>(clock.frames); };
    if (inside(shifted)) return time - clock.start();
    if (inside(frame)) {
        tally.note("c3d-event-time", 0, "the event at {} s is counted from the first frame of the trial",
                   time);
        return time;
    }
    tally.note("c3d-event-outside", 0, "the event at {} s is outside the trial", time);
    return time - clock.start();
}

}  // namespace

std::vector<Event> group_events(const Parameters& parameters, const Clock& clock, Tally& tally) {
    const std::vector<double> times = event_times(parameters);
    const std::vector<std::string> labels = texts_of(parameters, "EVENT", "LABELS");
    const std::vector<std::string> contexts = texts_of(parameters, "EVENT", "CONTEXTS");
    const std::vector<std::string> subjects = texts_of(parameters, "EVENT", "SUBJECTS");
    const std::vector<std::string> descriptions = texts_of(parameters, "EVENT", "DESCRIPTIONS");
    const std::size_t used = count_of(parameters, "EVENT", "USED").value_or(times.size());
    if (used != times.size()) {
        tally.note("c3d-event-count", 0, "EVENT:USED is {}, but there are {} times", used, times.size());
    }
    const auto text = [](const std::vector<std::string>& list, std::size_t i) {
        return i < list.size() ? list[i] : std::string();
    };
    std::vector<Event> events;
    for (std::size_t i = 0; i < std::min(used, times.size()); ++i) {
        if (!std::isfinite(times[i])) {
            tally.note("c3d-event-time", 0, "the time of event {} is no number: it is left out", i + 1);
            continue;
        }
        events.push_back({text(labels, i), text(contexts, i), trial_time(times[i], clock, tally),
                          text(subjects, i), text(descriptions, i), false});
    }
    return events;
}

std::vector<Event> merge_events(std::vector<Event> group, const std::vector<HeaderEvent>& header,
                                const Clock& clock) {
    const std::size_t of_group = group.size();
    for (const HeaderEvent& event : header) {
        const bool known =
            std::any_of(group.begin(), group.begin() + static_cast<std::ptrdiff_t>(of_group),
                        [&](const Event& e) { return std::abs(e.time - event.time) <= clock.half_frame(); });
        if (!known) group.push_back({event.label, "", event.time, "", "", event.hidden});
    }
    std::stable_sort(group.begin(), group.end(),
                     [](const Event& a, const Event& b) { return a.time < b.time; });
    return group;
}

}  // namespace sinew::io::c3d
