#pragma once
/// \file
/// Boxes with axes of their own.

#include <vector>

#include "sinew/math/types.h"

namespace sinew::geometry {

/// Centre, right-handed unit axes (columns) and half lengths along them.
struct OrientedBox {
    math::Vec3d centre = math::Vec3d::Zero();
    math::Mat3d axes = math::Mat3d::Identity();
    math::Vec3d half = math::Vec3d::Zero();

    double radius() const { return half.norm(); }  ///< of the sphere about the centre that holds the box
    bool contains(const math::Vec3d& point, double slack = 0) const {
        return ((axes.transpose() * (point - centre)).cwiseAbs() - half).maxCoeff() <= slack;
    }
};

/// The smallest box with these axes around the points.
OrientedBox box_around(const std::vector<math::Vec3d>& points, const math::Mat3d& axes);

/// Separating-axis test over 15 axes (Gottschalk 2000); touching counts as overlap. Cross axes shorter than
/// 1e-6 are skipped.
bool overlap(const OrientedBox& a, const OrientedBox& b);

}  // namespace sinew::geometry
