#include "sinew/motion/solve.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/math/transform.h"
#include "sinew/motion/positions_fit.h"

namespace sinew::motion {
namespace {

using math::Mat3d;
using math::Quatd;
using math::Vec3d;
using model::Skeleton;

/// Bones that show how a joint is turned: ends at rest relative to the joint, in the world. Joints on the
/// same spot, as converters leave them, are passed through to what hangs on them.
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

/// The turn since rest of a joint whose parent has turned by `above`; `before` is its own turn relative to
/// the parent in the frame before, kept where no bone is seen.
Quatd fit_joint(const std::vector<Bone>& bones, std::size_t joint, const JointPlaces& places,
                const Quatd& above, const Quatd& before) {
    std::vector<std::pair<Vec3d, Vec3d>> seen;
    for (const Bone& bone : bones) {
        const Vec3d now = places[bone.end] - places[joint];
        if (now.allFinite() && now.norm() > 1e-9) seen.emplace_back(bone.rest, now);
    }
    if (seen.empty()) return above * before;
    Mat3d covariance = Mat3d::Zero();
    double across = 0;
    for (const auto& [rest, now] : seen) {
        covariance += now * rest.transpose();
        across = std::max(across, rest.normalized().cross(seen[0].first.normalized()).norm());
    }
    // Two directions at least: a rigid fit (Kabsch 1976). One: the smallest turn, the twist is the parent's.
    if (across > 0.1) return math::from_matrix<double>(math::nearest_rotation(covariance));
    const Vec3d from = (above * seen[0].first).normalized();
    return math::rotation_between<double>(from, seen[0].second.normalized()) * above;
}

void fit_frame(const Skeleton& skeleton, const std::vector<std::vector<Bone>>& bones,
               const JointPlaces& places, std::span<const Quatd> before, std::span<const Quatd> twists,
               std::span<Quatd> turns) {
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        const int parent = skeleton.joints[j].parent;
        const auto p = static_cast<std::size_t>(parent);
        const Quatd above = parent < 0 ? Quatd::Identity() : turns[p];
        Quatd kept = Quatd::Identity();
        if (!before.empty()) kept = parent < 0 ? before[j] : Quatd(before[p].conjugate() * before[j]);
        turns[j] = fit_joint(bones[j], j, places, above, kept);
        if (!twists.empty()) turns[j] = twists[j] * turns[j];
        turns[j].normalize();
    }
}

void fit_all(const Skeleton& skeleton, std::span<const JointPlaces> frames, std::span<const Quatd> twists,
             std::span<Quatd> turns) {
    const std::size_t n = skeleton.size();
    const auto bones = bones_of(skeleton);
    for (std::size_t f = 0; f < frames.size(); ++f) {
        const auto before = f == 0 ? std::span<const Quatd>() : turns.subspan((f - 1) * n, n);
        fit_frame(skeleton, bones, frames[f], before, twists.empty() ? twists : twists.subspan(f * n, n),
                  turns.subspan(f * n, n));
    }
}

std::vector<Pose> poses_of_turns(const Skeleton& skeleton, std::span<const JointPlaces> frames,
                                 std::span<const Quatd> turns) {
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
            const Quatd world = turns[f * n + j] * rest[j];
            const bool root = skeleton.joints[j].parent < 0;
            poses[f].rotation[j] = root ? world : Quatd((turns[f * n + p] * rest[p]).conjugate() * world);
            if (!root) continue;
            const Vec3d& place = frames[f][j];
            const bool known = place.allFinite();
            if (known || f > 0) poses[f].translation[j] = known ? place : poses[f - 1].translation[j];
        }
    }
    return poses;
}

void optimise(const Skeleton& skeleton, std::span<const JointPlaces> frames, PoseOptions options,
              std::vector<Pose>& poses, Monitor& monitor) {
    options.bridge_pull = options.rest_pull;  // joints are measured by the places of the next ones
    std::vector<Attachment> joints(skeleton.size());
    for (std::size_t j = 0; j < joints.size(); ++j) joints[j].joint = static_cast<int>(j);
    PoseSolver solver(skeleton, joints, options);
    for (std::size_t f = 0; f < frames.size(); ++f) {
        if (f % 64 == 0) step(monitor, "solve", static_cast<double>(f) / static_cast<double>(frames.size()));
        // Least squares sees no turn about a bone: the fit of this frame is the better start for those.
        solver.solve(frames[f], poses[f]);
    }
}

void measure(std::span<const JointPlaces> frames, PositionResult& result) {
    double sum = 0;
    std::size_t count = 0;
    for (std::size_t f = 0; f < frames.size(); ++f) {
        const auto world = model::world_matrices(
            result.skeleton, model::sample(result.clip, result.skeleton, model::frame_time(result.clip, f)));
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

std::vector<std::string> never_seen(const Skeleton& skeleton, std::span<const JointPlaces> frames) {
    std::vector<std::string> names;
    const auto bones = bones_of(skeleton);
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        const bool seen = std::any_of(frames.begin(), frames.end(), [&](const JointPlaces& places) {
            return std::any_of(bones[j].begin(), bones[j].end(), [&](const Bone& bone) {
                return places[j].allFinite() && places[bone.end].allFinite();
            });
        });
        if (!seen && !bones[j].empty()) names.push_back(skeleton.joints[j].name);
    }
    return names;
}

}  // namespace

std::vector<Quatd> fit_rigid(const Skeleton& skeleton, std::span<const JointPlaces> frames,
                             double least_bend) {
    const std::size_t n = skeleton.size();
    std::vector<Quatd> turns(frames.size() * n, Quatd::Identity());
    fit_all(skeleton, frames, {}, turns);
    if (least_bend <= 0) return turns;
    std::vector<Quatd> twists(turns.size(), Quatd::Identity());
    bool any = false;
    for (const Hinge& hinge : find_hinges(skeleton)) {
        std::vector<Quatd> upper;
        for (std::size_t f = 0; f < frames.size(); ++f) upper.push_back(turns[f * n + hinge.upper]);
        const std::vector<double> angles = hinge_twists(hinge, frames, upper, least_bend);
        for (std::size_t f = 0; f < frames.size(); ++f) {
            const Vec3d along = (upper[f] * hinge.along).normalized();
            twists[f * n + hinge.upper] = math::axis_angle<double>(along, angles[f]);
            any = any || angles[f] != 0;
        }
    }
    if (any) fit_all(skeleton, frames, twists, turns);
    return turns;
}

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

PositionResult rotations_from_positions(const Skeleton& skeleton, std::span<const JointPlaces> frames,
                                        double rate, const PositionOptions& options, Monitor& monitor) {
    if (!(rate > 0) || !std::isfinite(rate)) fail("positions", "{} frames a second is no rate", rate);
    for (std::size_t f = 0; f < frames.size(); ++f) {
        if (frames[f].size() != skeleton.size()) {
            fail("positions", "frame {} has {} places for {} joints", f, frames[f].size(), skeleton.size());
        }
    }
    PositionResult result;
    if (options.method == PositionMethod::axis_chain) {
        result = fit_axis_chain(skeleton, frames, rate);
    } else {
        const std::vector<Quatd> turns = fit_rigid(skeleton, frames, options.least_bend);
        std::vector<Pose> poses = poses_of_turns(skeleton, frames, turns);
        if (options.method == PositionMethod::optimise) {
            optimise(skeleton, frames, options.pose, poses, monitor);
        }
        result.skeleton = skeleton;
        result.clip = clip_of_poses(skeleton, poses, rate);
    }
    result.held = never_seen(skeleton, frames);
    measure(frames, result);
    return result;
}

}  // namespace sinew::motion
