// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Units and axes of files, and the conversion to metres with +Y up and back.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/io/io.h"

namespace sinew::io {

/// Metres per unit: "m", "cm", "mm", "in", "ft" and their longer spellings; empty for an unknown name.
std::optional<double> metres_of(std::string_view unit);

/// CMU's skeletons are in inches divided by 0.45, and so are the motions made from them.
inline constexpr double cmu_unit = 0.0254 / 0.45;

/// The unit of a skeleton of this height, if it is a person (Nar 2008 spec, 2.3). `metres` is empty for
/// heights between 3 and 12, where feet, decimetres and a giant are equally likely.
struct UnitGuess {
    std::optional<double> metres;
    std::string name;
};
UnitGuess guess_unit(double height);

/// The rotation from the named axis ("x", "y", "z") to +Y. \throws Error for another name
math::Quatd rotation_to_up(std::string_view axis);

/// Converts a file's content to metres and +Y up: by the options or, for a motion without a stated unit, by a
/// guess that is recorded in the asset. A trial keeps its numbers: its reader has set `to_world`.
/// \throws Error for an unknown unit or axis
void normalize(Asset& asset, bool states_no_unit, const ReadOptions& options);

/// The character in the unit for a format that states none: the unit of its source file, or the one in the
/// options.
model::Character in_file_units(const model::Character& character, const WriteOptions& options);

/// Units and axes stated by a file; empty or zero where it states none.
struct StatedWorld {
    std::string unit;
    math::Vec3d up = math::Vec3d::Zero();
    math::Vec3d right = math::Vec3d::Zero();
    /// Default up axis when the markers do not determine it, with the reason; empty uses the longer of y and
    /// z.
    std::string usual_up = {};
    std::string usual_reason = {};
};

/// "+X", "-z", "Y" as a direction; zero for other texts.
math::Vec3d axis_named(std::string_view text);

/// Sets Trial::unit and Trial::to_world from ReadOptions::units and up, else from the statements of the file,
/// else by a guess: a body with markers is between 0.3 and 8 m large, its pelvis is above its feet, force
/// platforms are horizontal. Guesses are added to `guesses`.
/// \throws Error when the options contain an unknown unit or axis
void set_world_frame(model::Trial& trial, const StatedWorld& stated, const ReadOptions& options,
                     std::vector<Guess>& guesses);

}  // namespace sinew::io
