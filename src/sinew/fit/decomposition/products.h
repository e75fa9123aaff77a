// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The two products that take most of the time of a sweep of a decomposition, with the vectors of the
/// processor. The order of each sum does not depend on the vector length, so results are identical to the
/// bit.

#include <Eigen/Core>

#include "sinew/fit/fit.h"

namespace sinew::fit {

/// Rows of a matrix beside each other, filled up with zeros to whole vectors.
class PaddedRows {
  public:
    explicit PaddedRows(const Eigen::MatrixXd& matrix);
    Eigen::Index columns() const { return columns_; }
    /// \param right with as many rows as the matrix.
    /// \param result matrix^T * right.
    void transposed_times(const Eigen::MatrixXd& right, Eigen::MatrixXd& result) const;

  private:
    Eigen::Index columns_;
    Eigen::MatrixXd rows_;  ///< a column for each row of the matrix
};

/// Adds A X^T for one vertex: to the four columns of each of its bones `goals` times weight and rest
/// position.
/// \param cross column-major, as many rows as there are goals.
void add_cross(std::span<const BoneWeight> weights, const math::Vec4d& rest, std::span<const double> goals,
               Eigen::MatrixXd& cross);

}  // namespace sinew::fit
