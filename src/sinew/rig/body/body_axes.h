// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The axes of a body, independent of those of its file, so that lattices divide it in the same way for any
/// rotation.

#include <optional>

#include "sinew/model/character.h"
#include "sinew/rig/body/surface_on_demand.h"

namespace sinew::rig {

/// Loose parts that are nearer than this belong to the body; percent of the diagonal.
inline constexpr double closed_gap = 6;

/// From the axes of the body to those of the mesh. In those of the body the mesh has a diagonal of 1 about
/// the origin, +y is its up, x = 0 its plane of symmetry, and the bulkier end points to -z.
/// \param mesh any mesh with an extent
/// \param about_up unit length; the up of the body is the direction next to it in the plane of symmetry
model::Similarity body_axes(const geometry::Mesh& mesh, const math::Vec3d& about_up);
/// The same with a shared tree.
model::Similarity body_axes(SurfaceOnDemand& surface, const math::Vec3d& about_up);

/// A mesh in the axes of its body. Its vertices are rounded to a fine lattice, so that the rounding in a file
/// has no effect.
geometry::Mesh in_axes(const geometry::Mesh& mesh, const model::Similarity& axes);

void apply(model::Skeleton& skeleton, const model::Similarity& axes);
model::Similarity inverse(const model::Similarity& axes);

/// The direction that is up when a body stands on the floor: of the facets of its convex hull near the floor
/// of the file, the largest on which it stands stably. Empty when there is none.
std::optional<math::Vec3d> resting_up(const geometry::Mesh& mesh);

}  // namespace sinew::rig
