// SPDX-License-Identifier: MIT
// Events from the paths of heel and toe.

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/gait/gait.h"
#include "sinew/math/types.h"

namespace sinew::gait {

using math::nan;
using math::Vec3d;
using model::Side;
using Signal = std::vector<double>;

namespace {

/// Value and derivatives by a parabola fitted to seven frames around the given one (Savitzky and Golay 1964).
struct Derivatives {
    Signal value, first, second;
};

Derivatives derive(const Signal& signal, double rate) {
    constexpr int reach = 3;
    constexpr double n = 7, s2 = 28, s4 = 196;  // sums of k^0, k^2, k^4 for k = -3 .. 3
    Derivatives d;
    const auto count = static_cast<int>(signal.size());
    for (int f = 0; f < count; ++f) {
        double m0 = 0, m1 = 0, m2 = 0;
        for (int k = -reach; k <= reach; ++k) {
            const double v = signal[static_cast<std::size_t>(std::clamp(f + k, 0, count - 1))];
            m0 += v, m1 += k * v, m2 += k * k * v;
        }
        const double det = n * s4 - s2 * s2;
        d.value.push_back((s4 * m0 - s2 * m2) / det);
        d.first.push_back(m1 / s2 * rate);
        d.second.push_back(2 * (n * m2 - s2 * m0) / det * rate * rate);
    }
    return d;
}

/// One coordinate of a path, relative to another path if one is given.
Signal signal_of(const std::vector<Vec3d>& path, const Vec3d& axis,
                 const std::vector<Vec3d>* origin = nullptr) {
    Signal signal;
    for (std::size_t f = 0; f < path.size(); ++f)
        signal.push_back(axis.dot(path[f]) - (origin != nullptr ? axis.dot((*origin)[f]) : 0));
    return signal;
}

/// Frame of a peak refined by the parabola through it and its neighbours.
double refine(const Signal& s, std::size_t f) {
    if (f == 0 || f + 1 >= s.size()) return static_cast<double>(f);
    const double curve = s[f - 1] - 2 * s[f] + s[f + 1];
    const double shift = curve == 0 ? 0 : 0.5 * (s[f - 1] - s[f + 1]) / curve;
    return static_cast<double>(f) + (std::abs(shift) <= 1 ? shift : 0);
}

/// Maxima that are higher by `prominence` than the minima on both sides, inside the signal.
std::vector<std::size_t> peaks(const Signal& s, double prominence) {
    std::vector<std::size_t> found;
    double low = std::numeric_limits<double>::infinity(), high = -low;
    std::size_t at = 0;
    bool rising = true;  // looking for a maximum
    for (std::size_t f = 0; f < s.size(); ++f) {
        if (!std::isfinite(s[f])) {
            low = std::numeric_limits<double>::infinity(), high = -low, rising = true;
            continue;
        }
        if (rising) {
            low = std::min(low, s[f]);
            if (s[f] > high && s[f] - low >= prominence) high = s[f], at = f;
            if (high - s[f] >= prominence) {
                found.push_back(at);
                rising = false, low = s[f];
            }
        } else {
            low = std::min(low, s[f]);
            if (s[f] - low >= prominence) rising = true, high = s[f], at = f;
        }
    }
    return found;
}

Signal negative(Signal s) {
    for (double& v : s) v = -v;
    return s;
}

/// Frame of the largest value in [from, to], refined; empty when it lies at an end or is not finite.
std::optional<double> greatest(const Signal& s, double from, double to) {
    const auto begin = static_cast<std::ptrdiff_t>(std::ceil(from)),
               end = static_cast<std::ptrdiff_t>(std::floor(to));
    if (begin < 0 || end >= static_cast<std::ptrdiff_t>(s.size()) || begin >= end) return std::nullopt;
    std::ptrdiff_t best = begin;
    for (std::ptrdiff_t f = begin; f <= end; ++f) {
        if (!std::isfinite(s[static_cast<std::size_t>(f)])) return std::nullopt;
        if (s[static_cast<std::size_t>(f)] > s[static_cast<std::size_t>(best)]) best = f;
    }
    if (best == begin || best == end) return std::nullopt;
    return refine(s, static_cast<std::size_t>(best));
}

/// First time in [from, to], in fractional frames, at which a signal falls below (or rises above) a level.
std::optional<double> crossing(const Signal& s, double from, double to, double level, bool falling) {
    const auto begin = static_cast<std::ptrdiff_t>(std::max(1.0, std::ceil(from)));
    const auto end =
        std::min(static_cast<std::ptrdiff_t>(std::floor(to)), static_cast<std::ptrdiff_t>(s.size()) - 1);
    for (std::ptrdiff_t f = begin; f <= end; ++f) {
        const double a = s[static_cast<std::size_t>(f - 1)], b = s[static_cast<std::size_t>(f)];
        if (falling ? a > level && b <= level : a < level && b >= level)
            return static_cast<double>(f - 1) + (level - a) / (b - a);
    }
    return std::nullopt;
}

/// A leg that walks, with the signals that the rules use.
class LegSignals {
  public:
    LegSignals(const GaitMotion& motion, Side side) : motion_(motion), leg_(motion.leg(side)) {
        const Vec3d up = Vec3d::UnitY();
        std::vector<Vec3d> middle = leg_.heel;
        for (std::size_t f = 0; f < middle.size(); ++f) middle[f] = (middle[f] + leg_.toe[f]) / 2;
        heel_ = derive(signal_of(leg_.heel, motion.forward, &motion.pelvis), motion.rate);
        toe_ = derive(signal_of(leg_.toe, motion.forward, &motion.pelvis), motion.rate);
        heel_up_ = derive(signal_of(leg_.heel, up), motion.rate);
        toe_forward_ = derive(signal_of(leg_.toe, motion.forward), motion.rate);
        heel_forward_ = derive(signal_of(leg_.heel, motion.forward), motion.rate);
        middle_up_ = derive(signal_of(middle, up), motion.rate);
        speed_ = walking_speed();
    }

    /// Frames in which the heel is farthest in front, or the toe farthest behind.
    std::vector<double> anchors(GaitEventKind kind) const {
        const Signal s = kind == GaitEventKind::strike ? heel_.value : negative(toe_.value);
        std::vector<double> found;
        for (const std::size_t f : peaks(s, 0.1)) found.push_back(refine(s, f));
        return found;
    }

    /// The event that belongs to an anchor, in frames.
    std::optional<double> event(EventRule rule, GaitEventKind kind, double anchor) const {
        const double before = 0.10 * motion_.rate, after = 0.16 * motion_.rate;
        const bool strike = kind == GaitEventKind::strike;
        switch (rule) {
            case EventRule::position:
                return anchor;
            case EventRule::foot_velocity:
                return strike ? greatest(negative(middle_up_.first), anchor - before, anchor + after)
                              : greatest(middle_up_.first, anchor - before, anchor + after);
            case EventRule::acceleration:
                return strike ? greatest(heel_up_.second, anchor - 0.3 * before, anchor + after)
                              : greatest(toe_forward_.second, anchor - before, anchor + after);
            case EventRule::landing:
                return strike ? crossing(heel_forward_.first, anchor - 0.3 * before, anchor + 1.3 * after,
                                         0.5 * speed_, true)
                              : crossing(toe_forward_.first, anchor - before, anchor + after, 0.45 * speed_,
                                         false);
            case EventRule::combined:
                return median(kind, anchor);
        }
        return std::nullopt;
    }

  private:
    std::optional<double> median(GaitEventKind kind, double anchor) const {
        std::vector<double> found;
        // The heel is farthest in front of the pelvis well before contact, so the rule `position` is not used
        // for strikes; a toe gets fast long after it has left the ground, so `landing` is not used for offs.
        const EventRule third = kind == GaitEventKind::strike ? EventRule::landing : EventRule::position;
        for (const EventRule rule : {EventRule::foot_velocity, EventRule::acceleration, third}) {
            if (const auto frame = event(rule, kind, anchor)) found.push_back(*frame);
        }
        if (found.empty()) return anchor;
        std::sort(found.begin(), found.end());
        const std::size_t n = found.size();
        return n % 2 == 1 ? found[n / 2] : (found[n / 2 - 1] + found[n / 2]) / 2;
    }

    /// Speed of the pelvis; for walking in place, of a foot relative to it.
    double walking_speed() const {
        const double seconds = static_cast<double>(motion_.frames) / motion_.rate;
        if (!motion_.on_the_spot) return std::abs(motion_.travel) / seconds;
        return 0;
    }

    const GaitMotion& motion_;
    const LegPoints& leg_;
    Derivatives heel_, toe_, heel_up_, toe_forward_, heel_forward_, middle_up_;
    double speed_ = 0;
};

}  // namespace

std::span<const EventRule> event_rules() {
    static constexpr std::array rules = {EventRule::position, EventRule::foot_velocity,
                                         EventRule::acceleration, EventRule::landing, EventRule::combined};
    return rules;
}

std::vector<GaitEvent> events_by_rule(const GaitMotion& motion, EventRule rule) {
    std::vector<GaitEvent> events;
    if (motion.frames < 8 || motion.pelvis.empty() || !(motion.rate > 0)) return events;
    for (const Side side : {Side::left, Side::right}) {
        const LegPoints& leg = motion.leg(side);
        if (leg.heel.empty() || leg.toe.empty()) continue;
        const LegSignals signals(motion, side);
        for (const GaitEventKind kind : {GaitEventKind::strike, GaitEventKind::off}) {
            for (const double anchor : signals.anchors(kind)) {
                if (const auto frame = signals.event(rule, kind, anchor))
                    add_event(events, {side, kind, *frame / motion.rate, EventSource::markers});
            }
        }
    }
    return events;
}

}  // namespace sinew::gait
