#pragma once
/// \file
/// Closed balls, which bound everything here: a rigid motion moves the centre and keeps the radius.

#include <limits>
#include <span>

#include "sinew/math/types.h"

namespace sinew::collide {

using math::Vec3d;
using math::Vec3f;

struct Ball {
    Vec3d center = Vec3d::Zero();
    double radius = 0;  ///< infinity: bounds nothing, always descend

    bool bounded() const { return radius < std::numeric_limits<double>::infinity(); }
};

inline Ball unbounded() {
    return {Vec3d::Zero(), std::numeric_limits<double>::infinity()};
}

/// A ball as it is stored.
struct StoredBall {
    Vec3f center = Vec3f::Zero();
    float radius = 0;

    Ball widen() const { return {center.cast<double>(), static_cast<double>(radius)}; }
};

/// Unit roundoff of the skinning that balls must contain: single precision.
inline constexpr double roundoff = 0x1p-24;
inline constexpr float infinite = std::numeric_limits<float>::infinity();

/// A single-precision number that is not below a positive double.
inline float rounded_up(double value) {
    return static_cast<float>(value) * (1 + 0x1p-22f);
}

/// Centre rounded, radius grown by what that moved and rounded up: contains the ball.
StoredBall stored(const Ball& ball);

/// { sum w_i x_i : x_i in ball i }, which is a ball for convex weights.
Ball combination(std::span<const double> weights, std::span<const Ball> balls);

/// Which centre an enclosing ball of balls gets.
enum class Centering {
    mean,     ///< mean of the centres (James & Pai 2004)
    smaller,  ///< that, or the middle of the box around the balls: whichever gives the smaller ball
};

/// A ball around balls; one alone is returned unchanged.
Ball ball_of_balls(std::span<const Ball> balls, Centering centering = Centering::smaller);

/// True only when the balls, grown by `tolerance`, surely share no point. Anything not finite is not
/// disjoint.
inline bool disjoint(const Ball& a, const Ball& b, double tolerance = 0) {
    constexpr double slack = 8 * 0x1p-53;
    const double reach = a.radius + b.radius + tolerance;
    return (a.center - b.center).squaredNorm() * (1 - slack) > reach * reach * (1 + slack);
}

}  // namespace sinew::collide
