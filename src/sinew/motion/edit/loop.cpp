// SPDX-License-Identifier: MIT
#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/model/roles.h"
#include "sinew/motion/clean.h"
#include "sinew/motion/edit.h"
#include "sinew/motion/retarget.h"

namespace sinew::motion {

using math::Quatd;
using math::Vec3d;
using model::Clip;
using model::Skeleton;
using model::Transform;
using LocalPose = std::vector<Transform>;

namespace {

std::vector<LocalPose> poses_of(const Skeleton& skeleton, const Clip& clip) {
    std::vector<LocalPose> poses(model::frame_count(clip));
    for (std::size_t f = 0; f < poses.size(); ++f) {
        poses[f] = model::sample(clip, skeleton, model::frame_time(clip, f));
    }
    return poses;
}

/// Rotation keys for all joints, translation keys for roots and for joints that have translation keys.
Clip clip_of(const Clip& like, const Skeleton& skeleton, const std::vector<LocalPose>& poses) {
    Clip result;
    result.name = like.name;
    const auto times = model::KeyTimes::even(0, 1 / model::frame_rate(like), poses.size());
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        model::Track track;
        track.joint = static_cast<int>(j);
        const bool moves =
            skeleton.joints[j].parent < 0 ||
            std::any_of(
                like.tracks.begin(), like.tracks.end(),
                [&](auto& t) { return t.joint == static_cast<int>(j) && !t.translation.empty(); });
        track.rotation.times = times;
        if (moves) track.translation.times = times;
        for (const LocalPose& pose : poses) {
            const math::Quatf q = pose[j].rotation.cast<float>();
            const auto& so_far = track.rotation.values;
            track.rotation.values.push_back(so_far.empty() ? q : math::aligned(q, so_far.back()));
            if (moves) track.translation.values.push_back(pose[j].translation.cast<float>());
        }
        result.tracks.push_back(std::move(track));
    }
    return result;
}

/// The corresponding joint of the other side; the joint itself when it is central or has no counterpart.
std::vector<std::size_t> partners(const Skeleton& skeleton) {
    const std::vector<model::JointRole> roles = model::find_roles(skeleton);
    std::vector<std::size_t> result(skeleton.size());
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        result[j] = j;
        if (roles[j].side == model::Side::none) continue;
        model::JointRole wanted = roles[j];
        wanted.side = model::opposite(wanted.side);
        const auto found = std::find(roles.begin(), roles.end(), wanted);
        if (roles[j] && found != roles.end()) result[j] = static_cast<std::size_t>(found - roles.begin());
    }
    return result;
}

/// Reflection across x = 0: an axis of rotation is a pseudovector.
Quatd reflected(const Quatd& q) {
    return {q.w(), q.x(), -q.y(), -q.z()};
}
Vec3d reflected(const Vec3d& v) {
    return {-v.x(), v.y(), v.z()};
}

struct World {
    std::vector<Quatd> rotation;
    std::vector<Vec3d> position;
};

World world_of(const Skeleton& skeleton, const LocalPose& pose) {
    World world;
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        const int parent = skeleton.joints[j].parent;
        const Quatd above = parent < 0 ? Quatd::Identity() : world.rotation[static_cast<std::size_t>(parent)];
        const Vec3d from = parent < 0 ? Vec3d::Zero() : world.position[static_cast<std::size_t>(parent)];
        world.rotation.push_back(above * pose[j].rotation);
        world.position.push_back(from + above * pose[j].translation);
    }
    return world;
}

LocalPose rest_of(const Skeleton& skeleton) {
    LocalPose rest;
    for (const model::Joint& joint : skeleton.joints) rest.push_back(joint.rest);
    return rest;
}

/// Difference of two poses: sum of the squared rotation angles of all joints.
double distance(const LocalPose& a, const LocalPose& b) {
    double sum = 0;
    for (std::size_t j = 0; j < a.size(); ++j) {
        const double angle = math::angle_between(a[j].rotation, b[j].rotation);
        sum += angle * angle;
    }
    return sum;
}

constexpr double min_loop = 0.5;  // seconds

struct Range {
    std::size_t first = 0;
    std::size_t last = 0;
};

/// The two frames, at least `min_loop` apart, whose poses and next poses differ least.
Range best_range(const std::vector<LocalPose>& poses, std::size_t shortest) {
    const std::size_t n = poses.size();
    const std::size_t stride = std::max<std::size_t>(1, n / 150);
    Range best{0, n - 1};
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t a = 0; a + 1 < n; a += stride) {
        for (std::size_t b = a + shortest; b + 1 < n; b += stride) {
            const double d = distance(poses[a], poses[b]) + distance(poses[a + 1], poses[b + 1]);
            // Longer loops give similar values: another range is accepted only when it is clearly better.
            if (d >= 0.999 * smallest) continue;
            smallest = d;
            best = {a, b};
        }
    }
    return best;
}

void close_seam(std::vector<LocalPose>& loop, double part) {
    const auto last = static_cast<double>(loop.size() - 1);
    const LocalPose start = loop.front(), end = loop.back();
    for (std::size_t f = 0; f < loop.size(); ++f) {
        const double u = std::clamp((static_cast<double>(f) - last * (1 - part)) / (last * part), 0.0, 1.0);
        const double w = u * u * (3 - 2 * u);
        if (w == 0) continue;
        for (std::size_t j = 0; j < start.size(); ++j) {
            const Quatd rotation = end[j].rotation.conjugate() * start[j].rotation;
            loop[f][j].rotation = loop[f][j].rotation * math::slerp<double>(w, Quatd::Identity(), rotation);
            loop[f][j].translation += w * (start[j].translation - end[j].translation);
        }
    }
    loop.back() = start;
}

std::vector<math::Vec3d> positions_at(const model::Skeleton& skeleton, const model::Clip& clip, double time) {
    return model::joint_positions(model::world_matrices(skeleton, model::sample(clip, skeleton, time)));
}

}  // namespace

Clip mirrored(const Skeleton& skeleton, const Clip& clip) {
    const std::vector<std::size_t> other = partners(skeleton);
    const World rest = world_of(skeleton, rest_of(skeleton));
    std::vector<LocalPose> poses = poses_of(skeleton, clip);
    for (LocalPose& pose : poses) {
        const World from = world_of(skeleton, pose);
        World to = from;
        for (std::size_t j = 0; j < skeleton.size(); ++j) {
            const std::size_t p = other[j];
            to.rotation[j] = reflected(from.rotation[p] * rest.rotation[p].conjugate()) * rest.rotation[j];
            const int parent = skeleton.joints[j].parent;
            const auto above = static_cast<std::size_t>(parent);
            const Quatd back = parent < 0 ? Quatd::Identity() : to.rotation[above].conjugate();
            pose[j].rotation = back * to.rotation[j];
            if (parent < 0) pose[j].translation = reflected(from.position[p]);
        }
    }
    Clip result = clip_of(clip, skeleton, poses);
    for (model::Track& track : result.tracks) {
        if (skeleton.joints[static_cast<std::size_t>(track.joint)].parent >= 0) track.translation = {};
    }
    return result;
}

SmoothResult smoothed(const Skeleton& skeleton, const Clip& clip, double cutoff) {
    const std::vector<LocalPose> raw = poses_of(skeleton, clip);
    std::vector<LocalPose> poses = raw;
    const LowPass filter = zero_lag_butterworth(cutoff, model::frame_rate(clip));
    std::vector<double> values(raw.size());
    // One number of a joint over time, filtered.
    const auto run = [&](const auto& get) {
        for (std::size_t f = 0; f < raw.size(); ++f) values[f] = get(poses[f]);
        const std::vector<double> smooth = filtered(values, filter);
        for (std::size_t f = 0; f < raw.size(); ++f) get(poses[f]) = smooth[f];
    };
    for (std::size_t j = 0; j < skeleton.size() && raw.size() > 3; ++j) {
        for (std::size_t f = 1; f < raw.size(); ++f)
            poses[f][j].rotation = math::aligned(poses[f][j].rotation, poses[f - 1][j].rotation);
        for (int i = 0; i < 4; ++i)
            run([&](LocalPose& pose) -> double& { return pose[j].rotation.coeffs()[i]; });
        for (int i = 0; i < 3; ++i) run([&](LocalPose& pose) -> double& { return pose[j].translation[i]; });
        for (LocalPose& pose : poses) pose[j].rotation.normalize();
    }
    SmoothResult result{clip_of(clip, skeleton, poses), 0};
    for (std::size_t f = 0; f < raw.size(); ++f) {
        const World before = world_of(skeleton, raw[f]), after = world_of(skeleton, poses[f]);
        for (std::size_t j = 0; j < skeleton.size(); ++j)
            result.moved_max = std::max(result.moved_max, (before.position[j] - after.position[j]).norm());
    }
    return result;
}

LoopResult looped(const Skeleton& skeleton, const Clip& clip, const LoopOptions& options) {
    const std::vector<LocalPose> poses = poses_of(skeleton, clip);
    if (poses.size() < 3) fail(clip.name, "{} frames are too few for a loop", poses.size());
    const double rate = model::frame_rate(clip), begin = model::time_range(clip).start;
    Range range;
    if (options.end > options.start && options.start >= 0) {
        range.first = static_cast<std::size_t>(std::max(0.0, std::round((options.start - begin) * rate)));
        range.last = static_cast<std::size_t>(std::max(0.0, std::round((options.end - begin) * rate)));
        if (range.last >= poses.size() || range.first + 1 >= range.last) {
            fail(clip.name, "the range {} s to {} s is not within the {} s of the clip", options.start,
                 options.end, model::time_range(clip).duration());
        }
    } else {
        const auto shortest = static_cast<std::size_t>(std::max(2.0, min_loop * rate));
        range = best_range(poses, std::min(shortest, poses.size() - 1));
    }
    std::vector<LocalPose> loop(poses.begin() + static_cast<std::ptrdiff_t>(range.first),
                                poses.begin() + static_cast<std::ptrdiff_t>(range.last) + 1);
    LoopResult result;
    result.start = model::frame_time(clip, range.first);
    result.end = model::frame_time(clip, range.last);
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        const double angle = math::angle_between(loop.front()[j].rotation, loop.back()[j].rotation);
        result.seam = std::max(result.seam, angle);
        if (skeleton.joints[j].parent >= 0) continue;
        Vec3d travel = loop.back()[j].translation - loop.front()[j].translation;
        travel.y() = 0;
        result.travel = travel;
        for (std::size_t f = 0; f < loop.size(); ++f) {
            const double part = static_cast<double>(f) / static_cast<double>(loop.size() - 1);
            loop[f][j].translation -= part * travel;
        }
    }
    close_seam(loop, 0.1);
    if (!options.in_place) {
        for (std::size_t f = 0; f < loop.size(); ++f) {
            const double part = static_cast<double>(f) / static_cast<double>(loop.size() - 1);
            for (std::size_t j = 0; j < skeleton.size(); ++j) {
                if (skeleton.joints[j].parent < 0) loop[f][j].translation += part * result.travel;
            }
        }
    }
    result.clip = clip_of(clip, skeleton, loop);
    return result;
}

MotionDifference compare(const model::Skeleton& reference, const model::Clip& reference_clip,
                         const model::Skeleton& other, const model::Clip& other_clip) {
    const JointMap partner = match_by_name(other, reference);
    MotionDifference result;
    result.joints = static_cast<std::size_t>(std::ranges::count_if(partner, [](int j) { return j >= 0; }));
    if (result.joints == 0) fail("compare", "the skeletons have no joint name in common");
    result.frames = model::sample_count(model::time_range(reference_clip), model::frame_rate(reference_clip));
    for (std::size_t f = 0; f < result.frames; ++f) {
        const double time = model::frame_time(reference_clip, f);
        const auto a = positions_at(reference, reference_clip, time),
                   b = positions_at(other, other_clip, time);
        for (std::size_t j = 0; j < a.size(); ++j) {
            if (partner[j] < 0) continue;
            const double distance = (a[j] - b[static_cast<std::size_t>(partner[j])]).norm();
            result.mean_position_error += distance;
            if (distance > result.max_position_error || result.worst_joint.empty()) {
                result.max_position_error = distance;
                result.worst_joint = reference.joints[j].name;
                result.worst_time = time;
            }
        }
    }
    result.mean_position_error /= static_cast<double>(result.joints * result.frames);
    const double height = model::height(reference);
    if (height > 0) {
        result.mean_percent = 100 * result.mean_position_error / height;
        result.max_percent = 100 * result.max_position_error / height;
    }
    return result;
}

}  // namespace sinew::motion
