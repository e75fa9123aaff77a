// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// A template skeleton prepared for placing: every limb has an end, every joint its role.

#include "sinew/model/roles.h"

namespace sinew::rig {

using math::Mat3d;
using math::Vec3d;

enum class LimbKind : std::uint8_t { arm, leg, head, other };

/// Points are the joints in their order, then the tips.
struct TemplatePlan {
    model::Skeleton skeleton;  ///< with tips on every limb
    std::vector<model::JointRole> roles;
    model::Limbs limbs;
    std::vector<LimbKind> kinds;  ///< per limb
    std::vector<int> mirror;      ///< per point its twin on the other side, or itself
    std::vector<Vec3d> points;
    std::vector<int> parent;        ///< per point; -1 for roots
    std::vector<int> tip_of;        ///< per joint the point of its tip, or -1
    std::vector<char> virtual_tip;  ///< per joint: its tip was added here
    double size = 0;                ///< diagonal of the points' box

    std::size_t joint_count() const { return skeleton.size(); }
    /// Points of a limb: its junction (when it has one), its joints, its tip.
    std::vector<int> limb_points(std::size_t limb) const;
    /// Path along the bones between two points.
    std::vector<int> path(int from, int to) const;
    double length(const std::vector<int>& path) const;
};

/// A hand, foot or head without an end gets one by the proportions of people: the hand 0.7 of the forearm,
/// the foot 0.55 of the shin, the head a third of the way from the hips to it; others half of their last
/// bone.
/// \throws Error when the template has no bone.
TemplatePlan plan_template(const model::Skeleton& skeleton);

}  // namespace sinew::rig
