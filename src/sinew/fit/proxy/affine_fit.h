// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Affine joints of a frame under linear blending (Kavan et al. 2007, 4.1): one sparse system independent of
/// the frame, which is factored once for all frames.

#include <Eigen/Cholesky>
#include <Eigen/SparseCore>

#include "sinew/fit/proxy/joint_rig.h"

namespace sinew::fit {

struct AffineOptions {
    int refinements = 3;
    double pull =
        0;  ///< weight of a term that pulls towards a given pose, relative to the mean of the diagonal
};

/// Fits single frames; thread-safe.
class AffineFitter {
  public:
    AffineFitter(const JointRig& rig, const AffineOptions& options = {});

    /// Matrices that best map the rest pose to the goals, with `near` as an optional pose to pull towards.
    BonePose fit(std::span<const Vec3d> goals, const BonePose* near = nullptr) const;
    /// Matrices (without translation) that best map the rest normals to the goals (a second set).
    BonePose fit_normals(std::span<const Vec3d> goals) const;

  private:
    using Sparse = Eigen::SparseMatrix<double, Eigen::RowMajor>;
    struct System {
        Sparse rows;      ///< w [(v - c) / reach, 1] for each joint of a vertex
        double mean = 0;  ///< of the diagonal of the normal equations
        Eigen::LLT<Eigen::MatrixXd> factor, pulled;
    };
    System make_system(int columns) const;
    Eigen::MatrixXd solve(const System& system, const Eigen::MatrixXd& goals,
                          const Eigen::MatrixXd& start) const;
    Eigen::MatrixXd solve_near(const System& system, const Eigen::MatrixXd& goals,
                               const Eigen::MatrixXd& start) const;
    Eigen::MatrixXd numbers_of(const BonePose& pose, const Mat34d& motion) const;

    const JointRig& rig_;
    AffineOptions options_;
    System positions_, normals_;
};

}  // namespace sinew::fit
