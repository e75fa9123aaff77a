// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <optional>

#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/math/transform.h"
#include "sinew/motion/markers/pose_solver.h"

namespace sinew::motion {

using math::Mat3d;
using math::Quatd;
using math::Vec3d;
using model::Role;
using model::Side;
using model::Skeleton;

namespace {

constexpr double min_bend =
    math::radians(10);  // smallest bend of a knee or elbow from which its axis is computed

/// A knee or elbow; its bend determines the twist of the bone above it.
struct Hinge {
    std::size_t upper = 0;                     ///< joint of the thigh or upper arm
    std::size_t lower = 0;                     ///< joint of the shin or forearm
    std::size_t end = 0;                       ///< joint at its end
    math::Vec3d axis = math::Vec3d::UnitX();   ///< at rest, in the world: a positive rotation flexes
    math::Vec3d along = math::Vec3d::UnitY();  ///< the upper bone at rest
};

/// Angle about `axis` from a to b, both perpendicular to it.
double angle_about(const Vec3d& axis, const Vec3d& a, const Vec3d& b) {
    return std::atan2(axis.dot(a.cross(b)), a.dot(b) - axis.dot(a) * axis.dot(b));
}

/// Fills unknown values: linear between known ones, constant beyond them, zero when none is known.
std::vector<double> bridged(const std::vector<std::optional<double>>& values) {
    std::vector<double> result(values.size(), 0);
    std::optional<std::size_t> last;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!values[i]) continue;
        const std::size_t from = last ? *last : i;
        for (std::size_t k = last ? *last : 0; k <= i; ++k) {
            const double t = from == i ? 1 : static_cast<double>(k - from) / static_cast<double>(i - from);
            result[k] = (1 - t) * *values[from] + t * *values[i];
        }
        last = i;
    }
    if (last) std::fill(result.begin() + static_cast<std::ptrdiff_t>(*last), result.end(), *values[*last]);
    return result;
}

std::vector<Hinge> find_hinges(const model::Skeleton& skeleton) {
    const std::vector<model::JointRole> roles = model::find_roles(skeleton);
    const std::vector<Vec3d> rest = model::joint_positions(model::rest_world_matrices(skeleton));
    std::vector<Hinge> hinges;
    for (const Side side : {Side::left, Side::right}) {
        for (const bool leg : {true, false}) {
            const int upper = model::find_role(roles, leg ? Role::thigh : Role::upper_arm, side);
            const int lower = model::find_role(roles, leg ? Role::shin : Role::forearm, side);
            const int end = model::find_role(roles, leg ? Role::foot : Role::hand, side);
            if (upper < 0 || lower < 0 || end < 0) continue;
            Hinge hinge{static_cast<std::size_t>(upper), static_cast<std::size_t>(lower),
                        static_cast<std::size_t>(end)};
            const Vec3d bone = rest[hinge.lower] - rest[hinge.upper];
            if (bone.norm() < 1e-9) continue;
            hinge.along = bone.normalized();
            // Facing +z, a knee bends backwards and an elbow forwards: the axis is perpendicular to bone and
            // bend.
            const Vec3d across = hinge.along.cross(leg ? Vec3d(-Vec3d::UnitZ()) : Vec3d::UnitZ());
            if (across.norm() < 0.1) continue;
            hinge.axis = across.normalized();
            hinges.push_back(hinge);
        }
    }
    return hinges;
}

/// For every frame the angle about the upper bone that brings `hinge.axis` to the normal of the plane of the
/// bent joint; interpolated where the joint is straighter than `min_bend`.
std::vector<double> hinge_twists(const Hinge& hinge, std::span<const JointPositions> frames,
                                 std::span<const Quatd> upper_rotations) {
    std::vector<std::optional<double>> seen(frames.size());
    std::optional<double> last;
    for (std::size_t f = 0; f < frames.size(); ++f) {
        const Vec3d a = frames[f][hinge.lower] - frames[f][hinge.upper];
        const Vec3d b = frames[f][hinge.end] - frames[f][hinge.lower];
        if (!a.allFinite() || !b.allFinite() || a.norm() < 1e-9 || b.norm() < 1e-9) continue;
        const Vec3d normal = a.cross(b);
        if (std::atan2(normal.norm(), a.dot(b)) < min_bend) continue;
        double twist = angle_about(a.normalized(), upper_rotations[f] * hinge.axis, normal.normalized());
        // A slightly overextended joint has the opposite normal. Angles are unwrapped so that they have no
        // jumps of 360 degrees.
        if (std::abs(twist) > math::pi / 2) twist -= std::copysign(math::pi, twist);
        if (last) twist -= math::pi * std::round((twist - *last) / math::pi);
        seen[f] = last = twist;
    }
    return bridged(seen);
}

/// Bones that show the rotation of a joint: ends at rest relative to the joint, in world axes. Joints at the
/// same position, as some converters create them, are skipped; their children are used instead.
struct Bone {
    std::size_t end;
    Vec3d rest;
};

std::vector<std::vector<Bone>> bones_of(const Skeleton& skeleton) {
    const std::vector<Vec3d> rest = model::joint_positions(model::rest_world_matrices(skeleton));
    const auto children = model::children(skeleton);
    std::vector<std::vector<Bone>> result(skeleton.size());
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        std::vector<int> open = children[j];
        for (std::size_t i = 0; i < open.size(); ++i) {
            const auto c = static_cast<std::size_t>(open[i]);
            const Vec3d bone = rest[c] - rest[j];
            if (bone.norm() > 1e-6) {
                result[j].push_back({c, bone});
            } else {
                open.insert(open.end(), children[c].begin(), children[c].end());
            }
        }
    }
    return result;
}

/// Rotation since rest of a joint whose parent has rotated by `above`; `before` is the joint's own rotation
/// relative to its parent in the previous frame, kept where no bone is visible.
Quatd fit_joint(const std::vector<Bone>& bones, std::size_t joint, const JointPositions& slots,
                const Quatd& above, const Quatd& before) {
    std::vector<std::pair<Vec3d, Vec3d>> seen;
    for (const Bone& bone : bones) {
        const Vec3d now = slots[bone.end] - slots[joint];
        if (now.allFinite() && now.norm() > 1e-9) seen.emplace_back(bone.rest, now);
    }
    if (seen.empty()) return above * before;
    Mat3d covariance = Mat3d::Zero();
    double across = 0;
    for (const auto& [rest, now] : seen) {
        covariance += now * rest.transpose();
        across = std::max(across, rest.normalized().cross(seen[0].first.normalized()).norm());
    }
    // Two directions or more: rigid fit (Kabsch 1976). One direction: the smallest rotation, with the twist
    // of the parent.
    if (across > 0.1) return math::from_matrix<double>(math::nearest_rotation(covariance));
    const Vec3d from = (above * seen[0].first).normalized();
    return math::rotation_between<double>(from, seen[0].second.normalized()) * above;
}

void fit_frame(const Skeleton& skeleton, const std::vector<std::vector<Bone>>& bones,
               const JointPositions& slots, std::span<const Quatd> before, std::span<const Quatd> twists,
               std::span<Quatd> rotations) {
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        const int parent = skeleton.joints[j].parent;
        const auto p = static_cast<std::size_t>(parent);
        const Quatd above = parent < 0 ? Quatd::Identity() : rotations[p];
        Quatd kept = Quatd::Identity();
        if (!before.empty()) kept = parent < 0 ? before[j] : Quatd(before[p].conjugate() * before[j]);
        rotations[j] = fit_joint(bones[j], j, slots, above, kept);
        if (!twists.empty()) rotations[j] = twists[j] * rotations[j];
        rotations[j].normalize();
    }
}

void fit_all(const Skeleton& skeleton, std::span<const JointPositions> frames, std::span<const Quatd> twists,
             std::span<Quatd> rotations) {
    const std::size_t n = skeleton.size();
    const auto bones = bones_of(skeleton);
    for (std::size_t f = 0; f < frames.size(); ++f) {
        const auto before = f == 0 ? std::span<const Quatd>() : rotations.subspan((f - 1) * n, n);
        fit_frame(skeleton, bones, frames[f], before, twists.empty() ? twists : twists.subspan(f * n, n),
                  rotations.subspan(f * n, n));
    }
}

/// World rotations since rest, frame * joints + joint.
std::vector<Quatd> fit_rigid(const Skeleton& skeleton, std::span<const JointPositions> frames) {
    const std::size_t n = skeleton.size();
    std::vector<Quatd> rotations(frames.size() * n, Quatd::Identity());
    fit_all(skeleton, frames, {}, rotations);
    std::vector<Quatd> twists(rotations.size(), Quatd::Identity());
    bool any = false;
    for (const Hinge& hinge : find_hinges(skeleton)) {
        std::vector<Quatd> upper;
        for (std::size_t f = 0; f < frames.size(); ++f) upper.push_back(rotations[f * n + hinge.upper]);
        const std::vector<double> angles = hinge_twists(hinge, frames, upper);
        for (std::size_t f = 0; f < frames.size(); ++f) {
            const Vec3d along = (upper[f] * hinge.along).normalized();
            twists[f * n + hinge.upper] = math::axis_angle<double>(along, angles[f]);
            any = any || angles[f] != 0;
        }
    }
    if (any) fit_all(skeleton, frames, twists, rotations);
    return rotations;
}

std::vector<Pose> poses_of_rotations(const Skeleton& skeleton, std::span<const JointPositions> frames,
                                     std::span<const Quatd> rotations) {
    const std::size_t n = skeleton.size();
    std::vector<Quatd> rest(n);
    for (std::size_t j = 0; j < n; ++j) {
        const int parent = skeleton.joints[j].parent;
        const Quatd local = skeleton.joints[j].rest.rotation;
        rest[j] = parent < 0 ? local : rest[static_cast<std::size_t>(parent)] * local;
    }
    std::vector<Pose> poses(frames.size(), rest_pose(skeleton));
    for (std::size_t f = 0; f < frames.size(); ++f) {
        for (std::size_t j = 0; j < n; ++j) {
            const auto p = static_cast<std::size_t>(skeleton.joints[j].parent);
            const Quatd world = rotations[f * n + j] * rest[j];
            const bool root = skeleton.joints[j].parent < 0;
            poses[f].rotation[j] = root ? world : Quatd((rotations[f * n + p] * rest[p]).conjugate() * world);
            if (!root) continue;
            const Vec3d& position = frames[f][j];
            const bool known = position.allFinite();
            if (known || f > 0) poses[f].translation[j] = known ? position : poses[f - 1].translation[j];
        }
    }
    return poses;
}

void measure(const Skeleton& skeleton, std::span<const JointPositions> frames, PositionResult& result) {
    double sum = 0;
    std::size_t count = 0;
    for (std::size_t f = 0; f < frames.size(); ++f) {
        const auto world = model::world_matrices(
            skeleton, model::sample(result.clip, skeleton, model::frame_time(result.clip, f)));
        for (std::size_t j = 0; j < world.size(); ++j) {
            if (!frames[f][j].allFinite()) continue;
            const double d = (world[j].topRightCorner<3, 1>() - frames[f][j]).norm();
            sum += d * d;
            result.max = std::max(result.max, d);
            ++count;
        }
    }
    result.rms = count == 0 ? 0 : std::sqrt(sum / static_cast<double>(count));
}

std::vector<std::string> never_seen(const Skeleton& skeleton, std::span<const JointPositions> frames) {
    std::vector<std::string> names;
    const auto bones = bones_of(skeleton);
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        const bool seen = std::any_of(frames.begin(), frames.end(), [&](const JointPositions& slots) {
            return std::any_of(bones[j].begin(), bones[j].end(), [&](const Bone& bone) {
                return slots[j].allFinite() && slots[bone.end].allFinite();
            });
        });
        if (!seen && !bones[j].empty()) names.push_back(skeleton.joints[j].name);
    }
    return names;
}

}  // namespace

model::Clip clip_of_poses(const Skeleton& skeleton, std::span<const Pose> poses, double rate) {
    model::Clip clip;
    if (poses.empty()) return clip;
    const auto times = model::KeyTimes::even(0, 1 / rate, poses.size());
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        model::Track track;
        track.joint = static_cast<int>(j);
        track.rotation.times = times;
        const bool root = skeleton.joints[j].parent < 0;
        if (root) track.translation.times = times;
        for (const Pose& pose : poses) {
            const math::Quatf q = pose.rotation[j].cast<float>();
            auto& keys = track.rotation.values;
            keys.push_back(keys.empty() ? q : math::aligned(q, keys.back()));
            if (root) track.translation.values.push_back(pose.translation[j].cast<float>());
        }
        clip.tracks.push_back(std::move(track));
    }
    return clip;
}

PositionResult rotations_from_positions(const Skeleton& skeleton, std::span<const JointPositions> frames,
                                        double rate) {
    if (!(rate > 0) || !std::isfinite(rate))
        fail("positions", "{} frames per second is not a frame rate", rate);
    for (std::size_t f = 0; f < frames.size(); ++f) {
        if (frames[f].size() != skeleton.size()) {
            fail("positions", "frame {} has {} positions for {} joints", f, frames[f].size(),
                 skeleton.size());
        }
    }
    PositionResult result;
    result.clip =
        clip_of_poses(skeleton, poses_of_rotations(skeleton, frames, fit_rigid(skeleton, frames)), rate);
    result.held = never_seen(skeleton, frames);
    measure(skeleton, frames, result);
    return result;
}

std::vector<JointPositions> joint_positions(const model::Trial& trial, const Skeleton& skeleton) {
    const model::Points& points = trial.markers;
    std::vector<int> point_of(skeleton.size(), -1);
    std::size_t known = 0;
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        const std::string name = model::plain_name(skeleton.joints[j].name);
        for (std::size_t p = 0; p < points.count() && point_of[j] < 0; ++p)
            if (model::plain_name(points.info[p].label) == name) point_of[j] = static_cast<int>(p);
        known += point_of[j] >= 0;
    }
    if (known == 0 && points.count() == skeleton.size())
        for (std::size_t j = 0; j < skeleton.size(); ++j) point_of[j] = static_cast<int>(j);
    else if (known < 2)
        fail(trial.name, "{} points ({}, ...) are not the {} joints of the skeleton ({}, ...)",
             points.count(), points.empty() ? "" : points.info[0].label, skeleton.size(),
             skeleton.empty() ? "" : skeleton.joints[0].name);
    std::vector<JointPositions> frames(trial.frames,
                                       JointPositions(skeleton.size(), Vec3d::Constant(math::nan)));
    for (std::size_t f = 0; f < trial.frames; ++f)
        for (std::size_t j = 0; j < skeleton.size(); ++j)
            if (point_of[j] >= 0 && points.valid(f, at(point_of[j])))
                frames[f][j] = model::world_position(trial, f, at(point_of[j]));
    return frames;
}

double bone_scale(const Skeleton& skeleton, std::span<const JointPositions> frames) {
    std::vector<double> ratios;
    const auto bones = bones_of(skeleton);
    for (const JointPositions& positions : frames)
        for (std::size_t j = 0; j < skeleton.size(); ++j)
            for (const Bone& bone : bones[j]) {
                const double length = (positions[bone.end] - positions[j]).norm();
                if (std::isfinite(length)) ratios.push_back(length / bone.rest.norm());
            }
    return ratios.empty() ? 1 : median(ratios);
}

}  // namespace sinew::motion
