// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Trials of marker clusters alone: joints are found from how the clusters move.

#include <optional>
#include <string>
#include <vector>

#include "sinew/motion/solve.h"

namespace sinew::motion {

/// True for a map with a cluster on the pelvis, but without the spines that make it one.
bool has_only_clusters(const MarkerMap& map);

/// The trial in metres with the anatomical positions that clusters (three markers or more on pelvis, thigh,
/// shank, foot) do not show, computed as points that ride on them. A joint's centre is the point that is most
/// at rest in both of its clusters (Ehrig 2006), pulled weakly to where it is in a body of that height
/// (Drillis and Contini 1966), for walking hardly turns a hip about more than one axis. Spines of the pelvis
/// stand to the hips as in Harrington 2007. The zero of all turns is how the clusters stand when the body
/// passes over the foot, feet flat and straight ahead. Nothing, with the reason, when no leg has its clusters
/// or the body does not walk.
std::optional<model::Trial> complete_clusters(const model::Trial& trial, const MarkerMap& map,
                                              ClusterReport& report);

}  // namespace sinew::motion
