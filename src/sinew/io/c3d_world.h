#pragma once
/// \file
/// Units and axes of a C3D trial: what the file says, and what its data tell where it does not.

#include "sinew/io/io.h"
#include "sinew/io/c3d/numbers.h"

namespace sinew::io::c3d {

/// Sets Trial::unit and Trial::to_world. Guesses are added to `guesses`.
/// \throws Error when ReadOptions::units or up are not known.
void place_in_world(model::Trial& trial, const ReadOptions& options, std::vector<Guess>& guesses,
                    Tally& tally);

}  // namespace sinew::io::c3d
