// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Weights of all vertices for given joints under dual quaternion blending. The position of a vertex is not
/// linear in its weights, but v(A, E) does not change when (A, E) is scaled: its derivative S satisfies S (A,
/// E) = 0, so that with weights of sum 1 the linearised distance is sum w_i (r + S q_i). This is a
/// least-squares problem on the simplex, as in linear blending.

#include "sinew/fit/fit.h"

namespace sinew::fit {

struct DualWeightOptions {
    int influences = 4;   ///< at most `max_influences`
    int candidates = 12;  ///< nearest joints that a vertex may choose, in addition to its present ones
    int passes = 2;       ///< linearisation passes
    int exchanges = 2;    ///< joints tried in exchange when the support is full
};

/// Solves every vertex independently, starting from its current weights. A vertex changes only when its
/// distance decreases.
void dual_weight_step(const model::MeshSequence& sequence, const DualWeightOptions& options, FitResult& fit);

}  // namespace sinew::fit
