// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// What a brush, a ramp and smoothing do to the rows of a table. Weights of a row stay at sum 1; joints that
/// are locked keep theirs.

#include "sinew/rig/bind/weight_table.h"
#include "sinew/rig/edit.h"

namespace sinew::rig {

inline bool is_locked(const JointLocks& locks, int joint) {
    return static_cast<std::size_t>(joint) < locks.size() && locks[static_cast<std::size_t>(joint)] != 0;
}

/// The row with `joint` at `weight` (clamped to what locked joints leave); the other free joints share the
/// rest in proportion, or, when they have nothing, `joint` keeps it.
WeightRow with_weight(std::span<const JointWeight> row, int joint, double weight,
                      const JointLocks& locks = {});

/// \throws Error when the character has no skin, or not one of its mesh.
void check_skin(const model::Character& character);
/// Other weights on the same palette; a joint that has no entry gets one that takes the mesh at rest where
/// its nearest relative does.
void set_weights(model::Character& character, const WeightTable& table);

void gradient(WeightTable& table, const geometry::Mesh& mesh, std::span<const std::uint32_t> vertices,
              int joint, const Vec3d& from, const Vec3d& to, const JointLocks& locks = {});

void smooth_weights(WeightTable& table, const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                    const SmoothOptions& options = {});
void limit_slopes(WeightTable& table, const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                  double max = 1, int passes = 50);

}  // namespace sinew::rig
