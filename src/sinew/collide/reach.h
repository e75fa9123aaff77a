#pragma once
/// \file
/// Points that the vertices of an influence set lie around, and the ball around several such. Inside the room
/// only.

#include <limits>
#include <span>
#include <vector>

#include "sinew/collide/ball.h"
#include "sinew/collide/point4.h"

namespace sinew::collide {

/// Some points that are reached from a centre, and how far beyond them.
struct Reach {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    float radius = 0;
    float bend = 0;  ///< what of the radius is there because the blend may not be linear
};

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

}  // namespace sinew::collide
