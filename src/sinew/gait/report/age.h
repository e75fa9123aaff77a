// SPDX-License-Identifier: MIT
#pragma once
// Times and lengths of healthy walkers by age and sex, from published tables.

#include <map>
#include <string>

#include "sinew/gait/gait.h"

namespace sinew::gait {

/// Adds mean and deviation (NaN where the table gives none) for the age and sex of the subject.
/// \return the source, or the reason why there is none; empty without an age
std::string add_values_of_age(const BodyMeasures& subject,
                              std::map<std::string, std::pair<double, double>>& values);

}  // namespace sinew::gait
