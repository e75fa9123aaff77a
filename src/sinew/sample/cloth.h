#pragma once
/// \file
/// A small cloth simulation: points joined by lengths, pushed out of balls and a floor (position based
/// dynamics: Mueller et al. 2007). Deterministic, for test sequences.

#include <functional>
#include <vector>

#include "sinew/geometry/mesh.h"

namespace sinew::sample {

/// Two points that keep their distance, more or less.
struct ClothLink {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    double length = 0;
    double stiffness = 1;  ///< part of the error that one pass repairs
};

/// A ball that cloth stays out of.
struct ClothBall {
    math::Vec3d center = math::Vec3d::Zero();
    double radius = 0;
};

struct ClothScene {
    geometry::Mesh mesh;
    double bend = 0.5;      ///< stiffness of links over two edges
    double floor = -1e9;    ///< height that nothing falls below
    double damping = 0.02;  ///< part of the speed that is lost in a step
    int viscosity =
        3;  ///< rounds of sharing speed with neighbours in a step: cloth that folds instead of crumpling
    math::Vec3d gravity = math::Vec3d(0, -9.8, 0);
    std::vector<std::uint32_t> pins;  ///< points that `pin` places
    std::function<math::Vec3d(std::uint32_t vertex, double time)> pin;
    std::function<std::vector<ClothBall>(double time)> balls;
    std::function<math::Vec3d(const math::Vec3d& point, double time)> wind;  ///< an acceleration
    int steps = 6;                                                           ///< for each frame
    int passes = 8;  ///< over the links, for each step
};

/// Links along the edges, and softer ones across pairs of triangles.
std::vector<ClothLink> cloth_links(const geometry::Mesh& mesh, double bend);

/// Frames at `rate` a second; the first is the rest pose.
std::vector<std::vector<math::Vec3f>> simulate(const ClothScene& scene, std::size_t frames, double rate);

}  // namespace sinew::sample
