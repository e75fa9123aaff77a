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
