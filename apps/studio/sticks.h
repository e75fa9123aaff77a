// SPDX-License-Identifier: MIT
#pragma once
// Sticks between markers, so that a trial is seen as a body: whatever the markers are called.

#include <utility>
#include <vector>

#include "sinew/model/character.h"

namespace sinew::studio {

/// Pairs of joints of a trial whose markers are joints: the shortest tree over all of them, by their mean
/// distance in the clip and how much that changes. Links much longer than the others are left out.
std::vector<std::pair<int, int>> marker_sticks(const model::Character& character, const model::Clip& clip);

}  // namespace sinew::studio
