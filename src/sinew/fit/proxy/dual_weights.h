// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The weights of all vertices for given joints under dual-quaternion blending. The position of a vertex is
/// not linear in its weights, but v(A, E) does not change when (A, E) is scaled: its slope S has S (A, E) =
/// 0, so that with weights of sum 1 the linearised distance is sum w_i (r + S q_i), a least-squares problem
/// on the simplex like that of linear blending.

#include "sinew/fit/fit.h"

namespace sinew::fit {

struct DualWeightOptions {
    int influences = 4;   ///< at most `max_influences`
    int candidates = 12;  ///< nearest joints that a vertex may choose from, besides those it has
    int passes = 2;       ///< of linearising
    int exchanges = 2;    ///< joints tried against those of a full support
};

/// Solves every vertex on its own, from the weights it has. A vertex changes only when its distance falls.
void dual_weight_step(const model::MeshSequence& sequence, const DualWeightOptions& options, FitResult& fit);

}  // namespace sinew::fit
