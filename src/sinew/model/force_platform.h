#pragma once
/// \file
/// What a force platform measured, in the axes of the laboratory.

#include <vector>

#include "sinew/base/monitor.h"
#include "sinew/model/trial.h"

namespace sinew::model {

/// Force and moment of one analog sample, in the units of the trial's channels (N, and Nmm where the points
/// are in mm), with the signs of the file: most laboratories store what the plate does to the foot.
struct Wrench {
    Vec3d force = Vec3d::Zero();
    Vec3d moment = Vec3d::Zero();  ///< about the centre of the plate's surface
    Vec3d center =
        Vec3d::Zero();       ///< centre of pressure in the trial's unit; NaN where the load is too small
    double free_moment = 0;  ///< about the plate's own z axis through the centre of pressure
};

struct ForceOptions {
    double least_load = 10;  ///< N along the plate's z axis below which there is no centre of pressure
    bool zero = true;        ///< subtract the mean of ForcePlatform::zero_frames
};

/// The plate's axes in the laboratory, from its corners: columns x, y, z = x cross y, which points down in
/// most laboratories; and the centre of its surface.
struct PlateFrame {
    math::Mat3d axes = math::Mat3d::Identity();
    Vec3d center = Vec3d::Zero();
};
/// \throws Error when the corners lie on a line.
PlateFrame plate_frame(const ForcePlatform& platform);

/// One wrench for each analog sample. With r the vector from the transducers' origin to the centre of the
/// surface, in the plate's axes, the channels give force F and moment M about that origin, and
///
///     M_surface = M + F x r,   x = -M_surface.y / F.z,   y = M_surface.x / F.z        (C3D user guide)
///
/// Type 1 stores F, x, y and the free moment; type 2 F and M; type 3 eight forces (Kistler):
/// M = (b (z1 + z2 - z3 - z4), a (-z1 + z2 + z3 - z4), b (-x12 + x34) + a (y14 - y23)) with (a, b, r.z) as
/// its origin; type 4 is type 2 after a calibration matrix. The surface is above the transducers, so r.z is
/// negative in the plate's axes; files in which it is positive have the origin reversed (warning
/// `platform-origin`).
/// \throws Error for another type, missing channels or a missing calibration matrix.
std::vector<Wrench> forces(const Trial& trial, const ForcePlatform& platform,
                           const ForceOptions& options = {}, Monitor& monitor = silent());

}  // namespace sinew::model
