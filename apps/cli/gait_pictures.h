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

/// Pictures of the built-in man in the phases of the right leg, in right side view, one at the middle of each
/// phase. The motion is the first complete cycle of the solved motion, or else a walk from the mean curves,
/// which contain only hips and legs. Empty when there is neither.
/// \throws Error when there is no OpenGL.
std::vector<gait::PhasePicture> phase_pictures(const gait::GaitAnalysis& analysis, const SolvedMotion* solved,
                                               gait::Unmeasured unmeasured, Monitor& monitor);

}  // namespace sinew::cli
