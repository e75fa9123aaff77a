#pragma once
/// \file
/// Skinning arbitrary deformations with proxy joints (Kavan et al. 2007), as published and better.

#include "sinew/fit/affine_fit.h"
#include "sinew/fit/dual_fit.h"
#include "sinew/fit/proxy_joints.h"

namespace sinew::fit {

/// The six ways to normals.
enum class NormalScheme {
    joint,        ///< N1: one set fitted to positions and normals together, by twins along the normals
    separate,     ///< N2: a second set, as published
    transposed,   ///< N3: a second set of matrices whose inverse transpose acts, fitted to the unit normals
                  ///< that it gives; affine joints only
    quaternions,  ///< N4: matrices for positions, quaternions for normals; affine joints only
    shared,       ///< N5: what moves the positions
    recomputed,   ///< N6: from the deformed triangles
};

struct ProxyOptions {
    int joints = 100;
    PlacementOptions placement;
    HatOptions hats;
    bool rigid = true;  ///< dual quaternions; false: affine joints under linear blending
    DualOptions dual;
    AffineOptions affine;
    NormalScheme normals = NormalScheme::shared;
    int normal_iterations = 12;  ///< of N3 behind its linear fit; 0 keeps that
    /// Every vertex gets a twin this far (in radii of the joints) along its normal, so that flat cloth has a
    /// thickness; 0 does without.
    double thickness = 0;
    int refinements = 0;     ///< rounds of least-squares weights and joints in turn
    bool move_rest = false;  ///< a round also moves the rest pose to where it fits all frames best
    /// Pull of every joint towards its pose in the frame before, apart from the motion of the whole: as if it
    /// had this part more of vertices. It steadies joints that the frames leave open; frames are then fitted
    /// one after the other and depend on each other. 0 does without. Dual quaternions: Newton's methods only.
    double steadiness = 0;
    const FitResult* rig =
        nullptr;  ///< joints and weights that are there already: only transformations are fitted
};

/// Every frame is fitted on its own (unless `steadiness` says otherwise): any part of them, in any order and
/// on any number of threads, gives the same bits. \throws Error naming a broken frame; Cancelled.
FitResult fit_proxy(const model::MeshSequence& sequence, const ProxyOptions& options,
                    Monitor& monitor = silent());

}  // namespace sinew::fit
