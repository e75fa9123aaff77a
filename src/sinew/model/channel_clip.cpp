#include "sinew/model/channels.h"

#include <cmath>
#include <optional>

#include "sinew/base/error.h"

namespace sinew::model {
namespace {

/// Where the difference is looked for within a span when keys are placed; and, to report it, at others.
constexpr double probes[] = {0.13, 0.31, 0.5, 0.69, 0.87};
constexpr double checks[] = {0.07, 0.21, 0.43, 0.57, 0.79, 0.93};
/// Keys are placed for half of the tolerance, because the probes do not see the very peak.
constexpr double safety = 0.5;

/// A time where a curve may bend or jump, and the same as single precision keeps it.
struct Stop {
    double exact;
    float kept;
};

struct Value {
    Quatd rotation;
    Vec3d translation;
};

Value between(const Value& a, const Value& b, double t) {
    return {math::slerp(t, a.rotation, b.rotation), (1 - t) * a.translation + t * b.translation};
}

ConversionError difference(const Value& a, const Value& b) {
    return {math::angle_between(a.rotation, b.rotation), (a.translation - b.translation).norm()};
}

void include(ConversionError& total, const ConversionError& error) {
    total.rotation = std::max(total.rotation, error.rotation);
    total.translation = std::max(total.translation, error.translation);
}

/// Keys of one joint while they are placed.
class JointKeys {
  public:
    JointKeys(ChannelPlayer& player, std::size_t joint, const ChannelOptions& options, std::size_t& budget,
              std::string_view place)
        : player_(player), joint_(joint), options_(options), budget_(budget), place_(place) {}

    void run(const std::vector<Stop>& stops) {
        for (std::size_t i = 0; i < stops.size(); ++i) {
            const Stop& stop = stops[i];
            // Just behind a key, where a cycle has begun anew.
            const double room = i + 1 < stops.size() ? stops[i + 1].exact - stop.exact : 0.0;
            const Value value = at(std::max(stop.exact, static_cast<double>(stop.kept)) + 1e-9 * room);
            if (i > 0) arrive(stops[i - 1], stop, value);
            push(stop.kept, value);
        }
    }

    std::vector<float> times;
    std::vector<Value> values;
    ConversionError error;

  private:
    Value at(double time) {
        const Transform local = player_.local(joint_, time);
        if (!local.rotation.coeffs().allFinite() || !local.translation.allFinite()) {
            fail(place_, "the channels of joint {} leave the numbers at {} seconds", joint_, time);
        }
        return {local.rotation, local.translation};
    }

    void push(float time, const Value& value) {
        if (budget_ == 0) fail(place_, "more than {} keys would be needed", options_.max_keys);
        --budget_;
        times.push_back(time);
        values.push_back(value);
    }

    /// Fills the span from the last key to `stop`, whose value from the right is `value`.
    void arrive(const Stop& from, const Stop& stop, const Value& value) {
        const double end = std::min(stop.exact, static_cast<double>(stop.kept));
        const Value left = at(end - 1e-9 * (end - from.exact));
        const ConversionError jump = difference(left, value);
        const float before = std::nextafter(stop.kept, times.back());
        if ((jump.rotation > 1e-3 * options_.rotation_tolerance ||
             jump.translation > 1e-3 * options_.translation_tolerance) &&
            before > times.back()) {
            fill(times.back(), values.back(), before, left, 0);
            push(before, left);
        } else {
            fill(times.back(), values.back(), stop.kept, value, 0);
        }
    }

    bool good(float t0, const Value& a, float t1, const Value& b) {
        for (const double u : probes) {
            const double time = (1 - u) * t0 + u * static_cast<double>(t1);
            const ConversionError e = difference(between(a, b, u), at(time));
            if (e.rotation > safety * options_.rotation_tolerance ||
                e.translation > safety * options_.translation_tolerance)
                return false;
        }
        return true;
    }

    void fill(float t0, const Value& a, float t1, const Value& b, int depth) {
        const float middle = t0 + (t1 - t0) / 2;
        if (depth < 30 && middle > t0 && middle < t1 && !good(t0, a, t1, b)) {
            const Value value = at(middle);
            fill(t0, a, middle, value, depth + 1);
            push(middle, value);
            fill(middle, value, t1, b, depth + 1);
            return;
        }
        for (const double u : checks) {
            include(error, difference(between(a, b, u), at((1 - u) * t0 + u * static_cast<double>(t1))));
        }
    }

    ChannelPlayer& player_;
    std::size_t joint_;
    const ChannelOptions& options_;
    std::size_t& budget_;
    std::string_view place_;
};

/// Key times of a curve within the range, with those of its repetitions.
void add_stops(const ChannelCurve& curve, const ChannelSet& set, std::size_t budget,
               std::vector<double>& stops) {
    const double first = curve.times.front(), length = curve.duration();
    const auto repeats = [](Extrapolation mode) {
        return mode != Extrapolation::constant && mode != Extrapolation::linear;
    };
    double from = 0, to = 0;
    if (length > 0 && repeats(curve.before)) from = std::min(0.0, std::floor((set.start - first) / length));
    if (length > 0 && repeats(curve.after)) to = std::max(0.0, std::floor((set.end - first) / length));
    if (!((to - from + 1) * static_cast<double>(curve.times.size()) < static_cast<double>(budget))) {
        fail("", "channels that repeat every {} seconds are too many keys over {} seconds", length,
             set.end - set.start);
    }
    for (double turn = from; turn <= to; ++turn) {
        const bool outside = turn != 0;
        const Extrapolation mode = turn < 0 ? curve.before : curve.after;
        const bool backwards = outside && mode == Extrapolation::bounce && std::fmod(turn, 2) != 0;
        for (const double time : curve.times) {
            const double moved = (backwards ? first + curve.times.back() - time : time) + turn * length;
            if (moved > set.start && moved < set.end) stops.push_back(moved);
        }
    }
}

std::vector<Stop> stops_of(const ChannelPlayer& player, std::size_t joint, const ChannelSet& set,
                           std::size_t budget) {
    std::vector<double> times{set.start, set.end};
    for (const ChannelCurve* curve : player.curves_of(joint)) add_stops(*curve, set, budget, times);
    std::sort(times.begin(), times.end());
    std::vector<Stop> stops;
    for (const double time : times) {
        const auto kept = static_cast<float>(time);
        if (stops.empty() || kept > stops.back().kept) stops.push_back({time, kept});
    }
    return stops;
}

Track track_of(int joint, const JointKeys& keys, bool moves) {
    Track track;
    track.joint = joint;
    track.rotation.times = KeyTimes::listed(keys.times);
    for (const Value& value : keys.values) {
        const Quatf q = value.rotation.normalized().cast<float>();
        track.rotation.values.push_back(
            track.rotation.values.empty() ? q : math::aligned(q, track.rotation.values.back()));
        if (moves) track.translation.values.push_back(value.translation.cast<float>());
    }
    if (moves) track.translation.times = track.rotation.times;
    return track;
}

}  // namespace

ChannelClip clip_of(const ChannelSet& set, const Skeleton& skeleton, const ChannelOptions& options,
                    Monitor& monitor) {
    ChannelClip result;
    result.clip.name = set.name;
    std::size_t unknown = 0;
    for (const Channel& channel : set.channels) {
        if (static_cast<std::size_t>(channel.id) >= 3 * skeleton.size() + 6) ++unknown;
    }
    if (unknown > 0) {
        warn(monitor, "channel-without-joint",
             "{} channels belong to no joint: with {} joints the last is {}", unknown, skeleton.size(),
             3 * skeleton.size() + 5);
    }
    ChannelPlayer player(set, skeleton, options);
    std::size_t budget = options.max_keys;
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        step(monitor, "converting channels", static_cast<double>(j) / static_cast<double>(skeleton.size()));
        if (!player.moves(j)) continue;
        JointKeys keys(player, j, options, budget, set.name);
        keys.run(stops_of(player, j, set, budget));
        include(result.error, keys.error);
        result.clip.tracks.push_back(track_of(static_cast<int>(j), keys, skeleton.joints[j].parent < 0));
    }
    return result;
}

}  // namespace sinew::model
