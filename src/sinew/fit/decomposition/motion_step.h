// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Solves the transformations of all bones for given weights under linear blending: affine ones by one linear
/// system, rigid ones by Gauss-Newton steps over all bones of a frame.

#include "sinew/fit/decomposition/target.h"

namespace sinew::fit {

/// The sums over vertices that the motions depend on: |A - T X|^2 = |A|^2 - 2 <T, A X^T> + <T X X^T, T>,
/// where column i of X stacks w_ij [p_i; 1] over the bones j (Kavan, Sloan and O'Sullivan 2010).
struct BlendSums {
    Eigen::MatrixXd moments;  ///< X X^T, 4B x 4B
    Eigen::MatrixXd cross;    ///< A X^T, 3F x 4B
};

BlendSums blend_sums(const Target& target, const BlendWeights& weights, Eigen::Index bones);

/// The least-squares affine motions. A small weight on the current motions keeps what the weights do not
/// determine (flat or unused bones); the error never increases.
void affine_motion_step(const BlendSums& sums, Motions& motions);

/// Improves rigid motions by `iterations` damped Gauss-Newton steps per frame.
void rigid_motion_step(const BlendSums& sums, int iterations, Motions& motions);

}  // namespace sinew::fit
