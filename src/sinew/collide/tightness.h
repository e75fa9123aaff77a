#pragma once
/// \file
/// How tight refitted balls are: average radius by level for rest, on demand, bottom-up and the best
/// possible.

#include <span>
#include <vector>

#include "sinew/collide/body.h"

namespace sinew::collide {

/// Averages over the nodes of one level; nodes without bound are counted apart.
struct LevelRadii {
    std::size_t nodes = 0;
    std::size_t unbounded = 0;  ///< on demand
    double rest = 0;
    double on_demand = 0;
    double bottom_up = 0;
    double best = 0;

    double ratio() const { return best > 0 ? on_demand / best : 1; }
};

/// One row per level, the root first.
std::vector<LevelRadii> level_radii(const SphereTree& tree, std::span<const deform::Mat34f> palette,
                                    deform::Method method, Refit refit = Refit::automatic);

}  // namespace sinew::collide
