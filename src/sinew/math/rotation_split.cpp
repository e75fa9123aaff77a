#include "sinew/math/quaternion.h"

#include <algorithm>
#include <cmath>

namespace sinew::math {

Quatd square_root(const Quatd& q, RootWay way) {
    const Quatd from = way == RootWay::shorter && q.w() < 0 ? negated(q) : q;
    const double length = from.norm(), axis_length = from.vec().norm();
    Quatd root;
    // Each part from the sum that does not cancel: |v'| = |v| / (2 s') and s' = |v| / (2 |v'|).
    if (from.w() >= 0) {
        const double s = std::sqrt((from.w() + length) / 2);
        root.w() = s;
        root.vec() = s > 0 ? Vec3d(from.vec() / (2 * s)) : Vec3d(Vec3d::Zero());
        return root;
    }
    const double v = std::sqrt((length - from.w()) / 2);
    root.w() = axis_length / (2 * v);
    root.vec() = v * (axis_length > 0 ? Vec3d(from.vec() / axis_length) : Vec3d(Vec3d::UnitX()));
    return root;
}

std::vector<Quatd> subdivide_rotation(const Quatd& q, int halvings, RootWay way) {
    Quatd step = q;
    // Only the first root can choose a way: after it w is never below 0.
    for (int i = 0; i < halvings; ++i) step = square_root(step, i == 0 ? way : RootWay::shorter);
    std::vector<Quatd> steps{Quatd::Identity()};
    for (int i = 0; i < (1 << std::max(halvings, 0)); ++i) steps.push_back(step * steps.back());
    return steps;
}

Quatd align_to_z(const Vec3d& v) {
    if (v.norm() == 0) return Quatd::Identity();
    const double lambda = std::hypot(v.y(), v.z());
    const double about_y = std::atan2(v.x(), lambda);
    const double about_x = lambda > 0 ? std::atan2(v.y(), v.z()) : 0;
    return axis_angle<double>(Vec3d::UnitY(), -about_y) * axis_angle<double>(Vec3d::UnitX(), about_x);
}

}  // namespace sinew::math
