#pragma once
// An anonymous character in the phases of a patient's gait.

#include "sinew/motion/gait.h"
#include "sinew/render/picture.h"

namespace sinew::cli {

/// What is done with parts of the body that were not measured.
enum class Unmeasured { ghost, hide, hold };

struct PhasePicture {
    std::string name;  ///< "loading response"
    double percent = 0;
    render::Picture picture;
};

/// The built-in man walks by the mean curves; one picture from the right for the middle of each phase of the
/// right leg. Empty when there are no curves to walk by.
/// \throws Error when there is no OpenGL.
std::vector<PhasePicture> phase_pictures(const motion::GaitAnalysis& analysis, Unmeasured unmeasured,
                                         Monitor& monitor);

}  // namespace sinew::cli
