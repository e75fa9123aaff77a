// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Smooth skinning decomposition: solves bones, weights and transformations of a mesh sequence together, for
/// linear blending (Le and Deng 2012; Kavan, Sloan and O'Sullivan 2010 for affine bones).

#include <functional>

#include "sinew/fit/fit.h"

namespace sinew::fit {

struct DecompositionOptions {
    int bones = 30;
    bool rigid = true;   ///< false: affine bones, with scale and shear
    int influences = 4;  ///< at most 8
    int sweeps = 0;  ///< alternations of weight and motion steps with all bones in place; 0: 12 for rigid, 16
                     ///< for affine bones
    int exchanges = 3;  ///< attempts to move the least useful bones to the largest error
    /// Not 0: start positions of bones are drawn at random in proportion to the error, different for each
    /// seed, and exchanges continue after a failed one.
    unsigned seed = 0;
    double tolerance = 2e-4;  ///< sweeps stop when the relative decrease of the error is below this
    double smoothness =
        0;  ///< weight of a term that pulls weights towards the mean of the neighbours; 0 disables it
    std::span<const float> locks = {};  ///< with `start`: vertices with 1 keep their weights
    const FitResult* start = nullptr;   ///< continues from an earlier fit instead of growing bones
    /// Called with every iterate that is better than all before, so that stopped work can continue from it as
    /// `start`; fewer bones than requested are then grown.
    std::function<void(const FitResult&)> on_iterate = {};
};

/// Grows bones from one by splitting at the largest error, alternates exact weight and motion steps, and
/// exchanges bones with little effect. The best iterate is returned. The number of bones is as requested,
/// limited by the number of vertices (warning `fit-fewer-bones`).
/// \throws Error naming the frame for an empty or invalid sequence
/// \throws Cancelled when the monitor cancels
FitResult fit_decomposition(const model::MeshSequence& sequence, const DecompositionOptions& options,
                            Monitor& monitor = silent());

}  // namespace sinew::fit
