#pragma once
/// \file
/// What the files of the man share: the rays of his hand and the lines of his clothes.

#include <array>
#include <functional>
#include <vector>

#include "sinew/sample/bodies/half_mesh.h"

namespace sinew::sample {

/// A finger of the left hand. The root is in the palm.
struct HandRay {
    const char* name;
    Vec3d root;
    Vec3d knuckle;
    Vec3d middle;
    Vec3d tip;
    double radius;
};

std::array<HandRay, 4> man_fingers();
HandRay man_thumb();

/// His left ear, which the hair keeps clear of.
Ellipsoid man_ear();
/// Rotation matrix of an axis times an angle.
Mat3d turned(const Vec3d& rotation_vector);

/// Cloth or hair: there where `side` is above 0.
struct Garment {
    std::function<double(const Vec3d&)> side;
    double thickness;
    double ramp;  ///< width of its edge
};

std::vector<Garment> man_garments();
std::vector<Border> man_borders();

}  // namespace sinew::sample
