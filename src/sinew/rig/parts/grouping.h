#pragma once
/// \file
/// Which openings of a part share a link on its axis: grouping by dynamic programming, without parameters
/// (Vasilakis 2008, with the corrections of section 3.3.1 of the specification).

#include <span>
#include <vector>

#include "sinew/math/types.h"

namespace sinew::rig {

using math::Vec3d;

/// An opening and its foot on the axis: the nearest point of the axis segment.
struct OpeningFoot {
    Vec3d opening = Vec3d::Zero();
    Vec3d foot = Vec3d::Zero();
};

/// A run of openings, from `first` to `last` inclusive, and the mean of their feet.
struct OpeningGroup {
    int first = 0;
    int last = 0;
    Vec3d link = Vec3d::Zero();
};

struct GroupingOptions {
    double merge = 0.02;    ///< of the axis: feet this near are never divided; 0 is the source's behaviour
    bool both_ways = true;  ///< judge ties, and look from the other end too; off is the source's behaviour
};

struct Grouping {
    std::vector<OpeningGroup> groups;  ///< along the axis
    double score = 0;                  ///< of the last step: 0 is best
    double moved = 0;                  ///< sum of V: how much longer the ways get, each from 0 to 1
};

/// V: how much of what an opening could lose at most it loses when it goes to `link` instead of its foot.
double moved_part(std::span<const OpeningFoot> feet, std::size_t opening, const Vec3d& link);

/// F1 of a run that shares one link: (mean V + its length / length of all) / 2.
double merge_score(std::span<const OpeningFoot> feet, std::size_t first, std::size_t last);

/// Feet must be sorted along the axis. O(N^3) scores.
Grouping group_openings(std::span<const OpeningFoot> feet, double axis_length,
                        const GroupingOptions& options = {});

}  // namespace sinew::rig
