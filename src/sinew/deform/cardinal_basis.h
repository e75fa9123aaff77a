#pragma once
/// \file
/// Blending of scattered examples: for each a scalar function of the place in their space that is 1 at its
/// own example and 0 at all others. What is blended needs no solve of its own.

#include <vector>

#include "sinew/math/types.h"

namespace sinew::deform {

enum class BasisKind {
    gaussian,  ///< Gaussians as wide as examples are apart (pose space deformation, Lewis et al. 2000)
    linear,    ///< a linear part by least squares, and cubic B-splines for the rest (Sloan et al. 2001)
};

class CardinalBasis {
  public:
    /// A row of `examples` is the place of one. Places must differ.
    /// \throws Error when there is none, or two have the same place.
    explicit CardinalBasis(Eigen::MatrixXd examples, BasisKind kind = BasisKind::gaussian);

    std::size_t size() const { return static_cast<std::size_t>(examples_.rows()); }
    /// The value of each example's function at a place. \throws Error when it has another dimension.
    Eigen::VectorXd weights(const Eigen::VectorXd& place) const;

  private:
    Eigen::VectorXd kernels(const Eigen::VectorXd& place) const;
    Eigen::VectorXd with_one(const Eigen::VectorXd& place) const;

    BasisKind kind_;
    Eigen::MatrixXd examples_;
    Eigen::VectorXd widths_;  ///< of the kernel at each example
    Eigen::MatrixXd linear_;  ///< by example, over (1, place); empty for Gaussians
    Eigen::MatrixXd radial_;  ///< by example, over the kernels
};

}  // namespace sinew::deform
