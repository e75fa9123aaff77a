#include "sinew/collide/ball.h"

#include <cmath>

namespace sinew::collide {
namespace {

Ball around(const Vec3d& center, std::span<const Ball> balls) {
    double radius = 0;
    for (const Ball& ball : balls) {
        const double reach = (ball.center - center).norm() + ball.radius;
        if (!(reach <= radius)) radius = reach;  // not a number wins, and means: not bounded
    }
    return {center, radius * (1 + 8 * 0x1p-53)};
}

}  // namespace

StoredBall stored(const Ball& ball) {
    StoredBall result;
    result.center = ball.center.cast<float>();
    const double moved = (ball.center - result.center.cast<double>()).norm();
    const double radius = (ball.radius + moved) * (1 + 8 * 0x1p-53);
    result.radius = static_cast<float>(radius);
    if (static_cast<double>(result.radius) < radius) {
        result.radius = std::nextafter(result.radius, std::numeric_limits<float>::infinity());
    }
    if (!std::isfinite(radius) || !result.center.allFinite()) {
        return {Vec3f::Zero(), std::numeric_limits<float>::infinity()};
    }
    return result;
}

Ball combination(std::span<const double> weights, std::span<const Ball> balls) {
    Ball sum;
    for (std::size_t i = 0; i < balls.size(); ++i) {
        sum.center += weights[i] * balls[i].center;
        sum.radius += weights[i] * balls[i].radius;
    }
    return sum;
}

Ball ball_of_balls(std::span<const Ball> balls, Centering centering) {
    if (balls.empty()) return {};
    if (balls.size() == 1) return balls[0];
    Vec3d mean = Vec3d::Zero();
    Vec3d low = Vec3d::Constant(std::numeric_limits<double>::max()), high = -low;
    for (const Ball& ball : balls) {
        if (!ball.bounded()) return unbounded();
        mean += ball.center;
        const Vec3d radius = Vec3d::Constant(ball.radius);
        low = low.cwiseMin(ball.center - radius);
        high = high.cwiseMax(ball.center + radius);
    }
    const Ball first = around(mean / static_cast<double>(balls.size()), balls);
    if (centering == Centering::mean) return first;
    const Ball second = around((low + high) / 2, balls);
    return second.radius < first.radius ? second : first;
}

}  // namespace sinew::collide
