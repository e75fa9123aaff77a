// SPDX-License-Identifier: MIT
#pragma once
// sinew collide --between: the time of the first contact of two bodies between their frames.

#include "collide_side.h"

namespace sinew::cli {

struct BetweenOptions {
    bool screws = false;  ///< joints move on screws; otherwise vertices move along straight lines
    deform::Method method = deform::Method::lbs;
    double tolerance = 1e-4;
};

/// Advances the time until the bodies are in contact; the report gets `first_touch` and a row for every step.
void report_first_touch(Run& run, const CollideSide& a, const CollideSide& b, std::span<const double> times,
                        const BetweenOptions& options);

}  // namespace sinew::cli
