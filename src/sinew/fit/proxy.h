#pragma once
/// \file
/// Skinning arbitrary deformations with proxy joints (Kavan et al. 2007), as published and better.

#include "sinew/fit/affine_fit.h"
#include "sinew/fit/dual_fit.h"
#include "sinew/fit/proxy_joints.h"

namespace sinew::fit {

struct ProxyOptions {
    int joints = 100;
    PlacementOptions placement;
    HatOptions hats;
    bool rigid = true;  ///< dual quaternions; false: affine joints under linear blending
    DualOptions dual;
    AffineOptions affine;
    bool normals = false;    ///< a second set of transformations for normals (N2)
    int refinements = 0;     ///< rounds of least-squares weights and joints in turn
    bool move_rest = false;  ///< a round also moves the rest pose to where it fits all frames best
    const FitResult* rig =
        nullptr;  ///< joints and weights that are there already: only transformations are fitted
};

/// Every frame is fitted on its own: any part of them, in any order and on any number of threads, gives the
/// same bits. \throws Error naming a broken frame; Cancelled.
FitResult fit_proxy(const model::MeshSequence& sequence, const ProxyOptions& options,
                    Monitor& monitor = silent());

}  // namespace sinew::fit
