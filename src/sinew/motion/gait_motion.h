#pragma once
/// \file
/// The points of a body that tell how it walks, whatever they were measured with.

#include <array>
#include <string>
#include <vector>

#include "sinew/base/monitor.h"
#include "sinew/model/character.h"
#include "sinew/model/roles.h"
#include "sinew/model/trial.h"

namespace sinew::motion {

/// Points of one leg over time, in metres with +y up; NaN where not measured, empty when there is no such
/// point.
struct LegPoints {
    std::vector<math::Vec3d> heel;
    std::vector<math::Vec3d> toe;
    std::vector<math::Vec3d> ankle;
    std::vector<math::Vec3d> knee;
};

struct GaitMotion {
    double rate = 0;
    std::size_t frames = 0;
    std::vector<math::Vec3d> pelvis;
    std::array<LegPoints, 2> legs;  ///< left, right
    math::Vec3d forward = math::Vec3d::UnitZ();
    double travel = 0;               ///< of the pelvis along `forward`, metres
    bool on_the_spot = false;        ///< a treadmill, a motion in place, or standing
    std::vector<std::string> found;  ///< "left heel: LHEE", for the report
    std::vector<std::string> missing;

    const LegPoints& leg(model::Side side) const { return legs[side == model::Side::left ? 0 : 1]; }
    LegPoints& leg(model::Side side) { return legs[side == model::Side::left ? 0 : 1]; }
    double time(std::size_t frame) const { return static_cast<double>(frame) / rate; }
};

/// Points by their labels, as the marker tables know them (map_markers). Gaps up to a tenth of a second are
/// bridged by straight lines. What is not there is listed in `missing`.
GaitMotion gait_motion(const model::Trial& trial);

/// Points by the roles of joints. The heel of a skeleton is under its ankle, a third of the foot behind it.
/// \throws Error when there is no clip, or no hips and legs.
GaitMotion gait_motion(const model::Skeleton& skeleton, const model::Clip& clip);

/// Points that `to` misses are taken from another account of the same frames.
void lend_points(const GaitMotion& from, GaitMotion& to);

/// Direction in which a body goes: the principal level direction of the pelvis's way, or on the spot
/// (less than half a metre) where the feet point.
void find_progression(GaitMotion& motion);

}  // namespace sinew::motion
