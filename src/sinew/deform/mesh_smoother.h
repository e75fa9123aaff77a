#pragma once
/// \file
/// Smoothing of anything that lives on the vertices of a mesh, as Delta Mush does it.

#include <memory>
#include <span>
#include <vector>

#include "sinew/geometry/topology.h"

namespace sinew::deform {

/// One row of values for each vertex.
using VertexField = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct DeltaMushOptions {
    int iterations = 20;
    double strength = 0.5;  ///< how far a vertex goes towards the mean of its neighbours in one pass, 0 .. 1
    /// Passes of (I + strength L)^-1 instead of I - strength L, with L = I - mean of the neighbours (Le and
    /// Lewis 2019): fewer of them do, of any strength, and every vertex reaches every other.
    bool implicit = false;
};

/// The operator B of a mesh. Vertices at the same place are one: the first of them stands for all, the others
/// have no neighbours and are left alone.
class MeshSmoother {
  public:
    /// \throws Error when an option is out of range.
    MeshSmoother(const geometry::Mesh& rest, const DeltaMushOptions& options);

    /// B times the values. With `rows` only those are smoothed, which is the same where `reach` gave them for
    /// all rows that are not 0.
    void smooth(VertexField& values) const;
    void smooth(VertexField& values, std::span<const std::uint32_t> rows) const;

    /// The vertices that values of `from` get to, in rising order.
    std::vector<std::uint32_t> reach(std::span<const std::uint32_t> from) const;

    std::size_t vertex_count() const { return twin_.size(); }
    const DeltaMushOptions& options() const { return options_; }
    /// The vertex that stands for all at the place of v.
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

}  // namespace sinew::deform
