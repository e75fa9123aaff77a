#pragma once
/// \file
/// From the angle curves of a gait cycle to a walking lower body.

#include "sinew/base/monitor.h"
#include "sinew/model/character.h"
#include "sinew/model/trial.h"

namespace sinew::motion {

struct CycleOptions {
    double height = 1.75;  ///< metres of the whole body, from which the bones follow
    double rate = 60;      ///< frames a second; stretched a little so that a cycle is whole frames
    int cycles = 1;
    bool travel = false;  ///< walk ahead by StrideLength a cycle, instead of on the spot
};

/// A pelvis with thighs, shanks and feet (pelvis, left_thigh, left_shank, left_foot, right_...) that moves as
/// the curves say. Angles are degrees with the signs of Plug-in Gait. In the frame x forward, y left, z up a
/// segment turns against the one above it by
///
///     R = R_y(a1) R_x(a2) R_z(a3)        pelvis against the room, hip, knee
///     R = R_y(a1) R_z(a3) R_x(a2)        ankle
///
/// with a = sign * angle and the signs, left and right, of (flexion, adduction, rotation):
/// pelvis + + -, + - +; hip - - -, - + +; knee + - -, + + +; ankle - - -, - + +.
///
/// The clip starts at left foot contact; the right side is OppositeFootContact (percent of the left cycle,
/// else 50) later. A cycle takes StrideTime (else 60 / (Cadence / 2), else 1.1 s). Curves are closed so that
/// the clip loops; the pelvis is as high as lets the lower foot touch the ground. Warnings: `cycle-no-curve`
/// (what is not in the file stays at 0), `cycle-no-time`, `cycle-no-contact`.
/// \throws Error when no angle curve is there, or an option makes no sense.
model::Character play_cycle(const model::GaitCycle& cycle, const CycleOptions& options = {},
                            Monitor& monitor = silent());

}  // namespace sinew::motion
