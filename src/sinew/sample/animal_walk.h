#pragma once
/// \file
/// Clips of made animals: waves of single joints, and legs that follow feet which stay where they are put.

#include <string>
#include <vector>

#include "sinew/model/clip.h"

namespace sinew::sample {

using math::Vec3d;

/// A joint that turns about an axis: mean + amplitude cos(2 pi (times phase - lag)) degrees. Of a paired
/// joint (with Left or Right before the name) the right one is the mirror image half a cycle later.
struct Wave {
    std::string joint;
    Vec3d axis = Vec3d::UnitX();
    double mean = 0;
    double amplitude = 0;
    int times = 1;  ///< a cycle
    double lag = 0;
};

/// A pair of legs. The last joint holds the foot that lies flat in stance.
struct LegPlan {
    std::vector<std::string> joints;  ///< from the hip down, without Left and Right
    std::vector<double> fold;  ///< degrees about x by which each turns in mid-swing, the foot in the room
    double phase = 0;          ///< in the cycle when the left foot lands
};

struct WalkPlan {
    double seconds = 1.2;  ///< a cycle
    double stride = 1;     ///< metres a cycle
    double duty = 0.62;    ///< part of the cycle for which a foot stands
    double lift = 0.08;    ///< of a foot in mid-swing
    double drop = 0.02;    ///< of the root below its rest height, so that the legs reach
    double bob = 0.01;     ///< of the root, twice a cycle
    std::vector<LegPlan> legs;
    std::vector<Wave> waves;
    int keys = 48;   ///< a cycle
    int cycles = 4;  ///< of the walk that goes forward
};

/// The clips `walk`, along +z, and `walk-in-place`, whose last key equals its first.
std::vector<model::Clip> walk_clips(const model::Skeleton& skeleton, const WalkPlan& plan);

/// One cycle of waves alone; the last key equals the first.
model::Clip wave_clip(const model::Skeleton& skeleton, const std::string& name,
                      const std::vector<Wave>& waves, double seconds, int keys);

}  // namespace sinew::sample
