// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The weights of all vertices for given transformations: least squares on the simplex with few influences.

#include "sinew/fit/decomposition/target.h"
#include "sinew/geometry/topology.h"

namespace sinew::fit {

struct WeightStepOptions {
    int influences = 4;  ///< at most `max_influences`
    int exchanges = 2;   ///< bones tried against those of a full support; 0 keeps the bones as they are
    /// Vertices pull towards the weights of `prior` with this strength (in squared units of the target);
    /// 0 does without.
    double pull = 0;
    const BlendWeights* prior = nullptr;
    /// 1 keeps the weights of a vertex as they are, 0 frees them; empty frees all.
    std::span<const float> locks = {};
};

/// Solves every vertex on its own, from the weights it has (or none: the best single bone), and gives the
/// squared distance that each keeps. Linear blending.
std::vector<double> weight_step(const Target& target, const Motions& motions,
                                const WeightStepOptions& options, BlendWeights& weights);

/// What the step needs of the frames of a target, to be added to that of other frames.
WeightSums weight_sums(const Target& target, const Motions& motions);
/// The same step from sums.
/// \param rest of the target.
void weight_step(const WeightSums& sums, const Eigen::Matrix4Xd& rest, const WeightStepOptions& options,
                 BlendWeights& weights);

/// For every vertex the mean of its neighbours' weights and its own: what smooth weights pull towards.
BlendWeights neighbor_mean(const geometry::Rows& neighbors, const BlendWeights& weights);

/// What the squared error of the whole sequence would grow by without each bone, when the other bones of its
/// vertices (or the next best one) take over.
std::vector<double> removal_costs(const Target& target, const Motions& motions, const BlendWeights& weights);

}  // namespace sinew::fit
