// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Where new bones start: connected regions of large error, each with the motion that fits it best.

#include <random>

#include "sinew/fit/decomposition/target.h"
#include "sinew/geometry/topology.h"

namespace sinew::fit {

/// Neighbours along edges with seams closed; points without triangles have none.
geometry::Rows fit_neighbors(const geometry::Mesh& mesh);

/// The nearest vertices along edges around one, itself first, at most `size`. Small shells end early.
std::vector<std::uint32_t> region_around(const geometry::Rows& neighbors, std::uint32_t vertex,
                                         std::size_t size);

/// Rigid motions of a set of vertices in all frames: 3F x 4.
Motions region_motion(const Target& target, std::span<const std::uint32_t> region);

/// Affine ones, by least squares; what the vertices leave open is rigid.
Motions affine_region_motion(const Target& target, std::span<const std::uint32_t> region);

/// Motions of `count` new bones where the squared errors, averaged over neighbours, are largest; regions of
/// `size` vertices keep away from each other as long as there is room. 3F x 4 count. With `random` a vertex
/// is taken by chance, in proportion to its error (Arthur and Vassilvitskii 2007).
Motions seed_motions(const Target& target, const geometry::Rows& neighbors, std::span<const double> errors,
                     std::size_t count, std::size_t size, std::mt19937* random = nullptr);

}  // namespace sinew::fit
