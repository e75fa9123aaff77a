#pragma once
// Every method of binding on one body, side by side.

#include "program.h"

#include "sinew/model/character.h"
#include "sinew/rig/bind.h"

namespace sinew::cli {

/// Binds the character's mesh to its skeleton by every method and writes into a folder: `comparison.csv` and
/// `comparison.md` (a row a method), `weights.png` (weights from the front and from behind), and for each
/// joint `bend_JOINT.png` (bent by -90, -45, 45 and 90 degrees). A skin that the character brings is compared
/// as well, as "given".
void compare_bindings(Run& run, const model::Character& character, const rig::BindOptions& options,
                      const std::filesystem::path& folder);

}  // namespace sinew::cli
