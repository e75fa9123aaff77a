// SPDX-License-Identifier: MIT
#pragma once
// Random inputs for blends of rigid transformations.

#include "support/random.h"

#include "sinew/math/dual_quaternion.h"

namespace sinew::test {

/// Rigid transformations whose rotations lie less than `spread` apart.
inline std::vector<math::Rigidd> random_rigids(Random& random, int count,
                                               double spread = math::radians(150)) {
    const math::Quatd middle = random.rotation();
    std::vector<math::Rigidd> result;
    for (int i = 0; i < count; ++i) result.push_back({middle * random.rotation(spread / 2), random.vector()});
    return result;
}

/// Weights that may be zero, and as many half turns about one axis or none (skinning T35).
struct HardBlend {
    std::vector<double> weights;
    std::vector<math::Rigidd> motions;
};
inline HardBlend random_half_turns(Random& random) {
    const int count = random.integer(1, 64);
    HardBlend result{random.weights(count), {}};
    if (count > 1) result.weights[0] = 0;
    const math::Vec3d axis = random.unit_vector();
    for (int i = 0; i < count; ++i) {
        result.motions.push_back({math::axis_angle(axis, math::pi * random.integer(0, 2)),
                                  random.integer(0, 1) * random.vector()});
    }
    return result;
}

/// The same transformation, whatever the sign of the quaternions.
inline double distance(const math::Rigidd& a, const math::Rigidd& b) {
    return (a.matrix() - b.matrix()).cwiseAbs().maxCoeff();
}

inline double distance(const math::DualQuatd& a, const math::DualQuatd& b) {
    return distance(math::to_rigid(a), math::to_rigid(b));
}

/// Turn about z by an angle in degrees.
inline math::Quatd about_z(double degrees) {
    return math::axis_angle<double>(math::Vec3d::UnitZ(), math::radians(degrees));
}

}  // namespace sinew::test
