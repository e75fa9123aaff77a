// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Where a curve skeleton is cut into the stretches that parts belong to.

#include "sinew/geometry/mesh.h"
#include "sinew/rig/curve/curve_skeleton.h"

namespace sinew::rig {
/// Measures of the surface around the nodes of a curve.
struct CurveShape {
    std::vector<double> girth;  ///< the radius of a tube, and half the width of a flat ear
    std::vector<double> area;   ///< of the surface that belongs to a node
};
CurveShape curve_shape(const geometry::Mesh& mesh, const CurveSkeleton& curve);

/// The stretches into which cuts divide a curve: a limb is cut where it leaves the sphere of its junction and
/// at the joints along it.
struct CurveCuts {
    std::vector<int> of_node;  ///< stretch of each node
    int count = 0;
    std::vector<int> joint;  ///< of each stretch the joint it is named after, or -1
    std::vector<int> twins;  ///< of each stretch the first of its twins, or -1
};
CurveCuts cut_curve(const CurveSkeleton& curve, const CurveShape& shape, const model::Skeleton& joints);

}  // namespace sinew::rig
