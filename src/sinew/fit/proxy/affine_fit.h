// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Affine joints of a frame under linear blending (Kavan et al. 2007, 4.1): one sparse system that does not
/// depend on the frame, so it is factored once for all of them.

#include <Eigen/Cholesky>
#include <Eigen/SparseCore>

#include "sinew/fit/proxy/joint_rig.h"

namespace sinew::fit {

struct AffineOptions {
    int refinements = 3;
    double pull = 0;  ///< towards the pose that a frame is given, relative to the mean of the diagonal
};

/// Fits frame after frame; calls may come from several threads.
class AffineFitter {
  public:
    AffineFitter(const JointRig& rig, const AffineOptions& options = {});

    /// Matrices that take the rest pose nearest to the goals, with `near` pulled towards that pose.
    BonePose fit(std::span<const Vec3d> goals, const BonePose* near = nullptr) const;
    /// Matrices (without translation) that take the rest normals nearest to the goals' (a second set).
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
