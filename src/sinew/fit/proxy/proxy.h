// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Skinning arbitrary deformations with proxy joints (Kavan et al. 2007), as published and better.

#include "sinew/fit/proxy/affine_fit.h"
#include "sinew/fit/proxy/dual_fit.h"
#include "sinew/fit/proxy/proxy_joints.h"

namespace sinew::fit {

struct ProxyOptions {
    int joints = 100;
    PlacementOptions placement;
    HatOptions hats;
    bool rigid = true;  ///< dual quaternions; false: affine joints under linear blending
    DualOptions dual;
    AffineOptions affine;
    bool own_normals = false;  ///< a second set of transformations, of the normals
    int refinements = 0;       ///< rounds of least-squares weights and joints in turn
    /// Pull of every joint towards its pose in the frame before, apart from the motion of the whole: as if it
    /// had this part more of vertices. It steadies joints that the frames leave open; frames are then fitted
    /// one after the other and depend on each other. 0 does without. Dual quaternions: Newton's methods only.
    double temporal_smoothing = 0;
    const FitResult* rig =
        nullptr;  ///< joints and weights that are there already: only transformations are fitted
};

/// Every frame is fitted on its own (unless `temporal_smoothing` says otherwise): any part of them, in any
/// order and on any number of threads, gives the same bits. \throws Error naming a broken frame; Cancelled.
FitResult fit_proxy(const model::MeshSequence& sequence, const ProxyOptions& options,
                    Monitor& monitor = silent());

}  // namespace sinew::fit
