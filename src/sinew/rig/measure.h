#pragma once
/// \file
/// How far a rig is from a reference: its skeleton, and its weights.

#include "sinew/model/character.h"

namespace sinew::rig {

/// Distances between two skeletons at rest, in percent of a diagonal. A tip counts as a joint, because
/// another file format would have written one there; points at the same place count once.
struct SkeletonDifference {
    double j2j_percent =
        0;  ///< mean distance of a joint from the nearest joint of the other, both ways averaged
    double j2b_percent = 0;  ///< the same from a joint to the nearest bone
    double b2b_percent = 0;  ///< the same from every place on a bone to the nearest bone, by length
    double precision = 0;    ///< part of the other's joints with a partner in the reference
    double recall = 0;       ///< part of the reference's joints with a partner
    double diagonal = 0;     ///< what 100 percent is
};

struct SkeletonMeasureOptions {
    double diagonal = 0;   ///< 0 takes the diagonal of the reference skeleton's box
    double tolerance = 2;  ///< percent: how near partners are. Pairs are one to one, as many as possible.
    double samples = 400;  ///< of a bone as long as the diagonal
};

/// \throws Error when a skeleton is empty or the reference has no extent.
SkeletonDifference measure(const model::Skeleton& reference, const model::Skeleton& other,
                           const SkeletonMeasureOptions& options = {});

/// Differences of skin weights on the same vertices. Joints are matched by name, in any case; weight on a
/// joint that the other does not have counts in full.
struct WeightDifference {
    double mean_l1 = 0;  ///< mean over the vertices of sum |a_j - b_j|: 0 equal, 2 nothing in common
    double max_l1 = 0;
    double precision = 0;  ///< part of the other's influences that the reference has too
    double recall = 0;     ///< part of the reference's influences that the other has too
    std::size_t vertices = 0;
};

/// An influence counts in precision and recall when its weight exceeds this.
inline constexpr double least_influence = 1e-4;

/// \throws Error when one has no skin or the vertex counts differ.
WeightDifference measure_weights(const model::Character& reference, const model::Character& other);

}  // namespace sinew::rig
