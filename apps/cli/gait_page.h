#pragma once
// The gait report as one page that needs nothing else.

#include <string>

#include "gait_chart.h"
#include "gait_pictures.h"

namespace sinew::cli {

struct GaitPage {
    std::string title;  ///< without a name when the report is anonymous
    bool anonymous = true;
};

/// Curves with a common cursor, phase bar, pictures, tables of values, events and rules, how well the markers
/// fit (`fit` of fit_report, or nothing), notes and a glossary.
std::string gait_page(const GaitPage& page, const gait::GaitAnalysis& analysis, const Json& fit,
                      const NormalBand& normal, const std::vector<PhasePicture>& pictures);

}  // namespace sinew::cli
