// SPDX-License-Identifier: MIT
#include "sinew/deform/playback/hierarchy.h"

#include <algorithm>

#include "sinew/base/error.h"

namespace sinew::deform {

using model::Skeleton;
using model::SkinJoint;

namespace {

[[noreturn]] void refuse_not_finite(const LocalPose& pose) {
    for (std::size_t j = 0; j < pose.joint_count; ++j) {
        const math::Transform t = pose[j];
        const char* what = !t.translation.allFinite()         ? "translation"
                           : !t.rotation.coeffs().allFinite() ? "rotation"
                           : !t.scale.allFinite()             ? "scale"
                                                              : nullptr;
        if (what != nullptr) fail("pose", "joint {} has a {} that is not finite", j, what);
    }
    fail("pose", "the matrices overflow");
}

}  // namespace

Hierarchy::Hierarchy(const Skeleton& skeleton, std::span<const SkinJoint> skin_joints) {
    constexpr int matrix_size = 12;
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        const int parent = skeleton.joints[j].parent;
        if (parent < -1 || parent >= static_cast<int>(j)) {
            fail("hierarchy", "joint {} does not come after its parent {}", j, parent);
        }
        joints_.push_back({parent < 0 ? -1 : matrix_size * parent, 0});
    }
    std::vector<std::uint32_t> order;
    for (std::uint32_t k = 0; k < skin_joints.size(); ++k) {
        const int joint = skin_joints[k].joint;
        if (joint < 0 || static_cast<std::size_t>(joint) >= skeleton.size()) {
            fail("hierarchy", "the skin names joint {} of {}", joint, skeleton.size());
        }
        if (!skin_joints[k].inverse_bind.allFinite())
            fail("hierarchy", "the bind matrix of joint {} is not finite", joint);
        ++joints_[static_cast<std::size_t>(joint)].entries;
        order.push_back(k);
    }
    std::ranges::stable_sort(order, {}, [&](std::uint32_t k) { return skin_joints[k].joint; });
    for (const std::uint32_t k : order)
        entries_.push_back({to_mat34(skin_joints[k].inverse_bind), matrix_size * k});
}

HierarchyJob Hierarchy::job(const LocalPose& pose, std::span<Mat34f> world, std::span<Mat34f> palette) const {
    if (pose.joint_count != joint_count() ||
        pose.data.size() != model::PackedClip::rows * model::padded_joint_count(joint_count())) {
        fail("pose", "the pose has {} joints, the skeleton {}", pose.joint_count, joint_count());
    }
    if (world.size() < joint_count()) {
        fail("pose", "space for {} world matrices, but {} are needed", world.size(), joint_count());
    }
    if (palette.size() < palette_size()) {
        fail("pose", "space for {} palette entries, but {} are needed", palette.size(), palette_size());
    }
    return {.pose = pose.data.data(),
            .stride = pose.stride,
            .joint_count = joint_count(),
            .joints = joints_.data(),
            .entries = entries_.data(),
            .world = world.data(),
            .palette = palette.data()};
}

void Hierarchy::evaluate(const LocalPose& pose, std::span<Mat34f> world, std::span<Mat34f> palette) const {
    if (!simd::hierarchy(job(pose, world, palette))) refuse_not_finite(pose);
}

}  // namespace sinew::deform
