#pragma once
/// \file
/// The shape of a patch's triangles, and diagonals turned for the better.

#include "sinew/deform/parts/gap_strip.h"

namespace sinew::deform {

/// Least of 4 sqrt(3) area / sum of squared sides over the triangles: 1 when all are equilateral.
double worst_quality(const StripPatch& patch);

/// Turns diagonals of the patch to where its worst triangles get better; no edge comes to exist twice, and
/// nothing turns by more than a right angle. Returns the number of turns.
std::size_t turn_diagonals(StripPatch& patch, double least_quality);

}  // namespace sinew::deform
