// SPDX-License-Identifier: MIT
#pragma once
// What the guide and the page Weights ask for on the way from a mesh to a character that moves.

#include "state.h"

#include "sinew/rig/bind.h"

namespace sinew::studio {

/// Bends all limbs, so that wrong weights are seen: by the roles of the joints, or every joint a little where
/// there are none. As a step.
void take_test_pose(State& state);
/// The pose itself.
PoseLayer test_pose(const model::Skeleton& skeleton);

/// Turns a mesh without a skeleton by quarters about an axis of the world, as a step.
void rotate_mesh(State& state, int axis, int quarters);

/// Joints that a person should look at: fitted with less confidence than rig::min_confidence.
std::vector<int> doubtful_joints(const Document& document);
/// Selects the next of them and shows the page Joints.
void next_doubtful_joint(State& state);

/// Puts the walk of a built-in character on the one that is open: of the man, or of the horse where the back
/// is level. In the background.
void walk_like_a_sample(State& state);

/// Binds the mesh by another method in the background and shows both beside each other.
void compare_binding(State& state, rig::BindMethod method);
/// Takes the other weights, as a step.
void use_other_weights(State& state);

}  // namespace sinew::studio
