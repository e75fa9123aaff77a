#pragma once
// How healthy people walk, to be drawn behind the curves of a patient.

#include <array>
#include <string>
#include <vector>

#include "sinew/gait/gait.h"

namespace sinew::cli {

/// What a healthy walk looks like, to be drawn behind a curve: 101 samples, or nothing.
struct NormalCurve {
    std::vector<double> mean;
    std::vector<double> deviation;  ///< empty when the source gives none: then it is a line, not a band
    bool empty() const { return mean.empty(); }
};

/// Normal curves by angle, and where they are from.
struct NormalBand {
    std::array<NormalCurve, gait::angle_count> curves;
    std::string citation;
};

/// The published band that ships with the program: mean and deviation, with its citation.
NormalBand published_normal();
/// Band of a laboratory's own: the mean of left and right of a gait cycle file, with its deviations.
NormalBand normal_from(const model::GaitCycle& cycle, const std::string& name);

}  // namespace sinew::cli
