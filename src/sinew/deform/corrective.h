// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Corrections on top of blending, as `Deformer` takes them: what smooths or limits the skin after it was
/// blended, and shapes made by hand that the rest shape follows before it is blended.
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
    /// Smooths every frame and puts back the detail that smoothing takes from the rest pose: coarse weights,
    /// even rigid ones, give soft bends. \cite mancewicz2014
    delta_mush,
    /// The same smoothed once, at set-up, with linear blending inside. Morphs are left out. \cite le2019
    direct_delta_mush,
    /// Bend and twist of a joint blended apart, the distance from the bones kept; dual quaternions where a
    /// vertex has more than a joint and its parent. \cite yang2006
    swing_twist,
    /// Pulls vertices that left their bone back towards their rest distance from it: no bulge of dual
    /// quaternions. \cite kim2014
    limit_bulge,
};

/// \param kind any
/// \return its name: "mush", "direct-mush", "swing-twist", "limit-bulge", "none"
std::string_view name(Corrective kind);

/// How Delta Mush smooths.
struct DeltaMushOptions {
    int iterations = 20;    ///< 0 to 1000
    double strength = 0.5;  ///< how far a vertex goes towards the mean of its neighbours in one pass, 0 .. 1
    /// Passes of (I + strength L)^-1 instead of I - strength L, with L = I - mean of the neighbours: fewer of
    /// them do, of any strength, and every vertex reaches every other. \cite le2019
    bool implicit = false;
};

struct SwingTwistOptions {
    double stretch = 1;  ///< how far the rest distance from the bones is kept, 0 .. 1; of limit_bulge too
    /// Curves over the weight of the child, w^s / (w^s + (1 - w)^s): 1 keeps weights, more is steeper.
    double swing_sharpness = 1;
    double twist_sharpness = 1;
};

struct CorrectiveOptions {
    Corrective kind = Corrective::none;
    DeltaMushOptions smoothing;     ///< of both kinds of Delta Mush
    SwingTwistOptions swing_twist;  ///< of swing_twist, and the stretch of limit_bulge
};

/// How scattered examples are blended.
enum class BasisKind {
    gaussian,  ///< Gaussians as wide as examples are apart \cite lewis2000
    linear,    ///< a linear part by least squares, and cubic B-splines for the rest \cite sloan2001
};

/// For each of some examples a scalar function of the position in their space that is 1 at its own example
/// and 0 at all others. What is blended needs no solve of its own. \cite sloan2001
class CardinalBasis {
  public:
    /// \param examples a row for the position of each
    /// \param kind how they are blended
    /// \throws Error when there is none, or two have the same position
    explicit CardinalBasis(Eigen::MatrixXd examples, BasisKind kind = BasisKind::gaussian);

    std::size_t size() const { return static_cast<std::size_t>(examples_.rows()); }
    /// \param position in the space of the examples
    /// \return the value of each example's function there
    /// \throws Error when it has another dimension
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

/// A shape made for a pose (pose space deformation \cite lewis2000).
struct PoseExample {
    std::vector<math::Transform> pose;       ///< local transforms of all joints
    std::vector<math::Vec3d> displacements;  ///< of all vertices, from the rest shape, in its space
};

}  // namespace sinew::deform
