// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Convex weights of one vertex: least squares on the simplex, and the choice of a few bones out of many.

#include <array>
#include <vector>

#include <Eigen/Core>

#include "sinew/fit/fit.h"

namespace sinew::fit {

/// Largest number of influences that a vertex may have while it is solved.
inline constexpr int max_influences = 8;

/// Weights of a few bones and the squared distance that they leave.
struct Support {
    int count = 0;
    std::array<int, max_influences + 1> bones{};
    std::array<double, max_influences + 1> weights{};
    double error = 0;
};

/// Minimises w^T G w over w >= 0, sum w = 1, for the bones of `support` only, by an active set; G(j, l) =
/// <a_j - g, a_l - g> over all frames, a_j where bone j alone takes the vertex and g where it should be.
/// Bones that end without weight leave the support. The weights it comes with, when they are convex, are the
/// start.
void solve_on_simplex(const Eigen::Ref<const Eigen::MatrixXd>& gram, Support& support);

/// Improves a support of at most `limit` bones: adds the bone of the steepest descent, or exchanges it with
/// one that is there, for as long as that lowers the error. Never worse than what it starts from. Without
/// exchanges the bones stay as they are.
void improve_support(const Eigen::Ref<const Eigen::MatrixXd>& gram, int limit, Support& support,
                     int exchanges = 4);

/// The best single bone.
Support best_single(const Eigen::Ref<const Eigen::MatrixXd>& gram);

}  // namespace sinew::fit
