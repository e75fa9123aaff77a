#pragma once
/// \file
/// When feet touch the ground and leave it: from the file, from force platforms, from markers.

#include <span>
#include <string_view>

#include "sinew/gait/gait.h"

namespace sinew::motion {

enum class GaitEventKind : std::uint8_t { strike, off };
std::string_view name_of(GaitEventKind kind);  ///< "Foot Strike", "Foot Off"

enum class EventSource : std::uint8_t { file, platform, markers, user };
std::string_view name_of(EventSource source);

struct GaitEvent {
    model::Side side = model::Side::none;
    GaitEventKind kind = GaitEventKind::strike;
    double time = 0;  ///< seconds from the first frame
    EventSource source = EventSource::markers;

    bool operator==(const GaitEvent&) const = default;
};

/// How events are read off the ways of heel and toe.
enum class EventRule : std::uint8_t {
    position,       ///< heel furthest before, toe furthest behind the pelvis (Zeni 2008)
    foot_velocity,  ///< least and greatest vertical speed of the middle of the foot (O'Connor 2007)
    acceleration,   ///< greatest vertical acceleration of the heel, greatest forward one of the toe (Hreljac
                    ///< and Marshall 2000)
    landing,        ///< heel comes to rest, toe leaves rest: speeds against the walking speed
    combined,       ///< the median of three: foot velocity, acceleration, and landing or (of offs) position
};
std::span<const EventRule> event_rules();
std::string_view name_of(EventRule rule);

/// Events of the C3D groups ("Foot Strike" of "Left") and of short header labels (RHS, LTO, RIC). Others are
/// not gait events.
std::vector<GaitEvent> events_from_file(const model::Trial& trial);

/// Vertical force through `threshold` newtons. A load belongs to the foot that is nearest to its centre of
/// pressure; one that both feet share, or that begins or ends with the trial, gives no event there. Warning
/// `gait-platform` when a platform cannot be used.
std::vector<GaitEvent> events_from_platforms(const model::Trial& trial, const GaitMotion& motion,
                                             double threshold = 20, Monitor& monitor = silent());

/// Events by one rule; none for a leg without heel and toe, nor on a body that does not walk.
std::vector<GaitEvent> events_by_rule(const GaitMotion& motion, EventRule rule);

struct EventOptions {
    bool use_file = true;
    bool use_platforms = true;
    EventRule rule = EventRule::combined;
    double force_threshold = 20;  ///< newtons
};

struct EventsFound {
    std::vector<GaitEvent> events;  ///< by time; a foot's strikes and offs take turns
    std::vector<GaitEvent> file, platforms, markers;
};

/// The file's events when it has strikes; otherwise the markers', moved to where a force platform saw the
/// same event. A foot's second strike without an off between is kept only if a quarter of a second lies
/// between.
EventsFound find_events(const model::Trial& trial, const GaitMotion& motion, const EventOptions& options = {},
                        Monitor& monitor = silent());

/// How far events lie from a reference, in frames: positive is late.
struct EventError {
    GaitEventKind kind = GaitEventKind::strike;
    std::size_t matched = 0;
    std::size_t missed = 0;  ///< events of the reference without a counterpart within a fifth of a second
    double mean = 0;
    double median = 0;
    double largest = 0;  ///< in amount
};
EventError compare_events(std::span<const GaitEvent> reference, std::span<const GaitEvent> found,
                          GaitEventKind kind, double rate);

/// Adds, moves and removes events as a person does; the list stays sorted.
void add_event(std::vector<GaitEvent>& events, const GaitEvent& event);
/// The event of a side and kind nearest to a time, within `reach` seconds; or -1.
int find_event(std::span<const GaitEvent> events, model::Side side, GaitEventKind kind, double time,
               double reach = 0.1);

/// As events of a trial, to be written into its file.
std::vector<model::Event> to_trial_events(std::span<const GaitEvent> events);

}  // namespace sinew::motion
