// SPDX-License-Identifier: MIT
#pragma once
// Keys of one joint in a clip: where they are, and how they are moved, added and removed.

#include <array>

#include "joint_limits.h"

namespace sinew::studio {

enum class KeyProperty { position, rotation };

/// Times of the keys of a property, in increasing order.
std::vector<double> key_times(const model::Clip& clip, int joint, KeyProperty property);
/// The three numbers of a property at a time: metres, or Euler angles x y z in degrees (those of the limits
/// of a joint with limits).
std::array<double, 3> key_values(const model::Clip& clip, const model::Skeleton& skeleton, int joint,
                                 KeyProperty property, double time);

/// Moves a key in time, between its neighbours.
void move_key(model::Clip& clip, int joint, KeyProperty property, std::size_t key, double time);
/// Sets the value of a key, in the numbers of key_values; smooth tangents of cubic keys stay smooth. A joint
/// with limits needs its angle_frame, here and for slopes.
void set_key(model::Clip& clip, int joint, KeyProperty property, std::size_t key,
             const std::array<double, 3>& values, const AngleFrame& frame = {});
/// The same for input of the user: within the limits of the joint.
void set_curve_key(model::Clip& clip, const model::Skeleton& skeleton, int joint, KeyProperty property,
                   std::size_t key, const std::array<double, 3>& values);
/// Adds a key at a time with the value of the clip at this time, or another value. Returns its index; an
/// existing key is kept.
std::size_t add_key(model::Clip& clip, const model::Skeleton& skeleton, int joint, KeyProperty property,
                    double time);
/// Removes a key; the last one of a joint stays.
void delete_key(model::Clip& clip, int joint, KeyProperty property, std::size_t key);
/// Slopes of a cubic key, in the numbers of key_values per second, before or after it; 0 for other keys.
std::array<double, 3> key_slope(const model::Clip& clip, int joint, KeyProperty property, std::size_t key,
                                bool after, const AngleFrame& frame = {});
enum class KeySide { before, after, both };
void set_slope(model::Clip& clip, int joint, KeyProperty property, std::size_t key, KeySide side,
               const std::array<double, 3>& slope, const AngleFrame& frame = {});
/// Tangents of a smooth curve through the key.
void smooth_key(model::Clip& clip, int joint, KeyProperty property, std::size_t key);
/// Rotates the complete motion of a joint by a rotation in its parent's frame.
void rotate_keys(model::Clip& clip, const model::Skeleton& skeleton, int joint, const Quatd& by);
/// Interpolation between keys.
void set_interpolation(model::Clip& clip, int joint, KeyProperty property, model::Interpolation mode);
model::Interpolation interpolation_of(const model::Clip& clip, int joint, KeyProperty property);

/// Keys of all joints that a layer changes, at one time, with the pose that is shown.
void key_pose(model::Clip& clip, const model::Skeleton& skeleton, const PoseLayer& layer, double time);

}  // namespace sinew::studio
