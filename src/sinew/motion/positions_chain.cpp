#include "sinew/motion/positions_fit.h"

namespace sinew::motion {
namespace {

using math::Quatd;
using math::Vec3d;

/// The frame of every joint at the end of the bone that leads to it: W_c = W_p q T(|b|, 0, 0), q turning x
/// onto the bone as its parent's frame sees it.
Pose chain_pose(const model::Skeleton& skeleton, const JointPlaces& places) {
    Pose pose;
    std::vector<Quatd> world;
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        const int parent = skeleton.joints[j].parent;
        if (parent < 0) {
            world.push_back(Quatd::Identity());
            pose.rotation.push_back(Quatd::Identity());
            pose.translation.push_back(places[j].allFinite() ? places[j] : Vec3d::Zero());
            continue;
        }
        const auto p = static_cast<std::size_t>(parent);
        const Vec3d bone = world[p].conjugate() * (places[j] - places[p]);
        const bool known = bone.allFinite() && bone.norm() > 1e-9;
        const Quatd q =
            known ? math::rotation_between<double>(Vec3d::UnitX(), bone.normalized()) : Quatd::Identity();
        pose.rotation.push_back(q);
        pose.translation.push_back(known ? bone : Vec3d::Zero());
        world.push_back(world[p] * q);
    }
    return pose;
}

}  // namespace

PositionResult fit_axis_chain(const model::Skeleton& skeleton, std::span<const JointPlaces> frames,
                              double rate) {
    PositionResult result;
    result.skeleton = skeleton;
    const Pose rest = chain_pose(skeleton, model::joint_positions(model::rest_world_matrices(skeleton)));
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        result.skeleton.joints[j].rest = {rest.translation[j], rest.rotation[j], Vec3d::Ones()};
        result.skeleton.joints[j].tip.reset();
        result.skeleton.joints[j].limits.reset();
    }
    std::vector<Pose> poses;
    for (const JointPlaces& places : frames) poses.push_back(chain_pose(skeleton, places));
    result.clip = clip_of_poses(result.skeleton, poses, rate);
    // Bones of a stick figure may change their length: every joint has translations too.
    for (model::Track& track : result.clip.tracks) {
        track.translation.times = track.rotation.times;
        track.translation.values.clear();
        for (const Pose& pose : poses) {
            track.translation.values.push_back(
                pose.translation[static_cast<std::size_t>(track.joint)].cast<float>());
        }
    }
    return result;
}

}  // namespace sinew::motion
