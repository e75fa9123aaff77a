#pragma once
/// \file
/// A capsule with two bones: the smallest character on which bending and twisting can be checked by hand.

#include "sinew/model/character.h"

namespace sinew::sample {

struct TubeOptions {
    double radius = 0.1;
    double length = 1.0;  ///< of the straight part, along +y from y = 0; the joint is in its middle
    int rings = 41;       ///< of vertices on the straight part, both ends included
    int segments = 32;    ///< around
    double blend = 0.3;   ///< length of the zone around the joint over which the weights change linearly
};

/// Closed capsule; joints Lower and Upper; clips `bend` (0 to 120 degrees about x) and `twist` (0 to 180
/// degrees about y), each of one second.
/// \throws Error when a size is not above 0, or there are fewer than 2 rings or 3 segments.
model::Character make_tube(const TubeOptions& options = {});

}  // namespace sinew::sample
