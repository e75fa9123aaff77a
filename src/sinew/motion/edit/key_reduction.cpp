// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "sinew/base/parallel.h"
#include "sinew/motion/edit.h"

namespace sinew::motion {

using math::Mat4d;
using math::Quatd;
using math::Quatf;
using math::Vec3d;
using math::Vec3f;
using model::Clip;
using model::Interpolation;
using model::Keys;
using model::KeyTimes;

namespace {

/// Points that a pose moves: vertices of a skin (linear blending), or points fixed to joints.
class ProbePoints {
  public:
    /// For a skin; `skin` must outlive this.
    ProbePoints(const model::Character& character, const model::Skeleton& skeleton);
    /// For joints: origins, tips, and three points at the distance `reach`.
    ProbePoints(const model::Skeleton& skeleton, double reach);

    /// Largest distance between the points of two poses, given by the world matrices of the joints.
    double distance(const std::vector<math::Mat4d>& a, const std::vector<math::Mat4d>& b) const;

    /// For each joint the largest distance, at rest, from it to its own points and those of its descendants.
    const std::vector<double>& radii() const { return radii_; }

  private:
    void measure(const model::Skeleton& skeleton, const std::vector<math::Vec3d>& points,
                 const std::vector<std::vector<int>>& joints_of);

    /// A point and its joints, as a range of `influences_`.
    struct Probe {
        std::uint32_t first;
        std::uint32_t count;
        math::Vec3f position;
    };
    struct Weight {
        std::uint32_t entry;
        float weight;
    };
    std::vector<model::SkinJoint> entries_;
    std::vector<Probe> probes_;
    std::vector<Weight> weights_;
    std::vector<double> radii_;
};

ProbePoints::ProbePoints(const model::Character& character, const model::Skeleton& skeleton)
    : entries_(character.skin.joints) {
    std::vector<Vec3d> points;
    std::vector<std::vector<int>> joints_of;
    for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
        const auto list = character.skin.of(v);
        probes_.push_back({static_cast<std::uint32_t>(weights_.size()),
                           static_cast<std::uint32_t>(list.size()), character.mesh.positions[v]});
        points.push_back(character.mesh.positions[v].cast<double>());
        std::vector<int>& joints = joints_of.emplace_back();
        for (const model::Influence& i : list) {
            weights_.push_back({i.joint, i.weight});
            joints.push_back(entries_[i.joint].joint);
        }
    }
    measure(skeleton, points, joints_of);
}

ProbePoints::ProbePoints(const model::Skeleton& skeleton, double reach) {
    const std::vector<Mat4d> world = model::rest_world_matrices(skeleton);
    std::vector<Vec3d> points;
    std::vector<std::vector<int>> joints_of;
    const auto add = [&](std::size_t joint, const Vec3d& position) {
        probes_.push_back({static_cast<std::uint32_t>(weights_.size()), 1, position.cast<float>()});
        weights_.push_back({static_cast<std::uint32_t>(joint), 1});
        points.push_back(math::transform_point(world[joint], position));
        joints_of.push_back({static_cast<int>(joint)});
    };
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        entries_.push_back({static_cast<int>(j), Mat4d::Identity()});
        add(j, Vec3d::Zero());
        for (int axis = 0; axis < 3; ++axis) add(j, reach * Vec3d::Unit(axis));
        if (skeleton.joints[j].tip) add(j, *skeleton.joints[j].tip);
    }
    measure(skeleton, points, joints_of);
}

void ProbePoints::measure(const model::Skeleton& skeleton, const std::vector<Vec3d>& points,
                          const std::vector<std::vector<int>>& joints_of) {
    const std::vector<Vec3d> positions = model::joint_positions(model::rest_world_matrices(skeleton));
    radii_.assign(skeleton.size(), 0);
    for (std::size_t p = 0; p < points.size(); ++p) {
        for (int joint : joints_of[p]) {
            for (; joint >= 0; joint = skeleton.joints[static_cast<std::size_t>(joint)].parent) {
                const auto j = static_cast<std::size_t>(joint);
                radii_[j] = std::max(radii_[j], (points[p] - positions[j]).norm());
            }
        }
    }
}

double ProbePoints::distance(const std::vector<Mat4d>& a, const std::vector<Mat4d>& b) const {
    // The difference of two linear blends is the blend of the differences.
    std::vector<Eigen::Matrix<float, 3, 4>> change;
    change.reserve(entries_.size());
    for (const model::SkinJoint& entry : entries_) {
        const auto j = static_cast<std::size_t>(entry.joint);
        change.emplace_back(((a[j] - b[j]) * entry.inverse_bind).topRows<3>().cast<float>());
    }
    float largest = 0;
    for (const Probe& probe : probes_) {
        const math::Vec4f position(probe.position.x(), probe.position.y(), probe.position.z(), 1);
        math::Vec3f moved = math::Vec3f::Zero();
        for (std::uint32_t i = probe.first; i < probe.first + probe.count; ++i) {
            moved += weights_[i].weight * (change[weights_[i].entry] * position);
        }
        largest = std::max(largest, moved.squaredNorm());
    }
    return std::sqrt(static_cast<double>(largest));
}

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

/// True when all keys between two keys are within the tolerance of the interpolation.
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

/// The next key to keep after `from`. The step is doubled, then bisected, so that long still ranges cost
/// little.
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
    // Times that coincide in single precision come from an even sampling; such a list is kept as it is.
    if (std::adjacent_find(times.begin(), times.end(), std::greater_equal<>()) != times.end()) return keys;
    result.times = KeyTimes::listed(std::move(times));
    return result;
}

/// One common tolerance for all lists, measured at the joint's farthest point.
Clip thinned(const Clip& clip, const std::vector<double>& radii, double tolerance) {
    Clip result;
    result.name = clip.name;
    for (const model::Track& track : clip.tracks) {
        const double radius = std::max(radii[static_cast<std::size_t>(track.joint)], 1e-9);
        result.tracks.push_back({track.joint, thinned(track.translation, tolerance),
                                 thinned(track.rotation, tolerance / radius),
                                 thinned(track.scale, tolerance / radius)});
    }
    // Morph weights do not move the points, so only keys on the interpolated line are removed.
    for (const model::MorphTrack& track : clip.morph_tracks)
        result.morph_tracks.push_back({track.morph, thinned(track.weight, 1e-6)});
    return result;
}

/// Keeps both ends of the clip when the lists that defined them have become shorter.
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
                    double tolerance, Monitor& monitor) {
    constexpr int rounds = 10;  // iterations of the search for the largest tolerance
    model::validate(clip, skeleton.size(), static_cast<std::size_t>(-1), clip.name);
    const model::TimeRange range = model::time_range(clip);
    KeyReduction best{clip, key_count(clip), key_count(clip), 0};
    // Errors of the lists add up along a limb, so the common tolerance is usually slightly below the
    // requested one.
    double low = 0, high = 2 * tolerance;
    for (int round = 0; round < rounds; ++round) {
        step(monitor, "reducing keys", static_cast<double>(round) / rounds);
        const double tried = round == 0 ? tolerance / 2 : (low + high) / 2;
        Clip candidate = thinned(clip, points.radii(), tried);
        keep_range(candidate, range);
        const double error = largest_error(clip, candidate, skeleton, points);
        if (error > tolerance) {
            high = tried;
            continue;
        }
        low = tried;
        const std::size_t keys = key_count(candidate);
        if (keys < best.keys_after) best = {std::move(candidate), best.keys_before, keys, error};
    }
    return best;
}

}  // namespace

std::size_t key_count(const Clip& clip) {
    std::size_t count = 0;
    for (const model::Track& t : clip.tracks)
        count += t.translation.times.size() + t.rotation.times.size() + t.scale.times.size();
    for (const model::MorphTrack& t : clip.morph_tracks) count += t.weight.times.size();
    return count;
}

KeyReduction reduce_keys(const Clip& clip, const model::Character& character, double tolerance,
                         Monitor& monitor) {
    if (!character.has_mesh() || !character.has_skin())
        return reduce_keys(clip, character.skeleton, tolerance, monitor);
    return reduce(clip, character.skeleton, ProbePoints(character, character.skeleton), tolerance, monitor);
}

KeyReduction reduce_keys(const Clip& clip, const model::Skeleton& skeleton, double tolerance,
                         Monitor& monitor) {
    return reduce(clip, skeleton, ProbePoints(skeleton, model::height(skeleton) / 20), tolerance, monitor);
}

}  // namespace sinew::motion
