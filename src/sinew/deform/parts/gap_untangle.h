#pragma once
/// \file
/// Patches that run through themselves, smoothed where they do.

#include "sinew/deform/parts/gap_strip.h"

namespace sinew::deform {

/// Where triangles of the patch cross, its new points move to the middle of their neighbours, in a region
/// that grows from round to round, until nothing crosses or the rounds are over. Loops stay.
/// \return pairs of triangles that cross still.
std::size_t untangle(StripPatch& patch, int rounds);

}  // namespace sinew::deform
