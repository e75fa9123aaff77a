#pragma once
/// \file
/// A flattened tube along a curve: limbs, necks and tails of animals.

#include <vector>

#include "sinew/math/types.h"

namespace sinew::sample {

using math::Vec3d;

/// Where the curve of a sweep passes. The section there is an ellipse: `radius` across the curve, `radius *
/// width` along x.
struct Station {
    Vec3d at = Vec3d::Zero();
    double radius = 0;
    double width = 1;
};

/// Stations joined by a smooth curve (Catmull and Rom 1974), along which the section changes smoothly. The
/// curve should lie near a plane x = constant, because the flattening is measured along x.
struct Sweep {
    std::vector<Station> stations;
    std::vector<Station> curve;  ///< finely sampled; filled in by `prepare`
};

/// A station in a plane of constant x, as one reads it off a side view.
struct SideStation {
    double z = 0;
    double y = 0;
    double radius = 0;
    double width = 1;
};
Sweep in_plane(double x, const std::vector<SideStation>& stations);

/// Fills in what evaluation needs.
void prepare(Sweep& sweep);

/// First-order distance to the tube. The sweep must have been prepared.
double distance_to(const Sweep& sweep, const Vec3d& point);

}  // namespace sinew::sample
