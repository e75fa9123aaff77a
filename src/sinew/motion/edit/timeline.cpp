// SPDX-License-Identifier: MIT
#include "sinew/motion/edit/timeline.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>

#include "sinew/base/array.h"
#include "sinew/model/roles.h"

namespace sinew::motion {

using math::Quatd;
using math::Transform;
using math::Vec3d;

namespace {

/// Clips and weight at one time of the result.
struct BlendInstant {
    std::size_t first, second;
    double first_time, second_time, weight;
};

BlendInstant instant_of(const BlendSpan& span, double time) {
    const double length = span.end - span.start;
    const double t = length > 0 ? std::clamp((time - span.start) / length, 0.0, 1.0) : 1;
    return {span.first, span.second, std::lerp(span.first_start, span.first_end, t),
            std::lerp(span.second_start, span.second_end, t),
            std::lerp(span.weight_start, span.weight_end, t)};
}

std::vector<Transform> moved_pose(const BlendSource& source, const model::Skeleton& skeleton, double time) {
    std::vector<Transform> pose = model::sample(*source.clip, skeleton, time);
    apply(source.move, skeleton, pose);
    return pose;
}

Transform blend_of(const Transform& a, const Transform& b, double weight) {
    return {(1 - weight) * a.translation + weight * b.translation,
            math::slerp(weight, a.rotation, b.rotation), (1 - weight) * a.scale + weight * b.scale};
}

std::vector<Transform> pose_of(const BlendTimeline& timeline, const model::Skeleton& skeleton,
                               const BlendInstant& instant) {
    std::vector<Transform> pose = moved_pose(timeline.sources[instant.first], skeleton, instant.first_time);
    if (instant.second == instant.first || instant.weight == 0) return pose;
    const std::vector<Transform> other =
        moved_pose(timeline.sources[instant.second], skeleton, instant.second_time);
    for (std::size_t j = 0; j < pose.size(); ++j)
        if (timeline.mask.empty() || timeline.mask[j] != 0)
            pose[j] = blend_of(pose[j], other[j], instant.weight);
    return pose;
}

double morph_at(const model::Clip& clip, int morph, double time) {
    for (const model::MorphTrack& track : clip.morph_tracks)
        if (track.morph == morph && !track.weight.empty()) return model::sample(track.weight, time);
    return 0;
}

/// Empty tracks with the times of the result for everything that has keys in a clip, and for roots that are
/// moved.
model::Clip keyed_like(const BlendTimeline& timeline, const model::Skeleton& skeleton,
                       const model::KeyTimes& times) {
    std::map<int, model::Track> tracks;
    std::map<int, model::MorphTrack> morphs;
    for (const BlendSource& source : timeline.sources) {
        for (const model::Track& track : source.clip->tracks) {
            model::Track& own = tracks[track.joint];
            if (!track.translation.empty()) own.translation.times = times;
            if (!track.rotation.empty()) own.rotation.times = times;
            if (!track.scale.empty()) own.scale.times = times;
        }
        for (const model::MorphTrack& track : source.clip->morph_tracks)
            if (!track.weight.empty()) morphs[track.morph].weight.times = times;
        if (source.move.yaw == 0 && source.move.shift.isZero(0)) continue;
        for (std::size_t j = 0; j < skeleton.size(); ++j) {
            if (skeleton.joints[j].parent >= 0) continue;
            tracks[static_cast<int>(j)].translation.times = times;
            tracks[static_cast<int>(j)].rotation.times = times;
        }
    }
    model::Clip clip;
    for (auto& [joint, track] : tracks) {
        track.joint = joint;
        clip.tracks.push_back(std::move(track));
    }
    for (auto& [morph, track] : morphs) {
        track.morph = morph;
        clip.morph_tracks.push_back(std::move(track));
    }
    return clip;
}

void add_keys(model::Clip& clip, const std::vector<Transform>& pose) {
    for (model::Track& track : clip.tracks) {
        const Transform& local = pose[at(track.joint)];
        if (!track.translation.empty())
            track.translation.values.emplace_back(local.translation.cast<float>());
        if (!track.scale.empty()) track.scale.values.emplace_back(local.scale.cast<float>());
        if (track.rotation.empty()) continue;
        std::vector<math::Quatf>& values = track.rotation.values;
        const math::Quatf rotation = local.rotation.normalized().cast<float>();
        values.push_back(values.empty() ? rotation : math::aligned(rotation, values.back()));
    }
}

void add_morph_keys(model::Clip& clip, const BlendTimeline& timeline, const BlendInstant& instant) {
    for (model::MorphTrack& track : clip.morph_tracks) {
        double value = morph_at(*timeline.sources[instant.first].clip, track.morph, instant.first_time);
        if (instant.second != instant.first)
            value = std::lerp(
                value, morph_at(*timeline.sources[instant.second].clip, track.morph, instant.second_time),
                instant.weight);
        track.weight.values.push_back(static_cast<float>(value));
    }
}

Quatd about_vertical(double angle) {
    return math::axis_angle<double>(Vec3d::UnitY(), angle);
}

/// Joints that show the facing direction of a body, the hips first.
std::vector<int> heading_joints(const model::Skeleton& skeleton) {
    using model::Role;
    const std::vector<model::JointRole> roles = model::find_roles(skeleton);
    std::vector<int> found;
    for (const Role role : {Role::hips, Role::spine, Role::chest, Role::upper_chest}) {
        const int joint = model::find_role(roles, role);
        if (joint >= 0) found.push_back(joint);
    }
    if (found.empty()) found.push_back(0);
    return found;
}

Quatd world_rotation(const model::Skeleton& skeleton, std::span<const Transform> pose, int joint) {
    Quatd rotation = Quatd::Identity();
    for (int j = joint; j >= 0; j = skeleton.joints[at(j)].parent) rotation = pose[at(j)].rotation * rotation;
    return rotation;
}

std::vector<Transform> pose_at(const model::Skeleton& skeleton, const ClipWindow& window, double fraction) {
    return model::sample(*window.clip, skeleton, window.start + fraction * (window.end - window.start));
}

Vec3d position_of(const model::Skeleton& skeleton, std::span<const Transform> pose, int joint) {
    return model::joint_positions(model::world_matrices(skeleton, pose))[at(joint)];
}

}  // namespace

void append(BlendTimeline& timeline, const InStep& in_step) {
    assert(in_step.first_times.size() == in_step.weights.size());
    assert(in_step.second_times.size() == in_step.weights.size());
    for (std::size_t i = 1; i < in_step.weights.size(); ++i) {
        BlendSpan span;
        span.first = in_step.first;
        span.second = in_step.second;
        span.first_start = in_step.first_times[i - 1];
        span.first_end = in_step.first_times[i];
        span.second_start = in_step.second_times[i - 1];
        span.second_end = in_step.second_times[i];
        span.weight_start = in_step.weights[i - 1];
        span.weight_end = in_step.weights[i];
        span.start = timeline.duration();
        span.end =
            span.start + std::lerp(span.first_end - span.first_start, span.second_end - span.second_start,
                                   (span.weight_start + span.weight_end) / 2);
        timeline.spans.push_back(span);
    }
}

void append(BlendTimeline& timeline, std::size_t source, double start, double end) {
    if (!(end > start)) return;
    const double from = timeline.duration();
    timeline.spans.push_back({from, from + end - start, source, source, start, end, start, end, 0, 0});
}

model::Clip played(const BlendTimeline& timeline, const model::Skeleton& skeleton, double rate,
                   Monitor& monitor) {
    const std::size_t frames =
        timeline.spans.empty() ? 0 : model::sample_count({0, timeline.duration()}, rate);
    model::Clip clip = keyed_like(timeline, skeleton, model::KeyTimes::even(0, 1 / rate, frames));
    std::size_t span = 0;
    for (std::size_t f = 0; f < frames; ++f) {
        if (f % 64 == 0) step(monitor, "blend", static_cast<double>(f) / static_cast<double>(frames));
        const double time = static_cast<double>(f) / rate;
        // A frame on the boundary of two spans belongs to the later one.
        while (span + 1 < timeline.spans.size() && timeline.spans[span].end <= time + 1e-9) ++span;
        const BlendInstant instant = instant_of(timeline.spans[span], time);
        add_keys(clip, pose_of(timeline, skeleton, instant));
        add_morph_keys(clip, timeline, instant);
    }
    return clip;
}

GroundTransform combined(const GroundTransform& outer, const GroundTransform& inner) {
    return {outer.yaw + inner.yaw, about_vertical(outer.yaw) * inner.shift + outer.shift};
}

void apply(const GroundTransform& move, const model::Skeleton& skeleton, std::span<Transform> pose) {
    if (move.yaw == 0 && move.shift.isZero(0)) return;  // keeps the pose bit by bit when there is no motion
    const Quatd rotation = about_vertical(move.yaw);
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        if (skeleton.joints[j].parent >= 0) continue;
        pose[j].rotation = rotation * pose[j].rotation;
        pose[j].translation = rotation * pose[j].translation + move.shift;
    }
}

GroundTransform align_on_ground(const model::Skeleton& skeleton, const ClipWindow& first,
                                const ClipWindow& second, double meet) {
    constexpr int steps = 8;
    const std::vector<int> joints = heading_joints(skeleton);
    double sine = 0, cosine = 0;
    for (int i = 0; i <= steps; ++i) {
        const double fraction = static_cast<double>(i) / steps;
        const std::vector<Transform> a = pose_at(skeleton, first, fraction);
        const std::vector<Transform> b = pose_at(skeleton, second, fraction);
        for (const int joint : joints) {
            const Quatd r =
                world_rotation(skeleton, a, joint) * world_rotation(skeleton, b, joint).conjugate();
            sine += 2 * r.w() * r.y();
            cosine += r.w() * r.w() - r.y() * r.y();
        }
    }
    GroundTransform move;
    move.yaw = std::atan2(sine, cosine);
    const Vec3d goal = position_of(skeleton, pose_at(skeleton, first, meet), joints.front());
    const Vec3d own = position_of(skeleton, pose_at(skeleton, second, meet), joints.front());
    move.shift = goal - about_vertical(move.yaw) * own;
    move.shift.y() = 0;
    return move;
}

}  // namespace sinew::motion
