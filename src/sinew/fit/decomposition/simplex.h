// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Convex weights of one vertex: least squares on the simplex, and selection of a few bones out of many.

#include <array>
#include <vector>

#include <Eigen/Core>

#include "sinew/fit/fit.h"

namespace sinew::fit {

/// Largest number of influences per vertex during solving.
inline constexpr int max_influences = 8;

/// Weights of a few bones, and their squared distance from the goal.
struct Support {
    int count = 0;
    std::array<int, max_influences + 1> bones{};
    std::array<double, max_influences + 1> weights{};
    double error = 0;
};

/// Minimises w^T G w over w >= 0, sum w = 1, for the bones of `support` only, by an active-set method. G(j,
/// l) = <a_j - g, a_l - g> over all frames, where a_j is the vertex moved by bone j alone and g its goal.
/// Bones with zero weight are removed from the support. Convex input weights are used as the start.
void solve_on_simplex(const Eigen::Ref<const Eigen::MatrixXd>& gram, Support& support);

/// Improves a support of at most `limit` bones: adds the bone of steepest descent, or exchanges it with a
/// present one, while the error decreases. The result is never worse than the input. Without exchanges the
/// bones do not change.
void improve_support(const Eigen::Ref<const Eigen::MatrixXd>& gram, int limit, Support& support,
                     int exchanges = 4);

/// The best single bone.
Support best_single(const Eigen::Ref<const Eigen::MatrixXd>& gram);

}  // namespace sinew::fit
