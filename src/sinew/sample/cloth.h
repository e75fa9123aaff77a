#pragma once
/// \file
/// A small cloth simulation: points joined by lengths, pushed out of balls and a floor (position based
/// dynamics: Mueller et al. 2007). Deterministic, for test sequences.

#include <functional>

#include "sinew/sample/cloth/cloth.h"

namespace sinew::sample {

/// Two points that keep their distance, more or less.
struct ClothLink {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    double length = 0;
    double stretch = 1;  ///< part of the excess length that one pass repairs
    double press = 1;    ///< part of the missing length
};

/// A ball that cloth stays out of.
struct ClothBall {
    math::Vec3d center = math::Vec3d::Zero();
    double radius = 0;
};

struct ClothScene {
    ControlNet net;
    double press = 0.3;     ///< resistance of edges to being shortened; little of it folds softly
    double bend = 0.2;      ///< stiffness of links over two edges
    double floor = -1e9;    ///< height that nothing falls below
    double cushion = 0.1;   ///< depth over the floor in which falling is slowed
    double drag = 1;        ///< part of the speed that is lost in a second
    double viscosity = 10;  ///< how fast speeds even out between neighbours, in parts of a second
    math::Vec3d gravity = math::Vec3d(0, -9.8, 0);
    std::vector<std::uint32_t> pins;  ///< points that `pin` places
    std::function<math::Vec3d(std::uint32_t point, double time)> pin;
    std::function<std::vector<ClothBall>(double time)> balls;
    std::function<math::Vec3d(const math::Vec3d& point, double time)> wind;  ///< an acceleration
    int steps = 8;                                                           ///< for each frame
    int passes = 10;  ///< over the links, for each step
};

/// Links along rows, columns and both diagonals, and softer ones two points on, that bend.
std::vector<ClothLink> cloth_links(const ControlNet& net, double press, double bend);

/// Control points at `rate` a second; the first are those at rest.
std::vector<std::vector<math::Vec3d>> simulate(const ClothScene& scene, std::size_t frames, double rate);

}  // namespace sinew::sample
