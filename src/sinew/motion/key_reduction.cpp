#include "sinew/motion/key_reduction.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/parallel.h"
#include "sinew/motion/key_reduction_points.h"

namespace sinew::motion {
namespace {

using math::Mat4d;
using math::Quatd;
using math::Quatf;
using math::Vec3d;
using math::Vec3f;
using model::Clip;
using model::Interpolation;
using model::Keys;
using model::KeyTimes;

double difference(const Quatf& a, const Quatf& b) {
    return math::angle_between(Quatd(a.cast<double>()), Quatd(b.cast<double>()));
}
double difference(const Vec3f& a, const Vec3f& b) {
    return (a - b).cast<double>().norm();
}
double difference(float a, float b) {
    return std::abs(static_cast<double>(a) - b);
}

Quatf between(const Quatf& a, const Quatf& b, double t) {
    return math::slerp(t, Quatd(a.cast<double>()), Quatd(b.cast<double>())).cast<float>();
}
Vec3f between(const Vec3f& a, const Vec3f& b, double t) {
    return ((1 - t) * a.cast<double>() + t * b.cast<double>()).cast<float>();
}
float between(float a, float b, double t) {
    return static_cast<float>((1 - t) * a + t * b);
}

/// All keys between two are within the tolerance of what lies between them.
template <class Value>
bool spans(const Keys<Value>& keys, std::size_t from, std::size_t to, double tolerance) {
    const double start = keys.times[from], length = keys.times[to] - start;
    const bool steps = keys.mode == Interpolation::step;
    for (std::size_t k = from + 1; k < to; ++k) {
        const Value& a = keys.values[from];
        const Value expected = steps ? a : between(a, keys.values[to], (keys.times[k] - start) / length);
        if (!(difference(expected, keys.values[k]) <= tolerance)) return false;
    }
    return true;
}

/// The key behind `from` to keep: doubling, then halving, so that a long still span costs little.
template <class Value>
std::size_t farthest(const Keys<Value>& keys, std::size_t from, double tolerance) {
    const std::size_t last = keys.times.size() - 1;
    std::size_t good = from + 1, step = 2;
    while (from + step <= last && spans(keys, from, from + step, tolerance)) {
        good = from + step;
        step *= 2;
    }
    std::size_t bad = std::min(from + step, last + 1);
    while (bad - good > 1) {
        const std::size_t middle = good + (bad - good) / 2;
        (spans(keys, from, middle, tolerance) ? good : bad) = middle;
    }
    return good;
}

template <class Value>
Keys<Value> thinned(const Keys<Value>& keys, double tolerance) {
    if (keys.times.size() < 2 || keys.mode == Interpolation::cubic) return keys;
    Keys<Value> result;
    result.mode = keys.mode;
    std::vector<float> times;
    const auto keep = [&](std::size_t k) {
        times.push_back(static_cast<float>(keys.times[k]));
        result.values.push_back(keys.values[k]);
    };
    const bool still = std::all_of(keys.values.begin(), keys.values.end(), [&](const Value& value) {
        return difference(keys.values[0], value) <= tolerance;
    });
    keep(0);
    for (std::size_t k = 0; !still && k + 1 < keys.times.size();) {
        k = farthest(keys, k, tolerance);
        keep(k);
    }
    // Times that single precision cannot tell apart were even ones: such a list is not worth the trouble.
    if (std::adjacent_find(times.begin(), times.end(), std::greater_equal<>()) != times.end()) return keys;
    result.times = KeyTimes::listed(std::move(times));
    return result;
}

/// One common tolerance for all lists, as it is seen at the joint's farthest point.
Clip thinned(const Clip& clip, const std::vector<double>& radii, double tolerance) {
    Clip result;
    result.name = clip.name;
    for (const model::Track& track : clip.tracks) {
        const double radius = std::max(radii[static_cast<std::size_t>(track.joint)], 1e-9);
        result.tracks.push_back({track.joint, thinned(track.translation, tolerance),
                                 thinned(track.rotation, tolerance / radius),
                                 thinned(track.scale, tolerance / radius)});
    }
    // Weights of morphs are not seen by the points: only what lies on the line goes.
    for (const model::MorphTrack& track : clip.morph_tracks)
        result.morph_tracks.push_back({track.morph, thinned(track.weight, 1e-6)});
    return result;
}

std::size_t count_keys(const Clip& clip) {
    std::size_t count = 0;
    for (const model::Track& t : clip.tracks)
        count += t.translation.times.size() + t.rotation.times.size() + t.scale.times.size();
    for (const model::MorphTrack& t : clip.morph_tracks) count += t.weight.times.size();
    return count;
}

/// Keeps both ends of the clip when the lists that reached them have become shorter.
void keep_range(Clip& clip, const model::TimeRange& range) {
    const model::TimeRange now = model::time_range(clip);
    if (clip.tracks.empty() || (now.start <= range.start && now.end >= range.end)) return;
    for (model::Track& track : clip.tracks) {
        Keys<Quatf>& keys = track.rotation;
        if (keys.times.size() != 1 || !(range.end > range.start)) continue;
        keys.times = KeyTimes::listed({static_cast<float>(range.start), static_cast<float>(range.end)});
        keys.values.push_back(keys.values[0]);
        return;
    }
}

double largest_error(const Clip& a, const Clip& b, const model::Skeleton& skeleton,
                     const ProbePoints& points) {
    const std::size_t frames = std::min<std::size_t>(model::frame_count(a), 10'000'000);
    std::vector<double> errors(frames, 0);
    parallel_for(frames, 4, [&](std::size_t f) {
        const double time = model::frame_time(a, f);
        errors[f] = points.distance(model::world_matrices(skeleton, model::sample(a, skeleton, time)),
                                    model::world_matrices(skeleton, model::sample(b, skeleton, time)));
    });
    return errors.empty() ? 0 : *std::max_element(errors.begin(), errors.end());
}

KeyReduction reduce(const Clip& clip, const model::Skeleton& skeleton, const ProbePoints& points,
                    const KeyReductionOptions& options, Monitor& monitor) {
    model::validate(clip, skeleton.size(), static_cast<std::size_t>(-1), clip.name);
    const model::TimeRange range = model::time_range(clip);
    KeyReduction best{clip, count_keys(clip), count_keys(clip), 0};
    // Tolerances of lists add up along a limb, so the common one lies below the wanted one, but not by much.
    double low = 0, high = 2 * options.tolerance;
    for (int round = 0; round < options.rounds; ++round) {
        step(monitor, "reducing keys", static_cast<double>(round) / options.rounds);
        const double tried = round == 0 ? options.tolerance / 2 : (low + high) / 2;
        Clip candidate = thinned(clip, points.radii(), tried);
        keep_range(candidate, range);
        const double error = largest_error(clip, candidate, skeleton, points);
        if (error > options.tolerance) {
            high = tried;
            continue;
        }
        low = tried;
        const std::size_t keys = count_keys(candidate);
        if (keys < best.keys_after) best = {std::move(candidate), best.keys_before, keys, error};
    }
    return best;
}

}  // namespace

KeyReduction reduce_keys(const Clip& clip, const model::Character& character,
                         const KeyReductionOptions& options, Monitor& monitor) {
    if (!character.has_mesh() || !character.has_skin())
        return reduce_keys(clip, character.skeleton, options, monitor);
    return reduce(clip, character.skeleton, ProbePoints(character, character.skeleton), options, monitor);
}

KeyReduction reduce_keys(const Clip& clip, const model::Skeleton& skeleton,
                         const KeyReductionOptions& options, Monitor& monitor) {
    const double reach = options.reach > 0 ? options.reach : model::height(skeleton) / 20;
    return reduce(clip, skeleton, ProbePoints(skeleton, reach), options, monitor);
}

}  // namespace sinew::motion
