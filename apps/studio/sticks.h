// SPDX-License-Identifier: MIT
#pragma once
// Lines between markers, which show a trial as a body for any marker names.

#include <utility>
#include <vector>

#include "sinew/model/character.h"

namespace sinew::studio {

/// Pairs of joints of a trial whose markers are joints: the minimum spanning tree over all of them, by their
/// mean distance in the clip and how much it changes. Links much longer than the others are left out.
std::vector<std::pair<int, int>> marker_sticks(const model::Character& character, const model::Clip& clip);

}  // namespace sinew::studio
