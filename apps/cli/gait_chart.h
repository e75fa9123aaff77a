#pragma once
// Curves over the gait cycle and the bar of its phases, as SVG to stand inside a page.

#include <string>

#include "gait_normal.h"

namespace sinew::cli {

/// One angle, both sides: mean, spread over cycles, normal curve, phases as ticks.
std::string angle_chart(const gait::GaitAnalysis& analysis, gait::GaitAngle angle,
                        const NormalBand& normal);

/// The seven phases of both sides over the cycle, stance dark, swing light.
std::string phase_bar(const gait::GaitAnalysis& analysis);

}  // namespace sinew::cli
