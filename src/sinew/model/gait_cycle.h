#pragma once
/// \file
/// A gait cycle as a laboratory reports it: curves over the cycle from one foot contact to the next, and
/// single values such as the cadence, by name and side.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/model/roles.h"

namespace sinew::model {

/// A table of numbers. A curve has a row for each of its even samples, both ends of the cycle included
/// (usually 51: every 2 %); a single value has one row.
struct GaitVariable {
    std::string name;  ///< without the side: "HipFlexExt", "StrideTime"
    Side side = Side::none;
    std::size_t columns = 1;     ///< usually 2 of a mean: the second is the standard deviation
    std::vector<double> values;  ///< row * columns + column

    std::size_t rows() const { return columns == 0 ? 0 : values.size() / columns; }
    double at(std::size_t row, std::size_t column = 0) const { return values[row * columns + column]; }
    bool operator==(const GaitVariable&) const = default;
};

/// Words about the cycle: "SUBJECT".
struct GaitText {
    std::string name;
    std::vector<std::string> lines;
    bool operator==(const GaitText&) const = default;
};

struct GaitCycle {
    std::string source;  ///< what the first line says behind "#!"
    std::vector<GaitText> texts;
    std::vector<GaitVariable> variables;

    bool empty() const { return texts.empty() && variables.empty(); }
    /// The variable of a side, else the one of no side; names ignore case. Null when there is none.
    const GaitVariable* find(Side side, std::string_view name) const;
    /// The first number of a variable.
    std::optional<double> value(Side side, std::string_view name) const;
};

/// Column 0 of a curve at a phase from 0 to 1, linear between its rows; the phase goes round. With `closed`,
/// the step from the end of the cycle to its start is spread evenly over the curve, so that it loops.
double sample(const GaitVariable& curve, double phase, bool closed);

/// \throws Error when a table is not filled, or a number is not finite.
void validate(const GaitCycle& cycle, std::string_view place);

}  // namespace sinew::model
