// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// What a QueryScratch holds.

#include <vector>

#include "sinew/collide/body/refit.h"
#include "sinew/collide/query.h"
#include "sinew/collide/triangle/triangle_block.h"

namespace sinew::collide {

struct SearchScratch {
    RefitScratch refit;
    std::vector<NodePair> stack;
    std::vector<std::uint32_t> near_blocks;  ///< of a leaf that may meet another
    std::vector<BoxBlock> near_boxes;        ///< theirs, in groups
    std::vector<TriangleBlock> near_triangles;
    std::vector<char> near_made;  ///< which of those are made
    std::vector<Contact> sorted;  ///< for putting contacts in order

    QueryCounts& counts() { return refit.counts; }
};

}  // namespace sinew::collide
