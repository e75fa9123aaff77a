// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The transformations of all bones for given weights, under linear blending: affine in one linear solve,
/// rigid by Gauss-Newton over all bones of a frame at once.

#include "sinew/fit/decomposition/target.h"

namespace sinew::fit {

/// The sums over vertices that the motions depend on: |A - T X|^2 = |A|^2 - 2 <T, A X^T> + <T X X^T, T>,
/// where column i of X stacks w_ij [p_i; 1] over the bones j (Kavan, Sloan and O'Sullivan 2010).
struct BlendSums {
    Eigen::MatrixXd moments;  ///< X X^T, 4B x 4B
    Eigen::MatrixXd cross;    ///< A X^T, 3F x 4B
};

BlendSums blend_sums(const Target& target, const BlendWeights& weights, Eigen::Index bones);

/// The affine motions of least error. A little pull towards the motions that are there keeps what the weights
/// leave open (flat or unused bones) where it is; the error never rises.
void affine_motion_step(const BlendSums& sums, Motions& motions);

/// Lowers the error of rigid motions by `iterations` damped Gauss-Newton steps for each frame.
void rigid_motion_step(const BlendSums& sums, int iterations, Motions& motions);

}  // namespace sinew::fit
