#pragma once
/// \file
/// The blenders, one file each. They are made through `make_blender` of blend.h.

#include "sinew/deform/blend.h"

namespace sinew::deform {

using Frames = std::span<const JointFrame>;

/// v' = (sum w_i C_i) v (Kavan 2007, 2.1).
template <class T>
std::unique_ptr<Blender<T>> linear_blender(Frames frames);

/// v' = C_h v with h the heaviest joint.
template <class T>
std::unique_ptr<Blender<T>> rigid_blender(Frames frames);

/// Sum of dual quaternions, made unit (Kavan 2007, 4.3).
template <class T>
std::unique_ptr<Blender<T>> dual_blender(Frames frames, const BlendSettings& settings);

/// Barycentre of screws by iteration (Kavan 2007, 4.4), always in double precision.
template <class T>
std::unique_ptr<Blender<T>> iterative_blender(Frames frames, const BlendSettings& settings);

/// Exponential of the blended logarithms (Alexa 2002).
template <class T>
std::unique_ptr<Blender<T>> log_blender(Frames frames, const BlendSettings& settings);

/// Where a blended rotation has its centre.
enum class CenterRule {
    origin,   ///< of the world: QLB'_0
    set,      ///< of the influence set, uniform over its joints: spherical blend skinning
    weights,  ///< of each vertex by its weights
    vertex,   ///< of each vertex, given
};

/// v' = Q (v - c) + sum w_i C_i c with Q the linear blend of the quaternions (Kavan 2007, 3.2).
template <class T>
std::unique_ptr<Blender<T>> centered_blender(Frames frames, const BlendSettings& settings, CenterRule rule);

}  // namespace sinew::deform
