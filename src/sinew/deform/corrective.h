// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Corrections of the blended skin for `Deformer`: smoothing or limiting after blending, and sculpted shapes
/// that are added to the rest shape before blending.
///
/// \code
/// DeformerOptions options;
/// options.corrective.kind = Corrective::delta_mush;
/// options.corrective.smoothing.iterations = 30;
/// Deformer deformer(character, options);
/// \endcode

#include <string_view>
#include <vector>

#include "sinew/math/transform.h"

namespace sinew::deform {

enum class Corrective {
    none,
    /// Delta Mush: smooths the skin in every frame and restores the detail that smoothing removes from the
    /// rest pose. Even coarse or rigid weights give smooth bends. \cite mancewicz2014
    delta_mush,
    /// Direct Delta Mush: the smoothing is precomputed for linear blending. Morphs are ignored. \cite le2019
    direct_delta_mush,
    /// Blends bend and twist of a joint separately and keeps the distance from the bones. Vertices influenced
    /// by more than a joint and its parent use dual quaternions. \cite yang2006
    swing_twist,
    /// Moves vertices that bulge outwards back towards their rest distance from the bone; reduces the bulge
    /// of dual quaternions. \cite kim2014
    limit_bulge,
};

/// \param kind a correction
/// \return its name: "mush", "direct-mush", "swing-twist", "limit-bulge", "none"
std::string_view name(Corrective kind);

/// Smoothing of both kinds of Delta Mush.
struct DeltaMushOptions {
    int iterations = 20;    ///< number of passes, 0 to 1000
    double strength = 0.5;  ///< how far a vertex moves towards the mean of its neighbours in one pass, 0 to 1
    /// Use implicit passes, (I + strength L)^-1 instead of I - strength L with L = I - mean of the
    /// neighbours. Fewer passes suffice, any strength is stable, and every vertex influences every other.
    /// \cite le2019
    bool implicit = false;
};

struct SwingTwistOptions {
    double stretch =
        1;  ///< how strongly the rest distance from the bones is kept, 0 to 1; also used by limit_bulge
    /// Sharpness s of the curve over the weight w of the child joint, w^s / (w^s + (1 - w)^s): 1 keeps the
    /// weights, larger values give steeper transitions.
    double swing_sharpness = 1;
    double twist_sharpness = 1;
};

struct CorrectiveOptions {
    Corrective kind = Corrective::none;
    DeltaMushOptions smoothing;     ///< for both kinds of Delta Mush
    SwingTwistOptions swing_twist;  ///< for swing_twist; limit_bulge uses its stretch
};

/// How scattered examples are interpolated.
enum class BasisKind {
    gaussian,  ///< Gaussians as wide as the distances between examples \cite lewis2000
    linear,    ///< a linear part by least squares and cubic B-splines for the residual \cite sloan2001
};

/// Cardinal basis of scattered data interpolation: for each example a scalar function that is 1 at its own
/// position and 0 at all others. Interpolating values needs no further system to be solved. \cite sloan2001
class CardinalBasis {
  public:
    /// \param examples one row per example: its position
    /// \param kind interpolation method
    /// \throws Error when there are no examples, or two have the same position
    explicit CardinalBasis(Eigen::MatrixXd examples, BasisKind kind = BasisKind::gaussian);

    std::size_t size() const { return static_cast<std::size_t>(examples_.rows()); }
    /// \param position in the space of the examples
    /// \return the value of each example's function there
    /// \throws Error when the dimension differs
    Eigen::VectorXd weights(const Eigen::VectorXd& position) const;

  private:
    Eigen::VectorXd kernels(const Eigen::VectorXd& position) const;
    Eigen::VectorXd with_one(const Eigen::VectorXd& position) const;

    BasisKind kind_;
    Eigen::MatrixXd examples_;
    Eigen::VectorXd widths_;  ///< of the kernel at each example
    Eigen::MatrixXd linear_;  ///< by example, over (1, position); empty for Gaussians
    Eigen::MatrixXd radial_;  ///< by example, over the kernels
};

/// A sculpted shape for one pose (pose space deformation \cite lewis2000).
struct PoseExample {
    std::vector<math::Transform> pose;       ///< local transforms of all joints
    std::vector<math::Vec3d> displacements;  ///< of all vertices, relative to the rest shape, in rest space
};

}  // namespace sinew::deform
