// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Start positions of new bones: connected regions of large error, each with its best-fitting motion.

#include <random>

#include "sinew/fit/decomposition/target.h"
#include "sinew/geometry/topology.h"

namespace sinew::fit {

/// Neighbours along edges, with seams closed; none for vertices without triangles.
geometry::Rows fit_neighbors(const geometry::Mesh& mesh);

/// The `size` nearest vertices along edges around one vertex, starting with itself; fewer on small shells.
std::vector<std::uint32_t> region_around(const geometry::Rows& neighbors, std::uint32_t vertex,
                                         std::size_t size);

/// Rigid motions of a set of vertices in all frames: 3F x 4.
Motions region_motion(const Target& target, std::span<const std::uint32_t> region);

/// Affine motions by least squares; rigid where the vertices do not determine them.
Motions affine_region_motion(const Target& target, std::span<const std::uint32_t> region);

/// Motions of `count` new bones at the largest squared errors, averaged over neighbours; regions of `size`
/// vertices keep a distance from each other where possible. 3F x 4 count. With `random` vertices are drawn
/// with probability proportional to their error (Arthur and Vassilvitskii 2007).
Motions seed_motions(const Target& target, const geometry::Rows& neighbors, std::span<const double> errors,
                     std::size_t count, std::size_t size, std::mt19937* random = nullptr);

}  // namespace sinew::fit
