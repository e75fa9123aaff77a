// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Smooth skinning decomposition: bones, weights and transformations of a mesh sequence all at once, for
/// plain linear blending (Le and Deng 2012; Kavan, Sloan and O'Sullivan 2010 for affine bones).

#include <functional>

#include "sinew/fit/fit.h"

namespace sinew::fit {

struct DecompositionOptions {
    int bones = 30;
    bool rigid = true;   ///< false: affine bones, which also scale and shear
    int influences = 4;  ///< at most 8
    int sweeps = 0;      ///< of weights and motions in turn, with all bones in place; 0: 12 rigid, 16 affine
    int exchanges = 3;   ///< attempts to move the least useful bones to where the error is largest
    /// Not 0: bones start where the error is large by chance, by another one for each seed, and exchanges go
    /// on after one that failed.
    unsigned seed = 0;
    double tolerance = 2e-4;  ///< a round of sweeps ends when the error falls by less than this part
    double smoothness = 0;    ///< pull of every weight towards the mean of its neighbours; 0 does without
    std::span<const float> locks = {};  ///< with `start`: vertices with 1 keep their weights
    const FitResult* start = nullptr;   ///< goes on from an earlier fit instead of growing bones
    /// Called with every iterate that is better than those before: to keep it, so that work that is stopped
    /// can go on from there as `start`. Fewer bones than asked for are grown then.
    std::function<void(const FitResult&)> on_iterate = {};
};

/// Grows bones from one by splitting where the error is largest, alternates exact weight and motion steps,
/// and exchanges bones that do little. The best iterate is kept. There are always as many bones as asked for,
/// but never more than vertices (`fit-fewer-bones` is warned about).
/// \throws Error for a sequence that is empty or broken, naming the frame; Cancelled.
FitResult fit_decomposition(const model::MeshSequence& sequence, const DecompositionOptions& options,
                            Monitor& monitor = silent());

}  // namespace sinew::fit
