#pragma once
/// \file
/// When do two bodies first touch, while every vertex moves along a straight line from one pose to the next?

#include <optional>

#include "sinew/collide/query.h"

namespace sinew::collide {

/// A body at the start and at the end of a step; both of one tree.
struct Motion {
    Body* start = nullptr;
    Body* end = nullptr;
};

/// Contains the vertices of a node at a time from 0 to 1, when they move along straight lines: centre and
/// radius run along with them, because a convex combination of balls is a ball.
Ball ball_at(const Motion& motion, std::uint32_t node, double time, QueryScratch& room);

/// First time from 0 to `latest` at which two balls that move so touch.
std::optional<double> first_overlap(const Ball& a0, const Ball& a1, const Ball& b0, const Ball& b1,
                                    double latest);

struct FirstTouch {
    bool touching = false;
    double time = 1;  ///< never later than the first contact; the pair is within the tolerance then
    Contact pair;     ///< one of those that touch first
};

/// \throws Error when start and end of a body are not of one tree, or the tolerance is not positive.
FirstTouch find_first_touch(const Motion& a, const Motion& b, QueryScratch& room, double tolerance = 1e-4);

/// The same for one pair of triangles; nothing when they stay farther apart than the tolerance.
std::optional<double> first_touch(const Corners& a0, const Corners& a1, const Corners& b0, const Corners& b1,
                                  double latest, double tolerance);

}  // namespace sinew::collide
