// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Trials with only marker clusters: joints are found from the relative motion of the clusters.

#include <optional>
#include <string>
#include <vector>

#include "sinew/motion/solve.h"

namespace sinew::motion {

/// True for a map with a cluster on the pelvis that lacks the spines of a pelvis.
bool has_only_clusters(const MarkerMap& map);

/// Completes a trial, in metres, with the anatomical positions that clusters (three or more markers on
/// pelvis, thigh, shank, foot) do not provide, as points fixed to them. A joint centre is the point that
/// moves least in both of its clusters (Ehrig 2006), with a weak pull towards its position in a body of that
/// height (Drillis and Contini 1966), because walking hardly rotates a hip about more than one axis. Spines
/// of the pelvis are placed relative to the hips by Harrington 2007. Angles are zero in the pose of
/// mid-stance, feet flat and straight ahead. Empty, with the reason, when no leg has its clusters or the body
/// does not walk.
std::optional<model::Trial> complete_clusters(const model::Trial& trial, const MarkerMap& map,
                                              ClusterReport& report);

}  // namespace sinew::motion
