#pragma once
/// \file
/// Units and axes of trials whose files say little about them.

#include <string_view>
#include <vector>

#include "sinew/io/asset.h"

namespace sinew::io {

/// True when ReadOptions::units says another unit than the file's own.
bool overrides_unit(const ReadOptions& options);

/// Sets Trial::unit and Trial::to_world from ReadOptions::units and up, else from `unit`, else by a guess: a
/// body with its markers is between 0.3 and 8 m across, and longer upwards than along the other axis that may
/// point up (y or z).
/// \throws Error when the options name a unit or an axis that is not known.
void place_in_world(model::Trial& trial, std::string_view unit, const ReadOptions& options,
                    std::vector<Guess>& guesses);

}  // namespace sinew::io
