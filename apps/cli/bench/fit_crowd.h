#pragma once
// A crowd that plays one fit: skinned on the graphics card, and with vertices that are sent up every frame.

#include "program.h"

namespace sinew::cli {

/// A thousand instances, as in Kavan et al. 2007, figure 8; fewer and smaller ones when `quick`.
void show_crowd(Run& run, bool quick);

}  // namespace sinew::cli
