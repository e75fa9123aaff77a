#pragma once
// Curves over the gait cycle and the bar of its phases, as SVG to stand inside a page.

#include <string>
#include <vector>

#include "sinew/motion/gait.h"

namespace sinew::cli {

/// What a healthy walk looks like, to be drawn behind a curve: 101 samples, or nothing.
struct NormalCurve {
    std::vector<double> mean;
    std::vector<double> deviation;  ///< empty when the source gives none: then it is a line, not a band
    bool empty() const { return mean.empty(); }
};

/// Normal curves by angle, and where they are from.
struct NormalBand {
    std::array<NormalCurve, motion::angle_count> curves;
    std::string citation;
};

/// Means of healthy adults (Winter 1991, Perry 1992) for hip, knee and ankle in the sagittal plane. They are
/// means without spread.
NormalBand published_normal();
/// Band of a laboratory's own: the mean of left and right of a gait cycle file, with its deviations.
NormalBand normal_from(const model::GaitCycle& cycle, const std::string& name);

/// One angle, both sides: mean, spread over cycles, normal curve, phases as ticks.
std::string angle_chart(const motion::GaitAnalysis& analysis, motion::GaitAngle angle,
                        const NormalBand& normal);

/// The seven phases of both sides over the cycle, stance dark, swing light.
std::string phase_bar(const motion::GaitAnalysis& analysis);

}  // namespace sinew::cli
