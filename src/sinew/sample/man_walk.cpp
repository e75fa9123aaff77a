#include "sinew/sample/samples.h"

#include <map>
#include <string>

#include "sinew/math/quaternion.h"
#include "sinew/sample/bodies/man.h"

namespace sinew::sample {
namespace {

using math::Quatd;
using math::radians;
using math::Vec3d;

Quatd turn_about(const Vec3d& axis, double degrees) {
    return math::axis_angle<double>(axis, radians(degrees));
}

/// The same rotation on the other side of the plane x = 0.
Quatd other_side(const Quatd& q) {
    return Quatd(q.w(), q.x(), -q.y(), -q.z());
}

LegShape left_leg(const model::Skeleton& skeleton) {
    const auto world = model::joint_positions(model::rest_world_matrices(skeleton));
    const auto at = [&](const char* name) { return world[static_cast<std::size_t>(skeleton.find(name))]; };
    const Vec3d root = at("Hips"), hip = at("LeftUpperLeg"), knee = at("LeftLowerLeg"),
                ankle = at("LeftFoot");
    const Vec3d toes = at("LeftToes");
    const auto on_ground = [&](double z) { return Vec3d(0, -ankle.y(), z - ankle.z()); };
    return {hip - root, knee - hip, ankle - knee, on_ground(-0.080), on_ground(toes.z()), on_ground(0.187)};
}

using NamedTurns = std::map<std::string, Quatd>;

void set_arm(NamedTurns& pose, const GaitAngles& angles) {
    const Vec3d x = Vec3d::UnitX(), y = Vec3d::UnitY(), z = Vec3d::UnitZ();
    pose["Shoulder"] = turn_about(z, -7) * turn_about(y, 0.12 * -angles.shoulder_flexion);
    pose["UpperArm"] = turn_about(x, -angles.shoulder_flexion) * turn_about(z, -70) * turn_about(x, 6);
    pose["LowerArm"] = turn_about(y, -angles.elbow_flexion) * turn_about(x, 8);
    pose["Hand"] = turn_about(y, 4) * turn_about(z, -6);
    // Relaxed: the fingers curl and close up from the spread of the T-pose.
    const std::pair<const char*, double> spread[] = {
        {"Index", 5}, {"Middle", 1}, {"Ring", -3}, {"Little", -7}};
    for (const auto& [finger, closing] : spread) {
        pose[std::string(finger) + "Proximal"] = turn_about(y, closing) * turn_about(z, -18);
        pose[std::string(finger) + "Distal"] = turn_about(z, -26);
    }
    pose["ThumbProximal"] = turn_about(y, 14) * turn_about(z, -6);
    pose["ThumbDistal"] = turn_about(y, 8);
}

/// Local rotations of the joints of the left side.
NamedTurns side_pose(const LegGait& gait, double phase) {
    NamedTurns pose;
    const LegPose leg = gait.pose(phase);
    pose["UpperLeg"] = gait.pelvis(phase).conjugate() * leg.upper;
    pose["LowerLeg"] = leg.knee;
    pose["Foot"] = leg.ankle;
    pose["Toes"] = leg.toes;
    set_arm(pose, gait_angles(phase));
    return pose;
}

NamedTurns whole_pose(const LegGait& gait, double phase) {
    NamedTurns pose;
    const Quatd pelvis = gait.pelvis(phase);
    const Quatd thorax =
        turn_about(Vec3d::UnitY(), -gait_angles(phase).thorax_forward) * turn_about(Vec3d::UnitX(), 2.5);
    pose["Hips"] = pelvis;
    const Quatd third = math::pow<double>(pelvis.conjugate() * thorax, 1.0 / 3);
    for (const char* name : {"Spine", "Chest", "UpperChest"}) pose[name] = third;
    const Quatd half = math::pow<double>(thorax.conjugate(), 0.5);  // the head looks ahead
    for (const char* name : {"Neck", "Head"}) pose[name] = half;
    for (const auto& [name, q] : side_pose(gait, phase)) pose["Left" + name] = q;
    for (const auto& [name, q] : side_pose(gait, phase + 0.5)) pose["Right" + name] = other_side(q);
    return pose;
}

}  // namespace

model::Clip man_walk(const model::Skeleton& skeleton, const WalkOptions& options) {
    const LegGait gait(left_leg(skeleton));
    const int cycles = options.in_place ? 1 : options.cycles, keys = cycles * options.keys_per_cycle + 1;
    const auto times = model::KeyTimes::even(0, options.cycle_seconds / options.keys_per_cycle,
                                             static_cast<std::size_t>(keys));
    model::Clip clip;
    clip.name = options.in_place ? "walk-in-place" : "walk";
    clip.tracks.resize(skeleton.size());
    const double start = gait.root(0).z();
    for (int k = 0; k < keys; ++k) {
        // The phase is taken within the cycle, so that every cycle has the same bits.
        const int whole = k / options.keys_per_cycle, part = k % options.keys_per_cycle;
        const double phase = static_cast<double>(part) / options.keys_per_cycle;
        const NamedTurns pose = whole_pose(gait, phase);
        Vec3d root = gait.root(phase);
        root.z() += gait.stride() * (options.in_place ? -phase : whole) - start;
        for (std::size_t j = 0; j < skeleton.size(); ++j) {
            model::Track& track = clip.tracks[j];
            track.joint = static_cast<int>(j);
            if (skeleton.joints[j].parent < 0) track.translation.values.push_back(root.cast<float>());
            track.rotation.values.push_back(pose.at(skeleton.joints[j].name).cast<float>());
        }
    }
    for (model::Track& track : clip.tracks) {
        track.rotation.times = times;
        if (!track.translation.values.empty()) track.translation.times = times;
    }
    return clip;
}

}  // namespace sinew::sample
