#pragma once
/// \file
/// What a part of a cut mesh is like: where it is seen from, which way it lies, the box around it.

#include <cstdint>
#include <vector>

#include "sinew/base/monitor.h"
#include "sinew/geometry/cut_mesh.h"
#include "sinew/geometry/part_shape.h"

namespace sinew::geometry {

enum class CentreKind : std::uint8_t {
    kernel,     ///< centroid of the kernel's hull: the part is star-shaped
    mass,       ///< centre of mass of the part with its openings closed
    clearance,  ///< that lay outside: the point inside with most room around it
};

/// Features of one part, before or after the directions are refined.
struct PartFeatures {
    Vec3d centre = Vec3d::Zero();  ///< KC, or what stands for it
    CentreKind centre_kind = CentreKind::kernel;
    OrientedBox box;    ///< its axes are the principal directions PD, right-handed, by falling variance
    int main_axis = 0;  ///< which of them is the principal axis
    Vec3d axis_ends[2] = {Vec3d::Zero(),
                          Vec3d::Zero()};  ///< of the principal axis through the centre, inside
    double median_edge = 0;
};

/// Features of all parts, by part.
std::vector<PartFeatures> part_features(const CutMesh& cut, const PartTree& tree,
                                        Monitor& monitor = silent());

}  // namespace sinew::geometry
