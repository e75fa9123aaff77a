#include "sinew/motion/ik.h"

#include <algorithm>
#include <cmath>

namespace sinew::motion {

using math::Vec3d;

namespace {

/// Below this sine of the bend the plane of a limb is no longer trusted alone.
constexpr double straight = 0.2;

/// Axis about which the limb bends: its own, and more and more the hinge as it straightens.
Vec3d bend_axis(const Vec3d& upper, const Vec3d& lower, const Vec3d& hinge) {
    const Vec3d own = upper.normalized().cross(lower.normalized());
    const double sine = own.norm();
    if (sine >= straight) return own / sine;
    return own + 2 * (straight - sine) * hinge;
}

Vec3d normal_to(const Vec3d& direction, const Vec3d& axis) {
    const Vec3d normal = direction.cross(axis);
    if (normal.norm() > 1e-9) return normal.normalized();
    int least = 0;
    direction.cwiseAbs().minCoeff(&least);
    return direction.cross(Vec3d::Unit(least)).normalized();
}

}  // namespace

TwoBoneTurns reach(const TwoBones& limb, const Vec3d& goal, const Vec3d& hinge) {
    TwoBoneTurns turns;
    turns.middle = limb.middle;
    turns.end = limb.end;
    const Vec3d upper = limb.middle - limb.start, lower = limb.end - limb.middle;
    const double a = upper.norm(), b = lower.norm(), far = (goal - limb.start).norm();
    if (!(a > 0 && b > 0 && far > 0)) {
        turns.reached = false;
        return turns;
    }
    // A limb that is fully straight has no plane to come back from, so a hair of bend stays.
    const double least = std::abs(a - b) + 1e-4 * (a + b), most = (1 - 1e-5) * (a + b);
    const double distance = std::clamp(far, least, most);
    turns.reached = distance == far;
    const Vec3d direction = (goal - limb.start) / far;
    const double cosine = (a * a + distance * distance - b * b) / (2 * a * distance);
    const double sine = std::sqrt(std::max(0.0, 1 - cosine * cosine));
    turns.end = limb.start + distance * direction;
    turns.middle =
        limb.start + a * (cosine * direction + sine * normal_to(direction, bend_axis(upper, lower, hinge)));
    const auto turn = [](const Vec3d& from, const Vec3d& to) {
        return math::rotation_between<double>(from.normalized(), to.normalized());
    };
    turns.upper = turn(upper, turns.middle - limb.start);
    turns.lower = turn(lower, turns.end - turns.middle);
    return turns;
}

}  // namespace sinew::motion
