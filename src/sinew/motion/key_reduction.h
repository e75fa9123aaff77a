#pragma once
/// \file
/// Fewer keys for the same motion, with the difference measured where it is seen: on the skin.

#include "sinew/base/monitor.h"
#include "sinew/model/character.h"

namespace sinew::motion {

struct KeyReductionOptions {
    double tolerance = 1e-3;  ///< largest distance that a point may be off, in the character's unit
    /// Without a skin, points are joints, tips, and three points at this distance from every joint along its
    /// axes, so that twists and the turns of leaves count; 0 takes a twentieth of the skeleton's height.
    double reach = 0;
    int rounds = 10;  ///< steps of the search for the loosest tolerances of the tracks
};

struct KeyReduction {
    model::Clip clip;
    std::size_t keys_before = 0;
    std::size_t keys_after = 0;
    double largest_error = 0;  ///< of a point over the frames of the clip
};

/// Every key list is thinned greedily: from a key to the farthest one such that all keys between stay within
/// the list's tolerance of the straight line (or the turn) between the two. The tolerance of a list is the
/// common one divided by how far the joint's points are from it, because that is how a turn is seen; the
/// common one is then searched for by halving, each try verified by moving every point in every frame, so
/// that the largest error found is never above `tolerance`. Cubic keys stay as they are.
/// \throws Error when the clip does not fit the skeleton.
KeyReduction reduce_keys(const model::Clip& clip, const model::Character& character,
                         const KeyReductionOptions& options = {}, Monitor& monitor = silent());
/// The same without a skin.
KeyReduction reduce_keys(const model::Clip& clip, const model::Skeleton& skeleton,
                         const KeyReductionOptions& options = {}, Monitor& monitor = silent());

}  // namespace sinew::motion
