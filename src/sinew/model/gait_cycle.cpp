#include "sinew/model/trial.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/text.h"

namespace sinew::model {

const GaitVariable* GaitCycle::find(Side side, std::string_view name) const {
    for (const Side wanted : {side, Side::none}) {
        const auto found = std::find_if(variables.begin(), variables.end(), [&](const GaitVariable& each) {
            return each.side == wanted && equal_ignoring_case(each.name, name);
        });
        if (found != variables.end()) return &*found;
    }
    return nullptr;
}

std::optional<double> GaitCycle::value(Side side, std::string_view name) const {
    const GaitVariable* const found = find(side, name);
    if (found == nullptr || found->values.empty()) return std::nullopt;
    return found->values[0];
}

double sample(const GaitVariable& curve, double phase, bool closed) {
    const std::size_t rows = curve.rows();
    if (rows == 0) return 0;
    if (rows == 1) return curve.at(0);
    phase -= std::floor(phase);
    const double place = phase * static_cast<double>(rows - 1);
    const std::size_t row = std::min(static_cast<std::size_t>(place), rows - 2);
    const double t = place - static_cast<double>(row);
    const double value = (1 - t) * curve.at(row) + t * curve.at(row + 1);
    const double step = curve.at(rows - 1) - curve.at(0);
    return closed ? value - (phase - 0.5) * step : value;
}

void validate(const GaitCycle& cycle, std::string_view place) {
    for (const GaitVariable& variable : cycle.variables) {
        if (variable.columns == 0 || variable.values.size() % variable.columns != 0) {
            fail(place, "\"{}\" has {} numbers in {} columns", variable.name, variable.values.size(),
                 variable.columns);
        }
        for (const double value : variable.values) {
            if (!std::isfinite(value)) fail(place, "\"{}\" has a number that is not finite", variable.name);
        }
    }
}

}  // namespace sinew::model
