#pragma once
/// \file
/// Halving of rotations, and alignment of a direction by two rolls (Vasilakis 2008, 3).

#include <vector>

#include "sinew/math/quaternion.h"

namespace sinew::math {

/// Which of the two halves of a rotation is meant.
enum class RootWay {
    shorter,  ///< q or -q with w >= 0: always well defined
    literal,  ///< of q as it is: past half a turn it goes the long way
};

/// r with r r = q, of any length: s' = sqrt((s + |q|) / 2), v' = v / (2 s'). Where the literal root has no
/// axis of its own (s = -|q|), x is taken.
Quatd square_root(const Quatd& q, RootWay way = RootWay::shorter);

/// 2^halvings equal steps from the identity to q, both ends included, by repeated square roots.
std::vector<Quatd> subdivide_rotation(const Quatd& q, int halvings, RootWay way = RootWay::shorter);

/// Q = Q_y(-b) Q_x(a), which takes a vector to +z: first a roll about x into the plane of x and z, then one
/// about y. Unlike the shortest rotation it keeps the meaning of angles about x and y in clips. Identity for
/// a vector of length 0.
Quatd align_to_z(const Vec3d& v);

}  // namespace sinew::math
