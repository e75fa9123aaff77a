// SPDX-License-Identifier: MIT
#pragma once
// An anonymous character in the phases of a patient's gait.

#include "sinew/gait/gait.h"
#include "sinew/gait/report.h"
#include "sinew/render/renderer.h"

namespace sinew::cli {

/// The trial as a moving skeleton, with the joints that were measured.
struct SolvedMotion {
    model::Character character;
    std::vector<bool> measured;
};

/// The built-in man in the phases of the right leg, from the right, one picture for the middle of each: as
/// the solved motion goes in its first complete cycle, or else walking by the mean curves, of which only hips
/// and legs are measured. Empty when there is neither.
/// \throws Error when there is no OpenGL.
std::vector<gait::PhasePicture> phase_pictures(const gait::GaitAnalysis& analysis, const SolvedMotion* solved,
                                               gait::Unmeasured unmeasured, Monitor& monitor);

}  // namespace sinew::cli
