#include "sinew/deform/player.h"

#include "sinew/base/error.h"

namespace sinew::deform {

using math::Transform;
using model::PackedClip;
using model::Skeleton;

LocalPose::LocalPose(std::size_t joints)
    : joint_count(joints),
      stride(model::padded_joint_count(joints)),
      data(PackedClip::rows * model::padded_joint_count(joints)) {
    for (std::size_t j = 0; j < stride; ++j) set(j, {});
}

LocalPose::LocalPose(std::span<const Transform> transforms) : LocalPose(transforms.size()) {
    for (std::size_t j = 0; j < transforms.size(); ++j) set(j, transforms[j]);
}

LocalPose rest_pose(const Skeleton& skeleton) {
    LocalPose pose(skeleton.size());
    for (std::size_t j = 0; j < skeleton.size(); ++j) pose.set(j, skeleton.joints[j].rest);
    return pose;
}

JointMask::JointMask(std::span<const float> weights)
    : joint_count_(weights.size()), weights_(model::padded_joint_count(weights.size())) {
    for (std::size_t j = 0; j < weights.size(); ++j) {
        if (!(weights[j] >= 0 && weights[j] <= 1))
            fail("joint mask", "joint {} has a weight of {}", j, weights[j]);
        weights_[j] = weights[j];
    }
}

JointMask JointMask::below(const Skeleton& skeleton, std::size_t joint) {
    if (joint >= skeleton.size()) fail("joint mask", "there is no joint {} of {}", joint, skeleton.size());
    std::vector<float> weights(skeleton.size());
    weights[joint] = 1;
    for (std::size_t j = joint + 1; j < skeleton.size(); ++j) {
        const int parent = skeleton.joints[j].parent;
        if (parent >= 0) weights[j] = weights[static_cast<std::size_t>(parent)];
    }
    return JointMask(weights);
}

}  // namespace sinew::deform
