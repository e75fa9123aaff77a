// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Skinning arbitrary deformations with proxy joints (Kavan et al. 2007), as published and with improvements.

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
    bool own_normals = false;  ///< a second set of transformations for normals
    int refinements = 0;       ///< alternations of least-squares weights and joints
    /// Weight of a term that pulls every joint towards its pose in the previous frame, relative to the motion
    /// of the whole mesh, as a fraction of its vertices. It stabilises joints that the frames leave
    /// undetermined; frames are then fitted in sequence and depend on each other. 0 disables it. For dual
    /// quaternions with Newton's methods only.
    double temporal_smoothing = 0;
    const FitResult* rig = nullptr;  ///< given joints and weights; only transformations are fitted
};

/// Fits a sequence. Every frame is fitted independently (except with `temporal_smoothing`): any subset, order
/// and number of threads gives the same bits. \throws Error naming an invalid frame \throws Cancelled when
/// the monitor cancels
FitResult fit_proxy(const model::MeshSequence& sequence, const ProxyOptions& options,
                    Monitor& monitor = silent());

}  // namespace sinew::fit
