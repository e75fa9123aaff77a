#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "sinew/io/x_convert.h"

namespace sinew::io::x {
namespace {

using math::Quatd;
using math::Quatf;
using math::Vec3d;
using math::Vec3f;
using model::Keys;
using model::KeyTimes;

/// Which keys to take, in rising time: of several at one time, in single precision, the last.
struct Order {
    std::vector<float> times;
    std::vector<std::size_t> keys;
};

Order rising(const AnimationKeys& keys, double ticks, std::size_t place, Oddities& oddities) {
    std::vector<std::size_t> order(keys.times.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return keys.times[a] < keys.times[b]; });
    Order result;
    for (const std::size_t k : order) {
        const auto time = static_cast<float>(keys.times[k] / ticks);
        if (!result.times.empty() && !(time > result.times.back())) {
            result.keys.back() = k;
        } else {
            result.times.push_back(time);
            result.keys.push_back(k);
        }
    }
    if (result.keys.size() < order.size() || !std::is_sorted(keys.times.begin(), keys.times.end())) {
        oddities.add("x-key-order", place, [&] {
            return fmt::format("keys are not in rising time: sorted, {} of {} kept", result.keys.size(),
                               order.size());
        });
    }
    return result;
}

template <class Value, class Read>
Keys<Value> read_keys(const Order& order, const Read& read) {
    Keys<Value> keys;
    keys.times = KeyTimes::listed(order.times);
    for (const std::size_t k : order.keys) keys.values.push_back(read(k));
    return keys;
}

void keep_hemisphere(Keys<Quatf>& keys) {
    for (std::size_t i = 1; i < keys.values.size(); ++i)
        keys.values[i] = math::aligned(keys.values[i], keys.values[i - 1]);
}

/// Stored (w; x y z) inverted: the conjugate, then mirrored in z, is (w; x, y, -z) of the stored numbers.
Quatf to_rotation(const double* stored) {
    Quatd q(stored[0], stored[1], stored[2], -stored[3]);
    if (!(q.norm() > 1e-6)) return Quatf::Identity();
    return q.normalized().cast<float>();
}

void add_matrix_keys(const AnimationKeys& keys, const Order& order, model::Track& track, std::size_t place,
                     Oddities& oddities) {
    std::vector<math::Transform> parts(keys.times.size());
    double shear = 0;
    for (const std::size_t k : order.keys) {
        Matrix matrix{};
        std::copy_n(keys.values.data() + 16 * k, 16, matrix.begin());
        const math::Decomposition split = math::decompose(to_matrix(matrix));
        parts[k] = split.transform;
        shear = std::max(shear, split.shear);
    }
    if (shear > 1e-4) {
        oddities.add("x-shear", place, [&] {
            return fmt::format("matrix keys are sheared by up to {:.3g}: rotation and scale are kept", shear);
        });
    }
    const auto scaled = [&](std::size_t k) {
        return (parts[k].scale - Vec3d::Ones()).cwiseAbs().maxCoeff() > 1e-5;
    };
    track.translation =
        read_keys<Vec3f>(order, [&](std::size_t k) { return Vec3f(parts[k].translation.cast<float>()); });
    track.rotation = read_keys<Quatf>(order, [&](std::size_t k) { return parts[k].rotation.cast<float>(); });
    if (std::any_of(order.keys.begin(), order.keys.end(), scaled)) {
        track.scale =
            read_keys<Vec3f>(order, [&](std::size_t k) { return Vec3f(parts[k].scale.cast<float>()); });
    }
}

void add_keys(const AnimationKeys& keys, double ticks, model::Track& track, std::size_t place,
              Oddities& oddities) {
    const Order order = rising(keys, ticks, place, oddities);
    if (order.keys.empty()) return;
    const auto vector = [&](std::size_t k, float z) {
        const double* v = keys.values.data() + 3 * k;
        return Vec3f(static_cast<float>(v[0]), static_cast<float>(v[1]), z * static_cast<float>(v[2]));
    };
    switch (keys.type) {
        case 0:
            track.rotation = read_keys<Quatf>(
                order, [&](std::size_t k) { return to_rotation(keys.values.data() + 4 * k); });
            break;
        case 1:
            track.scale = read_keys<Vec3f>(order, [&](std::size_t k) { return vector(k, 1); });
            break;
        case 2:
            track.translation = read_keys<Vec3f>(order, [&](std::size_t k) { return vector(k, -1); });
            break;
        default:
            add_matrix_keys(keys, order, track, place, oddities);
    }
    keep_hemisphere(track.rotation);
}

model::Clip convert_set(const AnimationSet& set, const File& file, Oddities& oddities) {
    model::Clip clip;
    clip.name = set.name;
    std::map<int, model::Track> tracks;
    for (const Animation& animation : set.animations) {
        const auto found = file.frame_numbers.find(animation.frame);
        if (found == file.frame_numbers.end()) {
            oddities.add("x-unknown-frame", animation.place, [&] {
                return fmt::format("an animation moves \"{}\", which is no frame: left out", animation.frame);
            });
            continue;
        }
        model::Track& track = tracks[found->second];
        track.joint = found->second;
        for (const AnimationKeys& keys : animation.keys)
            add_keys(keys, file.ticks_per_second, track, animation.place, oddities);
    }
    for (auto& [frame, track] : tracks) {
        if (!track.translation.empty() || !track.rotation.empty() || !track.scale.empty())
            clip.tracks.push_back(std::move(track));
    }
    return clip;
}

}  // namespace

std::vector<model::Clip> convert_animations(const File& file, Oddities& oddities) {
    std::vector<model::Clip> clips;
    for (const AnimationSet& set : file.sets) {
        model::Clip clip = convert_set(set, file, oddities);
        if (!clip.empty()) clips.push_back(std::move(clip));
    }
    return clips;
}

}  // namespace sinew::io::x
