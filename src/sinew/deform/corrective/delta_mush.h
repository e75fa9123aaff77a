// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Delta Mush (Mancewicz et al. 2014) smooths the skinned surface and restores the detail that smoothing
/// removes from the rest pose. Direct Delta Mush (Le and Lewis 2019) smooths once at set-up: a frame then
/// costs a few matrices and one polar decomposition per vertex, and vertices do not depend on their
/// neighbours.

#include <memory>
#include <span>
#include <vector>

#include "sinew/deform/corrective.h"
#include "sinew/geometry/topology.h"
#include "sinew/model/skin.h"

namespace sinew::deform {

/// One row of values per vertex.
using VertexField = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The smoothing operator B of a mesh. Vertices at the same position are one: the first represents all, the
/// others have no neighbours and do not change.
class MeshSmoother {
  public:
    /// \throws Error when an option is out of range.
    MeshSmoother(const geometry::Mesh& rest, const DeltaMushOptions& options);

    /// Applies B to the values. With `rows` only those are smoothed, which is exact when `reach` gave them
    /// for all non-zero rows.
    void smooth(VertexField& values) const;
    void smooth(VertexField& values, std::span<const std::uint32_t> rows) const;

    /// The vertices that values of `from` spread to, in increasing order.
    std::vector<std::uint32_t> reach(std::span<const std::uint32_t> from) const;

    std::size_t vertex_count() const { return twin_.size(); }
    const DeltaMushOptions& options() const { return options_; }
    /// The vertex that represents all vertices at the position of v.
    std::uint32_t twin(std::size_t v) const { return twin_[v]; }
    const geometry::Rows& neighbors() const { return neighbors_; }
    const std::vector<geometry::Triangle>& triangles() const { return triangles_; }

  private:
    struct Solver;

    DeltaMushOptions options_;
    std::vector<std::uint32_t> twin_;
    std::vector<geometry::Triangle> triangles_;
    geometry::Rows neighbors_;
    std::shared_ptr<const Solver> solver_;  ///< of implicit passes
};

/// Rows of positions.
VertexField field_of(std::span<const math::Vec3f> points);

/// Delta Mush, set up once from the rest mesh for any number of poses.
class DeltaMush {
  public:
    /// Vertices at the same position move together, so that seams stay closed.
    /// \throws Error when an option is out of range
    explicit DeltaMush(const geometry::Mesh& rest, const DeltaMushOptions& options = {});

    /// Smooths the posed positions and restores the detail of the rest pose. A rigid motion of the rest pose
    /// is reproduced exactly.
    /// \throws Error when the number of positions differs from that of the rest mesh
    std::vector<math::Vec3f> apply(std::span<const math::Vec3f> posed) const;

  private:
    /// Frame of every vertex on a smoothed surface: its normal and the direction to its first neighbour.
    std::vector<math::Mat3d> frames(const VertexField& points) const;

    MeshSmoother smoother_;
    std::vector<math::Vec3d> offsets_;  ///< from the smoothed rest pose, in its frames
};

/// Direct Delta Mush, set up once from the rest mesh and its weights for any number of poses; the exact
/// variant (v0).
///
/// With B the smoothing, w the weights and p_k = sum_l B_kl v_l the smoothed vertex, a vertex k stores for
/// every joint j with influence on it Omega_kj = sum_l B_kl w_lj [[u u^T, u], [u^T, 1]] with u = v_l - p_k.
/// About p_k the sum over the joints C_j of C_j Omega_kj is [[Q, q], [0, 1]], and v' = R (v - p_k) + q with R
/// the rotation nearest to Q.
class DirectDeltaMush {
  public:
    /// Vertices at the same position move together, with the weights of the first.
    /// \throws Error when an option is out of range or mesh and skin are inconsistent
    DirectDeltaMush(const geometry::Mesh& rest, const model::Skin& skin,
                    const DeltaMushOptions& options = {});

    /// Positions in the pose of a palette. \throws Error when its length differs from that of the skin's
    /// palette
    std::vector<math::Vec3f> apply(std::span<const math::Mat4d> palette) const;

    /// Mean number of joints per vertex after smoothing, which spreads influences.
    double mean_influences() const;
    /// Memory in bytes.
    std::size_t memory() const;

  private:
    /// Omega of a vertex and a joint: its moments about the smoothed vertex.
    struct Moments {
        std::uint32_t joint = 0;
        float weight = 0;
        math::Vec3f first = math::Vec3f::Zero();
        Eigen::Matrix<float, 6, 1> second = Eigen::Matrix<float, 6, 1>::Zero();  ///< xx xy xz yy yz zz
    };

    /// Sorts the heaviest first and normalises the sums of weights and first moments to 1 and 0.
    static void finish(std::span<Moments> list);
    /// `rotations` are the rotations nearest to the palette entries.
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
