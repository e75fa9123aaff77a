#pragma once
/// \file
/// A smooth surface over a net of control points: cloth is simulated on few points and drawn with many.

#include <array>
#include <cstdint>
#include <vector>

#include "sinew/geometry/mesh.h"

namespace sinew::sample {

/// Control points in rows; the columns may close into a ring, and a row of equal points is a pole.
struct ControlNet {
    std::uint32_t rows = 0;
    std::uint32_t columns = 0;
    bool ring = false;
    std::vector<math::Vec3d> points;

    std::size_t index(std::uint32_t row, std::uint32_t column) const {
        return static_cast<std::size_t>(row) * columns + column;
    }
};

/// A uniform cubic B-spline over a net, sampled with an exact number of vertices whose rows are as dense as
/// the surface is wide. It meets the first and the last control points.
class SplinePatch {
  public:
    SplinePatch(const ControlNet& rest, std::size_t vertices);

    std::size_t vertex_count() const { return samples_.size(); }
    const std::vector<geometry::Triangle>& triangles() const { return triangles_; }
    /// The vertices over control points that have moved.
    std::vector<math::Vec3f> at(const std::vector<math::Vec3d>& points) const;

  private:
    /// A vertex is a sum of four rows of four control points.
    struct Sample {
        std::array<std::uint32_t, 16> control;
        std::array<double, 16> weight;
    };
    Sample sample(double u, double v) const;
    std::vector<std::size_t> row_sizes(const ControlNet& rest, std::size_t vertices) const;
    void add_rows(const std::vector<std::size_t>& sizes);
    void zip(std::size_t above, std::size_t above_size, std::size_t below, std::size_t below_size);

    std::uint32_t rows_;
    std::uint32_t columns_;
    bool ring_;
    std::vector<Sample> samples_;
    std::vector<geometry::Triangle> triangles_;
};

}  // namespace sinew::sample
