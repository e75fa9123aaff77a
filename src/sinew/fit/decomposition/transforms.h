// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Transformations for given bones and weights: a rig keeps its weights and follows other frames.

#include "sinew/fit/fit.h"

namespace sinew::fit {

struct TransformOptions {
    int iterations = 12;  ///< iterations for rigid bones under linear blending; other fits are direct or have
                          ///< their own stopping criterion
    const std::vector<BonePose>* start = nullptr;  ///< initial poses, one per frame
};

/// Poses of the bones of `rig` for every frame of a sequence with its vertices: under linear blending rigid
/// or affine, under dual quaternions rigid. Frames do not depend on each other, so that a long
/// sequence can be fitted piece by piece with the same result. \throws Error when the vertex counts differ.
std::vector<BonePose> fit_transforms(const model::MeshSequence& sequence, const FitResult& rig,
                                     const TransformOptions& options = {}, Monitor& monitor = silent());

}  // namespace sinew::fit
