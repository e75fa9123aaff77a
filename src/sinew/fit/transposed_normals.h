#pragma once
/// \file
/// Normals whose matrices act by their inverse transpose (N3).

#include "sinew/fit/dual_system.h"

namespace sinew::fit {

/// Matrices C of the joints with (sum w C)^-T n along the goal h: as (sum w C)^T h = n this is linear, three
/// unknown columns a joint, solved for all of them with one factor. `rig` is a `normal_rig`. A little damping
/// towards the common rotation settles what parallel normals leave open.
BonePose fit_transposed_normals(const JointRig& rig, const DualSystem& system, std::span<const Vec3d> goals);

/// sum |u / |u| - h|^2 with u = (sum w C)^-T n: what is seen, and not linear in C.
double transposed_normal_cost(const JointRig& rig, std::span<const Vec3d> goals, const BonePose& pose);

/// Residual u / |u| - h of one vertex and its slope by the nine entries of the blend, column by column.
struct TransposedRows {
    Vec3d residual = Vec3d::Zero();
    Eigen::Matrix<double, 3, 9> slope = Eigen::Matrix<double, 3, 9>::Zero();
};
TransposedRows transposed_rows(const math::Mat3d& blend, const Vec3d& normal, const Vec3d& goal);

/// Lowers that cost by damped Gauss-Newton steps from the matrices that are there; it never rises.
void refine_transposed_normals(const JointRig& rig, const DualSystem& system, std::span<const Vec3d> goals,
                               int iterations, BonePose& pose);

}  // namespace sinew::fit
