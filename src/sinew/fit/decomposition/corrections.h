// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Fine detail that bones cannot represent: the residuals, transformed back to the rest pose, as a few shapes
/// with an amount per frame (EigenSkin: Kry, James and Pai 2002; Kavan et al. 2007, section 5).

#include "sinew/fit/fit.h"

namespace sinew::fit {

struct CorrectionReport {
    std::size_t skipped = 0;  ///< positions (vertex and frame) whose blended matrix has no inverse
};

/// The first `count` eigen-displacements of positions: singular vectors of T^-1 g - v over all vertices and
/// frames, in decreasing order. For rigid bones the remaining squared error is exactly the sum of the squared
/// singular values that were dropped. Residuals are computed in blocks and not stored. For affine bones the
/// amounts minimise the error for all `count` shapes together, so using fewer of them requires new amounts.
Corrections eigen_displacements(const FitResult& fit, const model::MeshSequence& sequence, std::size_t count,
                                CorrectionReport* report = nullptr);

/// The least-squares amounts of given shapes in every frame of a sequence: f x F.
Eigen::MatrixXd correction_amounts(const FitResult& fit, const model::MeshSequence& sequence,
                                   const Eigen::MatrixXd& shapes);

/// The same for normals: residuals of unit normals, transformed back by the rotation (or the transpose of the
/// normals' own matrices), added to the rest normals.
Corrections normal_displacements(const FitResult& fit, const model::MeshSequence& sequence,
                                 std::size_t count);

}  // namespace sinew::fit
