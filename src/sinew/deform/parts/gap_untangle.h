#pragma once
/// \file
/// Patches that run through themselves, smoothed where they do.

#include "sinew/deform/parts/gap_strip.h"

namespace sinew::deform {

/// Least of 4 sqrt(3) area / sum of squared sides over the triangles: 1 when all are equilateral.
double worst_quality(const StripPatch& patch);

/// Turns diagonals of the patch to where its worst triangles get better; no edge comes to exist twice, and
/// nothing turns by more than a right angle. Returns the number of turns.
std::size_t turn_diagonals(StripPatch& patch, double least_quality);

/// Where triangles of the patch cross, its new points move to the middle of their neighbours, in a region
/// that grows from round to round, until nothing crosses or the rounds are over. Loops stay.
/// \return pairs of triangles that cross still.
std::size_t untangle(StripPatch& patch, int rounds);

}  // namespace sinew::deform
