#pragma once
/// \file
/// Fewer influences for characters that are far away, with a bound on what that costs.

#include <span>
#include <vector>

#include "sinew/model/skin.h"

namespace sinew::deform {

/// A skin with at most so many influences a vertex.
struct InfluenceLevel {
    int influences = 0;
    model::Skin skin;
    float pruned = 0;  ///< largest sum of weights that a vertex lost
};

/// Levels of detail from the finest to the coarsest, one for each count.
/// \throws Error when the counts do not fall or one is below 1.
std::vector<InfluenceLevel> influence_levels(const model::Skin& skin, std::span<const int> counts);

/// The coarsest level that moves no vertex under linear blending by more than `tolerance`, when the joints of
/// a vertex take it to places at most `spread` apart: pruning moves it by at most pruned * spread. The first
/// level when none does. \throws Error when there are no levels.
std::size_t choose_level(std::span<const InfluenceLevel> levels, double spread, double tolerance);

/// Largest distance between the places to which the joints of one vertex take it: the spread of a pose.
double pose_spread(const model::Skin& skin, std::span<const math::Vec3<float>> rest,
                   std::span<const math::Mat4d> palette);

}  // namespace sinew::deform
