// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Frames of joints by one convention, so that the same angles mean the same movement everywhere.
///
/// y runs along the bone: to the joint's tip, its only child, or the child that continues in the direction of
/// the incoming bone. x is the axis of the hinge: at a bend of a limb it is perpendicular to both bones;
/// where a limb is straight or begins it is the side axis of the body (+x of the file by default) made
/// perpendicular to the bone, or the up axis when the bone itself runs sideways, as an arm in T-pose (down on
/// the right). z = x cross y. The frame of a right limb is the mirror image of the left one with x reversed:
/// the same angles are mirrored movements. A leaf without a tip has the frame of its parent.

#include "sinew/model/skeleton.h"

namespace sinew::rig {

struct OrientOptions {
    math::Vec3d side = math::Vec3d::UnitX();  ///< where the body's left is
    math::Vec3d up = math::Vec3d::UnitY();
};

struct Oriented {
    model::Skeleton skeleton;
    /// Per joint C with new world frame = old world frame * C. A clip follows by q' = C_parent^-1 q C, a bind
    /// matrix by C^-1 B.
    std::vector<math::Quatd> change;
};

/// Rotates the frames at rest; positions of joints and tips, and the range of limits, do not change. A scale
/// at rest is applied to the positions and becomes 1.
Oriented orient_joints(const model::Skeleton& skeleton, const OrientOptions& options = {});

}  // namespace sinew::rig
