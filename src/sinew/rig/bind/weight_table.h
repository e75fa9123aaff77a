// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Rows of weights before conversion to a skin, and weights at any point of a surface.

#include "sinew/rig/bind.h"
#include "sinew/rig/templates/symmetry.h"

namespace sinew::rig {

using WeightRow = std::vector<JointWeight>;

/// Weight of a joint in a row; 0 when the row does not contain it.
double weight_of(std::span<const JointWeight> row, int joint);
WeightTable table_from(const std::vector<WeightRow>& rows);

/// Normalises every non-empty row to sum 1.
void normalize(WeightTable& table);

/// The weights of a skin by joint of its skeleton.
WeightTable table_of(const model::Skin& skin);

struct FinishOptions {
    int max_influences = 4;     ///< keeps the heaviest joints; 0 keeps all
    double prune_below = 1e-3;  ///< relative to a row with sum 1
};

/// A skin whose palette is the skeleton at rest, joint by joint. Empty rows take the row of the nearest
/// vertex along the surface that has one, otherwise that of the nearest vertex in space.
/// \throws Error when no row has a weight
model::Skin make_skin(const WeightTable& table, const model::Skeleton& skeleton, const geometry::Mesh& mesh,
                      const FinishOptions& options = {});

/// Transfers weights to another mesh of the same body. Vertices take the weights at the nearest position of
/// the surface, interpolated in its triangle. A position with an opposite normal is used only when there is
/// no better one within a twentieth of the diagonal, so that a thigh takes nothing from the other thigh.
/// \throws Error when the source has no triangle, or not one row per vertex
WeightTable transfer_weights(const geometry::Mesh& from, const WeightTable& weights,
                             const geometry::Mesh& to);

/// Shells that are tiny compared to the others get, as a whole, the weights of the surface next to them.
/// \param mesh its corners at the same position are one vertex
/// \param table weights of its vertices
WeightTable carry_specks(const geometry::Mesh& mesh, WeightTable table);

/// Vertices on the side that `plane.normal` points away from (or towards, with `from_positive` false) get the
/// weights of their images, with the joints exchanged by `twin` (see pair_joints; -1 keeps the joint).
/// Vertices within a thousandth of the diagonal from the plane get the mean of both.
WeightTable mirror_weights(const geometry::Mesh& mesh, const WeightTable& weights, const MirrorPlane& plane,
                           const std::vector<int>& twin, bool from_positive = true);

}  // namespace sinew::rig
