#pragma once
/// \file
/// Direct Delta Mush (Le and Lewis 2019): what Delta Mush does, smoothed once at set-up instead of in every
/// frame. A frame costs a few matrices and one polar factor a vertex, and no vertex asks its neighbours.

#include "sinew/deform/mesh_smoother.h"
#include "sinew/model/skin.h"

namespace sinew::deform {

/// Set up once from the rest mesh and its weights, then any number of poses. This is the exact variant (v0).
///
/// With B the smoothing, w the weights and p_k = sum_l B_kl v_l the smoothed vertex, a vertex k keeps for
/// every joint j that reaches it Omega_kj = sum_l B_kl w_lj [[u u^T, u], [u^T, 1]] with u = v_l - p_k. About
/// p_k the sum over the joints C_j of C_j Omega_kj is [[Q, q], [0, 1]], and v' = R (v - p_k) + q with R the
/// rotation nearest to Q.
class DirectDeltaMush {
  public:
    /// Vertices at the same place move as one, by the weights of the first.
    /// \throws Error when an option is out of range or mesh and skin do not fit.
    DirectDeltaMush(const geometry::Mesh& rest, const model::Skin& skin,
                    const DeltaMushOptions& options = {});

    /// Positions in the pose of a palette. \throws Error when it is not as long as the skin's.
    std::vector<math::Vec3f> apply(std::span<const math::Mat4d> palette) const;

    /// Joints that move the mean vertex: smoothing spreads them.
    double mean_influences() const;
    /// Bytes held for playing.
    std::size_t memory() const;

  private:
    /// Omega of a vertex and a joint: its moments about the smoothed vertex.
    struct Moments {
        std::uint32_t joint = 0;
        float weight = 0;
        math::Vec3f first = math::Vec3f::Zero();
        Eigen::Matrix<float, 6, 1> second = Eigen::Matrix<float, 6, 1>::Zero();  ///< xx xy xz yy yz zz
    };

    /// The heaviest first, and weight and first moments as they are in sum: 1 and 0.
    static void finish(std::span<Moments> list);
    /// `rotations` are those nearest to the palette.
    math::Vec3d moved(std::uint32_t vertex, std::span<const math::Mat4d> palette,
                      std::span<const math::Mat3d> rotations) const;

    std::size_t joints_ = 0;
    std::vector<std::uint32_t> twin_;
    std::vector<math::Vec3f> details_;   ///< v - p
    std::vector<math::Vec3d> smoothed_;  ///< p
    std::vector<std::uint32_t> offsets_{0};
    std::vector<Moments> moments_;  ///< of vertex v from offsets_[v] to offsets_[v + 1]
};

}  // namespace sinew::deform
