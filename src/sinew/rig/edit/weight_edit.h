// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Effect of a brush, a ramp and smoothing on the rows of a table. The weights of a row keep the sum 1;
/// locked joints keep their weights.

#include "sinew/rig/bind/weight_table.h"
#include "sinew/rig/edit.h"

namespace sinew::rig {

inline bool is_locked(const JointLocks& locks, int joint) {
    return static_cast<std::size_t>(joint) < locks.size() && locks[static_cast<std::size_t>(joint)] != 0;
}

/// The row with `joint` at `weight` (at most 1 minus the locked weights); the other free joints share the
/// rest in proportion, or, when they have no weight, `joint` gets it.
WeightRow with_weight(std::span<const JointWeight> row, int joint, double weight,
                      const JointLocks& locks = {});

/// \throws Error when the character has no skin, or not one of its mesh.
void check_skin(const model::Character& character);
/// Other weights on the same palette; a joint without an entry gets one that maps the mesh at rest as that of
/// its nearest relative does.
void set_weights(model::Character& character, const WeightTable& table);

void gradient(WeightTable& table, const geometry::Mesh& mesh, std::span<const std::uint32_t> vertices,
              int joint, const Vec3d& from, const Vec3d& to, const JointLocks& locks = {});

void smooth_weights(WeightTable& table, const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                    const SmoothOptions& options = {});
void limit_slopes(WeightTable& table, const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                  double max = 1, int passes = 50);

}  // namespace sinew::rig
