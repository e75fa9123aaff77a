#pragma once
/// \file
/// Units and axes of a trial: what its file says, what the options say, and what the markers tell where
/// neither does.

#include <string>
#include <string_view>
#include <vector>

#include "sinew/io/io.h"

namespace sinew::io {

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
void place_in_world(model::Trial& trial, const StatedWorld& stated, const ReadOptions& options,
                    std::vector<Guess>& guesses);

}  // namespace sinew::io
