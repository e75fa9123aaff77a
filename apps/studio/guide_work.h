// SPDX-License-Identifier: MIT
#pragma once
// Actions of the guide and of the page Weights, from a mesh to a character that moves.

#include "state.h"

#include "sinew/rig/bind.h"

namespace sinew::studio {

/// Bends all limbs to show wrong weights: by the roles of the joints, or every joint a little if there are no
/// roles. As a step.
void take_test_pose(State& state);
/// The pose itself.
PoseLayer test_pose(const model::Skeleton& skeleton);

/// Rotates a mesh without a skeleton by multiples of 90 degrees about an axis of the world, as a step.
void rotate_mesh(State& state, int axis, int quarters);

/// Joints that the user should check: fitted with less confidence than rig::min_confidence.
std::vector<int> doubtful_joints(const Document& document);
/// Selects the next of them and shows the page Joints.
void next_doubtful_joint(State& state);

/// Applies the walk of a built-in character to the open one: of the man, or of the horse if the back is
/// horizontal. In the background.
void walk_like_a_sample(State& state);

/// Binds the mesh by another method in the background and shows both side by side.
void compare_binding(State& state, rig::BindMethod method);
/// Uses the other weights, as a step.
void use_other_weights(State& state);

}  // namespace sinew::studio
