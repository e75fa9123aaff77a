#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/model/channels.h"

namespace sinew::model {
namespace {

constexpr TangentRule straight{Tangent::linear, 0};

/// Turn of a joint against its rest pose, in the frame of its limits: Q of the header.
Quatd turn_of(const Joint& joint, const Quatd& rotation) {
    const Quatd frame = joint.limits ? joint.limits->frame : Quatd::Identity();
    return frame.conjugate() * joint.rest.rotation.conjugate() * rotation * frame;
}

struct AngleKey {
    double time;
    Vec3d angles;  ///< in the order of the factors
};

/// Angles of one joint: keys of the clip, and more where the line between angles leaves the turn.
class AngleKeys {
  public:
    AngleKeys(const Joint& joint, const Keys<Quatf>& keys, const ChannelOptions& options)
        : joint_(joint), keys_(keys), options_(options) {}

    void run() {
        for (std::size_t i = 0; i < keys_.times.size(); ++i) {
            const double time = keys_.times[i];
            if (i == 0) {
                list.push_back({time, math::to_euler(options_.order, turn(time))});
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
    Quatd turn(double time) const { return turn_of(joint_, sample(keys_, time)); }
    Vec3d next(double time, const Vec3d& previous) const {
        return math::unwrap_euler(options_.order, math::to_euler(options_.order, turn(time)), previous);
    }

    double worst(const AngleKey& a, const AngleKey& b) const {
        double largest = 0;
        for (const double u : {0.13, 0.31, 0.5, 0.69, 0.87}) {
            const Vec3d angles = (1 - u) * a.angles + u * b.angles;
            const Quatd exact = turn((1 - u) * a.time + u * b.time);
            largest = std::max(largest, math::angle_between(math::from_euler(options_.order, angles), exact));
        }
        return largest;
    }

    void fill(double time, int depth) {
        const AngleKey from = list.back();
        const AngleKey to{time, next(time, from.angles)};
        const double off = worst(from, to);
        // Through gimbal lock angles jump, however short the span: there is an end to cutting it.
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
        const auto place =
            std::find(options.order.begin(), options.order.end(), axis) - options.order.begin();
        std::vector<ChannelKey> list;
        for (const AngleKey& key : angles.list) {
            list.push_back({key.time, math::degrees(key.angles[place]), straight, straight});
        }
        add_channel(set, 3 * number + axis, std::move(list));
    }
    return angles.error;
}

/// How far the translation of a root is from its rest place, for the mover.
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

/// Keys that are more than the rest value.
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

}  // namespace sinew::model
