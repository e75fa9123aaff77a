// SPDX-License-Identifier: MIT
#pragma once
// sinew collide --between: when bodies first touch between their frames.

#include "collide_side.h"

namespace sinew::cli {

struct BetweenOptions {
    bool screws = false;  ///< joints on screws; otherwise vertices along straight lines
    deform::Method method = deform::Method::lbs;
    double tolerance = 1e-4;
};

/// Goes from time to time until the bodies touch; the report gets `first_touch` and a row for every step.
void report_first_touch(Run& run, const CollideSide& a, const CollideSide& b, std::span<const double> times,
                        const BetweenOptions& options);

}  // namespace sinew::cli
