#pragma once
/// \file
/// Units and axes at the door: what a file means by its numbers, and the way to metres with +Y up and back.

#include <optional>
#include <string>
#include <string_view>

#include "sinew/io/io.h"

namespace sinew::io {

/// Metres a unit: "m", "cm", "mm", "in", "ft" and their longer spellings; nothing for an unknown name.
std::optional<double> metres_of(std::string_view unit);

/// CMU's skeletons are in inches divided by 0.45, and so are the motions made from them.
inline constexpr double cmu_unit = 0.0254 / 0.45;

/// The unit that a skeleton of this height is in, if it is a person (Nar 2008 spec, 2.3). No `metres` between
/// 3 and 12, where feet, decimetres and a giant are equally likely.
struct UnitGuess {
    std::optional<double> metres;
    std::string name;
};
UnitGuess guess_unit(double height);

/// The turn that brings the named axis ("x", "y", "z") to +Y. \throws Error for another name.
math::Quatd turn_up(std::string_view axis);

/// Brings what was read to metres and +Y up: by the options, or for a motion that states no unit by a guess,
/// which is noted in the asset. A trial keeps its numbers: its reader has set `to_world`.
/// \throws Error for an unknown unit or axis.
void normalize(Asset& asset, bool states_no_unit, const ReadOptions& options);

/// The character in the numbers that a format without units is to hold: those of the file it came from, or
/// the unit that the options name.
model::Character in_file_units(const model::Character& character, const WriteOptions& options);

}  // namespace sinew::io
