#pragma once
/// \file
/// Patches that run through themselves or are folded, smoothed where they are.

#include "sinew/deform/parts/gap_strip.h"

namespace sinew::deform {

/// Where triangles of the patch cross, or neighbours are folded onto each other, its new points move to the
/// middle of their neighbours, in a region that grows from round to round, until all is smooth or the rounds
/// are over. Loops stay.
/// \return pairs of triangles that cross still.
std::size_t untangle(StripPatch& patch, int rounds);

}  // namespace sinew::deform
