// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Contents of a QueryScratch.

#include <vector>

#include "sinew/collide/body/refit.h"
#include "sinew/collide/query.h"
#include "sinew/collide/triangle/triangle_block.h"

namespace sinew::collide {

struct SearchScratch {
    RefitScratch refit;
    std::vector<NodePair> stack;
    std::vector<std::uint32_t> near_blocks;  ///< blocks of a leaf that may overlap another
    std::vector<BoxBlock> near_boxes;        ///< their boxes, in groups
    std::vector<TriangleBlock> near_triangles;
    std::vector<char> near_made;  ///< which groups are computed
    std::vector<Contact> sorted;  ///< buffer for sorting contacts

    QueryCounts& counts() { return refit.counts; }
};

}  // namespace sinew::collide
