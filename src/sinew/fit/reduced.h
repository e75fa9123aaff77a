#pragma once
/// \file
/// Fast and efficient skinning of animated meshes (Kavan, Sloan and O'Sullivan 2010): affine bones solved in
/// few dimensions. With orthonormal columns U over the frames, |A - U T X|^2 = |A - U U^T A|^2 +
/// |U^T A - T X|^2, so that every step on d rows is a step on all of them.

#include "sinew/fit/target.h"

namespace sinew::fit {

/// The target in the d directions of its frames that hold all but `tolerance` of its squared norm.
struct ReducedTarget {
    Target target;          ///< `goals` is d x N: what `gather` and the steps read
    Eigen::MatrixXd basis;  ///< 3F x d, orthonormal
    double lost = 0;        ///< squared norm of what the basis leaves out
};
ReducedTarget reduced_target(const model::MeshSequence& sequence, double tolerance);

struct ReducedOptions {
    int bones = 30;
    int influences = 4;
    int sweeps = 20;
    double tolerance = 1e-7;  ///< of the squared norm about the frames' centroids; 0 keeps every direction
    const FitResult* start = nullptr;  ///< weights to start from; otherwise even joints with hats
};

/// Affine bones and weights in turn on the reduced target. The error never rises.
FitResult fit_reduced(const model::MeshSequence& sequence, const ReducedOptions& options,
                      Monitor& monitor = silent());

}  // namespace sinew::fit
