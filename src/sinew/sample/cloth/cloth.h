// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// A small cloth simulation, drawn as a smooth surface: points joined by lengths, pushed out of spheres and a
/// floor (position based dynamics: Mueller et al. 2007). Deterministic, for test sequences.

#include <array>
#include <cstdint>
#include <functional>
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

// A small cloth simulation: points joined by lengths, pushed out of spheres and a floor (position based
// dynamics: Mueller et al. 2007). Deterministic, for test sequences.

/// Two points that approximately keep their distance.
struct ClothLink {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    double length = 0;
    double stretch = 1;  ///< part of the excess length that one pass repairs
    double press = 1;    ///< part of the missing length
};

/// A sphere that cloth does not enter.
struct ClothSphere {
    math::Vec3d center = math::Vec3d::Zero();
    double radius = 0;
};

struct ClothScene {
    ControlNet net;
    double press = 0.3;     ///< resistance of edges to being shortened; little of it folds softly
    double bend = 0.2;      ///< stiffness of links over two edges
    double floor = -1e9;    ///< height that nothing falls below
    double cushion = 0.1;   ///< depth over the floor in which falling is slowed
    double drag = 1;        ///< fraction of the speed that is lost per second
    double viscosity = 10;  ///< rate at which speeds of neighbours become equal, fraction per second
    math::Vec3d gravity = math::Vec3d(0, -9.8, 0);
    std::vector<std::uint32_t> pins;  ///< points that `pin` places
    std::function<math::Vec3d(std::uint32_t point, double time)> pin;
    std::function<std::vector<ClothSphere>(double time)> spheres;
    std::function<math::Vec3d(const math::Vec3d& point, double time)> wind;  ///< an acceleration
    int steps = 8;                                                           ///< for each frame
    int passes = 10;  ///< over the links, for each step
};

/// Links along rows, columns and both diagonals, and softer ones two points on, that bend.
std::vector<ClothLink> cloth_links(const ControlNet& net, double press, double bend);

/// Control points at `rate` frames per second; the first are those at rest.
std::vector<std::vector<math::Vec3d>> simulate(const ClothScene& scene, std::size_t frames, double rate);

}  // namespace sinew::sample
