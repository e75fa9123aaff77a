#pragma once
/// \file
/// What others must know of a skinning method to work on its results without running it: bounds of collision,
/// fits, exports.

#include "sinew/deform/method.h"

namespace sinew::deform {

/// Which bounds of a skinned ball apply: how the blended map depends on the weights of a set.
enum class BlendFamily {
    linear,           ///< v' = sum w_i C_i v
    spherical,        ///< v' = R(b) (v - c) + sum w_i C_i c, with b = sum w_i q_i
    dual_quaternion,  ///< v' = R(b) v + 2 vec(e b*) / |b|^2, with (b, e) = sum w_i (q_i, e_i)
    unbounded,        ///< no bound from corners of the weights: deform the vertices
};

/// The point that a spherical blend turns about.
enum class CenterKind {
    none,     ///< the method has none
    origin,   ///< of the rest space
    set,      ///< one per influence set and pose: bounds may share it
    weights,  ///< follows the pose and the weights of each vertex
    vertex,   ///< fixed per vertex at set-up
};

struct MethodDescriptor {
    Method method = Method::lbs;
    BlendFamily family = BlendFamily::linear;
    CenterKind center = CenterKind::none;
    bool rigid = false;   ///< a rigid palette moves every vertex by a rigid map; normals keep their length
    bool convex = false;  ///< v' lies in the convex hull of the points C_i v, i in the set of v
    bool signs =
        false;  ///< depends on quaternion signs, which are settled per set (InfluenceSets::sign_parent)
    bool moves_along = false;  ///< a rigid move of the whole palette moves the skin alike: bounds stay valid
    bool any_rest = false;     ///< the coordinates of the rest pose do not matter
    bool affine = false;  ///< takes scale and shear as they are; others stretch first and move rigidly after
    bool iterative = false;  ///< goes on until it no longer moves, instead of a closed form
};

MethodDescriptor descriptor(Method method);

}  // namespace sinew::deform
