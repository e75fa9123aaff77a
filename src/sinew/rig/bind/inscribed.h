#pragma once
/// \file
/// The limb around a place on the surface: the largest ball in the body that touches it there.

#include "sinew/rig/bind/bind_solid.h"

namespace sinew::rig {

struct InscribedBall {
    Vec3d offset = Vec3d::Zero();  ///< from the point on the surface to the centre
    double radius = 0;
};

/// For each point the ball that touches the surface there from inside, found along the normal in the depths
/// of the solid, and averaged with those of its neighbours (`passes` times) because normals are rough. Points
/// in no cell have a ball without extent.
std::vector<InscribedBall> inscribed_balls(const BindInput& input, const BindSolid& solid, int passes = 5);

}  // namespace sinew::rig
