// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/model/channels.h"

namespace sinew::model {
namespace {

constexpr std::size_t max_keys = 2'000'000;  // of a whole clip; a short channel may cycle many times

/// Positions within a span at which the difference is measured: to set keys; and others, to report it.
constexpr double probes[] = {0.13, 0.31, 0.5, 0.69, 0.87};
constexpr double checks[] = {0.07, 0.21, 0.43, 0.57, 0.79, 0.93};
/// Keys are set for half of the tolerance, because the probes miss the exact maximum.
constexpr double safety = 0.5;

/// A time where a curve may bend or jump, and the same time in single precision.
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

/// Keys of one joint during construction.
class JointKeys {
  public:
    JointKeys(ChannelPlayer& player, std::size_t joint, const ChannelOptions& options, std::size_t& budget,
              std::string_view location)
        : player_(player), joint_(joint), options_(options), budget_(budget), location_(location) {}

    void run(const std::vector<Stop>& stops) {
        for (std::size_t i = 0; i < stops.size(); ++i) {
            const Stop& stop = stops[i];
            // Just after a key at which a cycle restarts.
            const double space = i + 1 < stops.size() ? stops[i + 1].exact - stop.exact : 0.0;
            const Value value = at(std::max(stop.exact, static_cast<double>(stop.kept)) + 1e-9 * space);
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
            fail(location_, "the channels of joint {} are not finite at {} seconds", joint_, time);
        }
        return {local.rotation, local.translation};
    }

    void push(float time, const Value& value) {
        if (budget_ == 0) fail(location_, "more than {} keys would be needed", max_keys);
        --budget_;
        times.push_back(time);
        values.push_back(value);
    }

    /// Adds keys between the last key and `stop`. `value` is the limit at `stop` from the right.
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
    std::string_view location_;
};

/// Key times of a curve within the range, including those of its cycles.
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
    for (double angle = from; angle <= to; ++angle) {
        const bool outside = angle != 0;
        const Extrapolation mode = angle < 0 ? curve.before : curve.after;
        const bool backwards = outside && mode == Extrapolation::bounce && std::fmod(angle, 2) != 0;
        for (const double time : curve.times) {
            const double moved = (backwards ? first + curve.times.back() - time : time) + angle * length;
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
    std::size_t budget = max_keys;
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

namespace {

constexpr TangentRule straight{Tangent::linear, 0};

/// Rotation of a joint relative to its rest pose, in the frame of its limits: Q of the header.
Quatd rotation_of(const Joint& joint, const Quatd& rotation) {
    const Quatd frame = joint.limits ? joint.limits->frame : Quatd::Identity();
    return frame.conjugate() * joint.rest.rotation.conjugate() * rotation * frame;
}

struct AngleKey {
    double time;
    Vec3d angles;  ///< in the order of the factors
};

/// Angles of one joint: at the keys of the clip, and at further times where linear angles deviate from the
/// rotation.
class AngleKeys {
  public:
    AngleKeys(const Joint& joint, const Keys<Quatf>& keys, const ChannelOptions& options)
        : joint_(joint), keys_(keys), options_(options) {}

    void run() {
        for (std::size_t i = 0; i < keys_.times.size(); ++i) {
            const double time = keys_.times[i];
            if (i == 0) {
                list.push_back({time, math::to_euler(options_.order, rotation(time))});
            } else if (keys_.mode == Interpolation::step) {
                list.push_back({time, list.back().angles});
                list.push_back({time, next(time, list.back().angles)});
            } else {
                fill(time, 0);
            }
        }
    }

    std::vector<AngleKey> list;
    double error = 0;

  private:
    Quatd rotation(double time) const { return rotation_of(joint_, sample(keys_, time)); }
    Vec3d next(double time, const Vec3d& previous) const {
        return math::unwrap_euler(options_.order, math::to_euler(options_.order, rotation(time)), previous);
    }

    double worst(const AngleKey& a, const AngleKey& b) const {
        double largest = 0;
        for (const double u : {0.13, 0.31, 0.5, 0.69, 0.87}) {
            const Vec3d angles = (1 - u) * a.angles + u * b.angles;
            const Quatd exact = rotation((1 - u) * a.time + u * b.time);
            largest = std::max(largest, math::angle_between(math::from_euler(options_.order, angles), exact));
        }
        return largest;
    }

    void fill(double time, int depth) {
        const AngleKey from = list.back();
        const AngleKey to{time, next(time, from.angles)};
        const double off = worst(from, to);
        // In gimbal lock angles jump in any span, however short; therefore subdivision has a limit.
        if (off > options_.rotation_tolerance / 2 && depth < 12) {
            fill((from.time + time) / 2, depth + 1);
            fill(time, depth + 1);
            return;
        }
        error = std::max(error, off);
        list.push_back(to);
    }

    const Joint& joint_;
    const Keys<Quatf>& keys_;
    const ChannelOptions& options_;
};

void add_channel(ChannelSet& set, int id, std::vector<ChannelKey> keys) {
    const bool zero = std::all_of(keys.begin(), keys.end(), [](const ChannelKey& k) { return k.value == 0; });
    if (!zero)
        set.channels.push_back({id, Extrapolation::constant, Extrapolation::constant, std::move(keys)});
}

double add_angles(ChannelSet& set, int number, const Joint& joint, const Keys<Quatf>& keys,
                  const ChannelOptions& options) {
    AngleKeys angles(joint, keys, options);
    angles.run();
    for (int axis = 0; axis < 3; ++axis) {
        const auto location =
            std::find(options.order.begin(), options.order.end(), axis) - options.order.begin();
        std::vector<ChannelKey> list;
        for (const AngleKey& key : angles.list) {
            list.push_back({key.time, math::degrees(key.angles[location]), straight, straight});
        }
        add_channel(set, 3 * number + axis, std::move(list));
    }
    return angles.error;
}

/// How far the translation of a root is from its rest position, for the mover.
void add_mover(ChannelSet& set, std::size_t joint_count, const Joint& root, const Keys<Vec3f>& keys) {
    for (int axis = 0; axis < 3; ++axis) {
        std::vector<ChannelKey> list;
        for (std::size_t i = 0; i < keys.times.size(); ++i) {
            const double time = keys.times[i];
            const double value = static_cast<double>(keys.at_key(i)[axis]) - root.rest.translation[axis];
            TangentRule in = straight, out = straight;
            if (keys.mode == Interpolation::cubic) {
                in = {Tangent::fixed, keys.values[3 * i][axis]};
                out = {Tangent::fixed, keys.values[3 * i + 2][axis]};
            }
            if (keys.mode == Interpolation::step && i > 0) list.push_back({time, list.back().value, in, out});
            list.push_back({time, value, in, out});
        }
        add_channel(set, static_cast<int>(3 * joint_count) + axis, std::move(list));
    }
}

/// True when some key differs from the rest value.
bool leaves(const Keys<Vec3f>& keys, const Vec3d& rest, double tolerance) {
    for (std::size_t i = 0; i < keys.times.size(); ++i) {
        if ((keys.at_key(i).cast<double>() - rest).norm() > tolerance) return true;
    }
    return false;
}

}  // namespace

ClipChannels channels_of(const Clip& clip, const Skeleton& skeleton, const ChannelOptions& options,
                         Monitor& monitor) {
    if (options.order[0] == options.order[2]) {
        fail(clip.name, "channels have one angle for each axis: the rotation order must name all three");
    }
    ClipChannels result;
    result.set.name = clip.name;
    const TimeRange range = time_range(clip);
    result.set.start = range.start;
    result.set.end = range.end;
    const std::vector<int> numbers = depth_first_numbers(skeleton);
    std::size_t moved = 0, scaled = 0;
    bool has_mover = false;
    for (const Track& track : clip.tracks) {
        const auto j = static_cast<std::size_t>(track.joint);
        const Joint& joint = skeleton.joints[j];
        if (!track.rotation.empty()) {
            const double error = add_angles(result.set, numbers[j], joint, track.rotation, options);
            result.error.rotation = std::max(result.error.rotation, error);
        }
        if (leaves(track.translation, joint.rest.translation, options.translation_tolerance)) {
            const bool mover = joint.parent < 0 && !has_mover;
            if (mover) add_mover(result.set, skeleton.size(), joint, track.translation);
            has_mover = has_mover || mover;
            moved += mover ? 0 : 1;
        }
        scaled += leaves(track.scale, joint.rest.scale, 1e-5) ? 1 : 0;
    }
    const auto tell = [&](std::size_t count, std::string_view code, std::string_view what) {
        if (count > 0)
            warn(monitor, code, "clip \"{}\": channels hold no {}: {} left out", clip.name, what, count);
    };
    tell(moved, "channels-translation", "translation of a joint below the root");
    tell(scaled, "channels-scale", "scale");
    tell(clip.morph_tracks.size(), "channels-morphs", "weights of morphs");
    std::sort(result.set.channels.begin(), result.set.channels.end(),
              [](const Channel& a, const Channel& b) { return a.id < b.id; });
    return result;
}

namespace {

constexpr std::array<std::string_view, 20> names = {
    "camera.azimuth",  "camera.elevation", "camera.roll",     "camera.zoom",      "camera.fov",
    "camera.eye.x",    "camera.eye.y",     "camera.eye.z",    "camera.target.x",  "camera.target.y",
    "camera.target.z", "light.azimuth",    "light.elevation", "light.exposure",   "color.red",
    "color.green",     "color.blue",       "background.red",  "background.green", "background.blue"};
static_assert(names.size() == static_cast<std::size_t>(StageValue::background_blue) + 1);

}  // namespace

std::span<const std::string_view> stage_value_names() {
    return names;
}

std::string_view name_of(StageValue value) {
    return names[static_cast<std::size_t>(value)];
}

std::optional<StageValue> stage_value_from_name(std::string_view name) {
    const auto found = std::find_if(names.begin(), names.end(),
                                    [&](std::string_view known) { return equal_ignoring_case(known, name); });
    if (found == names.end()) return std::nullopt;
    return static_cast<StageValue>(found - names.begin());
}

StagePlayer::StagePlayer(const ChannelSet& set) {
    for (const StageChannel& channel : set.stage)
        if (!channel.curve.keys.empty()) played_.push_back({channel.value, prepare(channel.curve), {}});
}

std::optional<double> StagePlayer::value(StageValue value, double time) {
    for (Played& played : played_)
        if (played.value == value) return evaluate(played.curve, time, played.cursor);
    return std::nullopt;
}

}  // namespace sinew::model
