#pragma once
/// \file
/// Steps of blending on four floats. Inside the room only.

#include <limits>

#include "sinew/collide/body.h"
#include "sinew/collide/float4.h"
#include "sinew/deform/blend.h"

namespace sinew::collide {

/// Unit roundoff of the skinning that balls must contain: single precision.
inline constexpr double roundoff = 0x1p-24;
inline constexpr float infinite = std::numeric_limits<float>::infinity();

inline Point4 stored4(Float4 a) {
    Point4 point;
    store4(point.at, a);
    return point;
}

inline Float4 center_of(const StoredBall& ball) {
    return make4(ball.center.x(), ball.center.y(), ball.center.z(), 0);
}

/// Middle of the box around some reaches.
Float4 middle_of(std::span<const Reach> reaches, const std::vector<Point4>& points);

/// Radius about a centre that covers every reach. From `limit` on the exact number does not matter.
float radius_about(Float4 center, std::span<const Reach> reaches, const std::vector<Point4>& points,
                   float limit = std::numeric_limits<float>::infinity());

/// With the radius grown by what rounding did to it.
StoredBall ball_about(Float4 center, float radius);

/// Under a joint: three columns and the translation. The fourth number is 0.
inline Float4 image(const Point4 (&columns)[4], Float4 p) {
    return load4(columns[0].at) * spread4<0>(p) + load4(columns[1].at) * spread4<1>(p) +
           load4(columns[2].at) * spread4<2>(p) + load4(columns[3].at);
}

/// R(b) p = p + 2 v x (v x p + w p) / |b|^2, for b = (v, w) of any length.
inline Float4 turned(Float4 b, float squared, Float4 p) {
    const Float4 inner = cross3(b, p) + spread4<3>(b) * p;
    return p + all4(2 / squared) * cross3(b, inner);
}

/// R(b) p + 2 vec(e b*) / |b|^2: the same with e = (f, c) inside, v x (v x p + w p + f) + w f - c v.
inline Float4 moved_by(Float4 b, Float4 e, float squared, Float4 p) {
    const Float4 w = spread4<3>(b), c = spread4<3>(e);
    const Float4 inner = cross3(b, p) + w * p + e;
    return p + all4(2 / squared) * (cross3(b, inner) + w * e - c * b);
}

}  // namespace sinew::collide
