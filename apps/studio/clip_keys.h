// SPDX-License-Identifier: MIT
#pragma once
// Keys of one joint in a clip: where they are, and how they are moved, added and taken away.

#include <array>

#include "state.h"

namespace sinew::studio {

enum class KeyProperty { position, rotation };

/// Times of the keys of a property, rising.
std::vector<double> key_times(const model::Clip& clip, int joint, KeyProperty property);
/// The three numbers of a property at a time: metres, or Euler angles x y z in degrees.
std::array<double, 3> key_values(const model::Clip& clip, const model::Skeleton& skeleton, int joint,
                                 KeyProperty property, double time);

/// Moves a key in time, between its neighbours.
void move_key(model::Clip& clip, int joint, KeyProperty property, std::size_t key, double time);
/// Sets the value of a key, in the numbers of key_values; tangents of cubic keys become smooth ones.
void set_key(model::Clip& clip, int joint, KeyProperty property, std::size_t key,
             const std::array<double, 3>& values);
/// A key at a time with the value that the clip has there, or another. Returns its index; a key that is
/// there already is kept.
std::size_t add_key(model::Clip& clip, const model::Skeleton& skeleton, int joint, KeyProperty property,
                    double time);
/// Takes a key away; the last one of a joint stays.
void delete_key(model::Clip& clip, int joint, KeyProperty property, std::size_t key);
/// How values between keys are found.
void set_interpolation(model::Clip& clip, int joint, KeyProperty property, model::Interpolation mode);
model::Interpolation interpolation_of(const model::Clip& clip, int joint, KeyProperty property);

/// Keys of all joints that a layer changes, at one time, with what is seen there.
void key_pose(model::Clip& clip, const model::Skeleton& skeleton, const PoseLayer& layer, double time);

}  // namespace sinew::studio
