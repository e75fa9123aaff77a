#pragma once
/// \file
/// Inverse kinematics of a figure of parts.

#include "sinew/deform/parts/articulated_figure.h"

namespace sinew::deform {

struct ReachOptions {
    int joints = 3;           ///< that may turn: the part's own and those above it, never a root's
    int rounds = 300;         ///< over all of them
    double tolerance = 1e-4;  ///< distance at which the goal is reached
};

struct ReachResult {
    double distance = 0;  ///< that is left
    int rounds = 0;
    FigureReport report;  ///< of the last step

    bool reached(const ReachOptions& options) const { return distance <= options.tolerance; }
};

/// Turns joints one after the other, from the part upwards, so that a point of the part (at its rest place)
/// comes nearer to a goal in the world (cyclic coordinate descent, Wang and Chen 1991). Limits and collisions
/// hold as the figure's options say.
ReachResult reach(ArticulatedFigure& figure, int part, const Vec3d& point, const Vec3d& goal,
                  const FigureMover& mover = {}, const ReachOptions& options = {});

}  // namespace sinew::deform
