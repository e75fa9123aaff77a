// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Rows of weights before they are a skin, and weights anywhere on a surface.

#include "sinew/rig/bind.h"
#include "sinew/rig/templates/symmetry.h"

namespace sinew::rig {

using WeightRow = std::vector<JointWeight>;

/// What a joint has in a row; 0 when it is not named there.
double weight_of(std::span<const JointWeight> row, int joint);
WeightTable table_from(const std::vector<WeightRow>& rows);

/// Scales every row that is not empty to the sum 1.
void normalize(WeightTable& table);

/// The weights of a skin by joint of its skeleton.
WeightTable table_of(const model::Skin& skin);

struct FinishOptions {
    int max_influences = 4;     ///< keep the heaviest so many; 0 keeps all
    double prune_below = 1e-3;  ///< of a row with sum 1
};

/// A skin whose palette is the skeleton at rest, joint by joint. Rows that are empty take the row of the
/// nearest vertex along the surface that has one, else that of the nearest in space.
/// \throws Error when no row has a weight.
model::Skin make_skin(const WeightTable& table, const model::Skeleton& skeleton, const geometry::Mesh& mesh,
                      const FinishOptions& options = {});

/// Weights of one mesh for another of the same body. Vertices take those of the nearest position of the
/// surface, blended over its triangle; a position that faces the other way counts only when there is no
/// better one within a twentieth of the diagonal: a thigh takes nothing from the other thigh.
/// \throws Error when the source has no triangle, or not a row for each vertex.
WeightTable transfer_weights(const geometry::Mesh& from, const WeightTable& weights,
                             const geometry::Mesh& to);

/// Shells that are specks beside the others get, as a whole, the weights of the surface next to them.
/// \param mesh whose corners at one place are one vertex
WeightTable carry_specks(const geometry::Mesh& mesh, WeightTable table);

/// Vertices on the side that `plane.normal` points away from (or towards, with `from_positive` false) get the
/// weights of their images, with the joints exchanged by `twin` (see pair_joints; -1 keeps the joint).
/// Vertices within a thousandth of the diagonal from the plane get the mean of both.
WeightTable mirror_weights(const geometry::Mesh& mesh, const WeightTable& weights, const MirrorPlane& plane,
                           const std::vector<int>& twin, bool from_positive = true);

}  // namespace sinew::rig
