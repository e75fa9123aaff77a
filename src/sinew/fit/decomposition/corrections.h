// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Fine detail that bones smooth away: the residuals, taken back to the rest pose, as a few shapes with an
/// amount for each frame (EigenSkin: Kry, James and Pai 2002; Kavan et al. 2007, section 5).

#include "sinew/fit/fit.h"

namespace sinew::fit {

struct CorrectionReport {
    std::size_t skipped = 0;  ///< positions (vertex and frame) whose blended matrix has no inverse
};

/// The first `count` eigen-displacements of positions: singular vectors of T^-1 g - v over all vertices and
/// frames, largest first. For rigid bones what is left is exactly the sum of the squared singular values that
/// were not kept. Residuals are made block by block and never stored. For affine bones the amounts are those
/// of least error for all `count` shapes together, so playing fewer of them needs amounts of their own.
Corrections eigen_displacements(const FitResult& fit, const model::MeshSequence& sequence, std::size_t count,
                                CorrectionReport* report = nullptr);

/// The amounts of given shapes with the least distance in every frame of a sequence: f x F.
Eigen::MatrixXd correction_amounts(const FitResult& fit, const model::MeshSequence& sequence,
                                   const Eigen::MatrixXd& shapes);

/// The same for normals: residuals of unit normals taken back by the rotation (or the transpose of the
/// normals' own matrices), on the rest normals.
Corrections normal_displacements(const FitResult& fit, const model::MeshSequence& sequence,
                                 std::size_t count);

}  // namespace sinew::fit
