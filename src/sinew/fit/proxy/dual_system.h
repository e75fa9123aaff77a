// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Normal equations of dual quaternion joints. Every fit of rigid joints is a Gauss-Newton step on rows that
/// are linear in the blended dual quaternion A + e E of a vertex; fits differ only in these rows and in the
/// allowed directions of the joints.

#include "sinew/fit/proxy/block_cholesky.h"
#include "sinew/fit/proxy/joint_rig.h"

namespace sinew::fit {

/// The rows of one vertex: residual and its derivative with respect to the eight numbers (A, E), each x y z
/// w.
struct DualRows {
    Eigen::Matrix<double, 4, 1> residual = Eigen::Matrix<double, 4, 1>::Zero();
    Eigen::Matrix<double, 4, 8> slope = Eigen::Matrix<double, 4, 8>::Zero();
};

/// The minimised quantity.
enum class DualRowKind {
    quaternion,  ///< g A - A v - 2 E, four rows
    scaled,      ///< the four rows divided by |A|
    geometric,   ///< v_def - g itself
};

DualRows dual_rows(DualRowKind kind, const math::DualQuatd& blend, const Vec3d& rest, const Vec3d& goal);

/// Columns are the directions in which the eight numbers of a joint may change.
using JointBasis = Eigen::Matrix<double, 8, Eigen::Dynamic, 0, 8, 8>;

/// Matrices of left and right products: (q p) = left(q) p, (p q) = right(q) p in x y z w.
Eigen::Matrix4d left_product(const math::Quatd& q);
Eigen::Matrix4d right_product(const math::Quatd& q);

/// The pairs of joints that share a vertex, computed once per rig.
class DualSystem {
  public:
    explicit DualSystem(const JointRig& rig);

    /// Sums over the rows of all vertices in one pose.
    struct Sums {
        std::vector<Eigen::Matrix<double, 8, 8>> blocks;  ///< one for each pair
        Eigen::VectorXd gradient;                         ///< 8 for each joint
        double cost = 0;                                  ///< sum of squared residuals
    };
    Sums sums(DualRowKind kind, const BonePose& pose, std::span<const Vec3d> goals) const;
    double cost(DualRowKind kind, const BonePose& pose, std::span<const Vec3d> goals) const;

    /// The step in the directions of the bases (all with the same number of columns). `relative` damping is
    /// relative to each diagonal entry, `absolute` to their mean. Empty when the matrix is not positive
    /// definite.
    Eigen::VectorXd step(const Sums& sums, std::span<const JointBasis> bases, double relative,
                         double absolute) const;
    const std::vector<BlockPattern::Pair>& pairs() const { return pairs_; }
    const BlockPattern& pattern() const { return pattern_; }
    std::size_t pair(std::size_t a, std::size_t b) const { return index_[a * rig_.joint_count() + b]; }
    /// The joints that share a vertex with one.
    const std::vector<std::vector<std::uint32_t>>& neighbors() const { return neighbors_; }

  private:
    template <int N>
    Eigen::VectorXd step_of(const Sums& sums, std::span<const JointBasis> bases, double relative,
                            double absolute) const;

    const JointRig& rig_;
    std::vector<std::uint32_t> index_;  ///< of the pair (a, b), a >= b
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;
    std::vector<std::vector<std::uint32_t>> neighbors_;
    BlockPattern pattern_;
};

}  // namespace sinew::fit
