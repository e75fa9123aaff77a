// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Units and axes: what a file means by its numbers, and the conversion to metres with +Y up and back.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

/// The rotation that brings the named axis ("x", "y", "z") to +Y. \throws Error for another name.
math::Quatd rotation_to_up(std::string_view axis);

/// Brings what was read to metres and +Y up: by the options, or for a motion that states no unit by a guess,
/// which is noted in the asset. A trial keeps its numbers: its reader has set `to_world`.
/// \throws Error for an unknown unit or axis.
void normalize(Asset& asset, bool states_no_unit, const ReadOptions& options);

/// The character in the numbers that a format without units is to hold: those of the file it came from, or
/// the unit that the options name.
model::Character in_file_units(const model::Character& character, const WriteOptions& options);

/// What a file says about its numbers; empty or zero where it says nothing.
struct StatedWorld {
    std::string unit;
    math::Vec3d up = math::Vec3d::Zero();
    math::Vec3d right = math::Vec3d::Zero();
    /// The axis that points up when the markers do not tell, with the reason; empty: the longer of y and z.
    std::string usual_up = {};
    std::string usual_reason = {};
};

/// "+X", "-z", "Y" as a direction; zero when it is none.
math::Vec3d axis_named(std::string_view text);

/// Sets Trial::unit and Trial::to_world from ReadOptions::units and up, else from what is stated, else by a
/// guess: a body with its markers is between 0.3 and 8 m across, its pelvis is above its feet, force
/// platforms lie flat. Guesses are added to `guesses`.
/// \throws Error when the options name a unit or an axis that is not known.
void set_world_frame(model::Trial& trial, const StatedWorld& stated, const ReadOptions& options,
                     std::vector<Guess>& guesses);

}  // namespace sinew::io
