// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Solves the weights of all vertices for given transformations: least squares on the simplex with few
/// influences.

#include "sinew/fit/decomposition/target.h"
#include "sinew/geometry/topology.h"

namespace sinew::fit {

struct WeightStepOptions {
    int influences = 4;  ///< at most `max_influences`
    int exchanges = 2;   ///< bones tried in exchange when the support is full; 0 keeps the bones
    /// Weight of a term that pulls towards the weights of `prior` (in squared units of the target); 0
    /// disables it.
    double pull = 0;
    const BlendWeights* prior = nullptr;
    /// per vertex: 1 keeps its weights, 0 solves them; empty solves all
    std::span<const float> locks = {};
};

/// Solves every vertex independently, starting from its current weights (or from the best single bone), and
/// returns the remaining squared distances. Linear blending.
std::vector<double> weight_step(const Target& target, const Motions& motions,
                                const WeightStepOptions& options, BlendWeights& weights);

/// The sums over the frames of a target that the step needs; sums of different frames can be added.
WeightSums weight_sums(const Target& target, const Motions& motions);
/// The same step from sums.
/// \param rest of the target.
void weight_step(const WeightSums& sums, const Eigen::Matrix4Xd& rest, const WeightStepOptions& options,
                 BlendWeights& weights);

/// For every vertex the mean of its own weights and its neighbours': the target of smoothing.
BlendWeights neighbor_mean(const geometry::Rows& neighbors, const BlendWeights& weights);

/// Increase of the squared error of the whole sequence if a bone were removed and the other bones of its
/// vertices (or the next best bone) replaced it; per bone.
std::vector<double> removal_costs(const Target& target, const Motions& motions, const BlendWeights& weights);

}  // namespace sinew::fit
