#pragma once
/// \file
/// Rigs that keep parts of a body apart: feet on handles of their own, legs beside the hips.

#include <optional>
#include <vector>

#include "sinew/model/clip.h"
#include "sinew/motion/retarget.h"

namespace sinew::motion {

/// A rig as a motion sees it: one tree, in which every mapped joint hangs below the one that carries it.
struct GatheredRig {
    model::Skeleton skeleton;      ///< the same joints in the same places at rest, parents first
    std::vector<int> original;     ///< per joint its number in the rig
    std::vector<int> moved;        ///< joints, by their number here, that hang elsewhere in the rig
    JointMap map;                  ///< of `skeleton`
    std::vector<ChainLink> links;  ///< of `skeleton`
};

/// Hangs mapped joints of a rig that have no mapped joint above them below the joint that follows the nearest
/// mapped ancestor of their source: a foot below its shin, a thigh below the hips. Where hips and thighs
/// hang side by side from a joint nearby that nothing maps, that one is the pelvis: it follows the hips.
/// Nothing for a rig that is one tree already.
std::optional<GatheredRig> gather(const model::Skeleton& source, const model::Skeleton& rig,
                                  const JointMap& map, std::span<const ChainLink> links);

/// A clip of the gathered skeleton as one of the rig: joints that hang elsewhere there get keys of place and
/// turn at the clip's rate.
model::Clip scattered(const GatheredRig& gathered, const model::Skeleton& rig, const model::Clip& clip);

}  // namespace sinew::motion
