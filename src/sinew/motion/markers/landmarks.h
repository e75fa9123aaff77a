// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Joint centres and axes from the markers of one frame.

#include <array>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "sinew/motion/solve.h"

namespace sinew::motion {

inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// Measurements of the subject in metres, left and right; estimated from the markers where unknown.
struct BodyMeasures {
    std::array<double, 2> leg = {unknown, unknown};
    std::array<double, 2> knee = {unknown, unknown};   ///< width
    std::array<double, 2> ankle = {unknown, unknown};  ///< width
    /// Slope of the line from heel to toe marker when the sole is flat, radians.
    std::array<double, 2> sole = {0, 0};
    /// Slope of the band of head markers from back to front when the head faces straight ahead, radians.
    double head = 0;
    double marker_radius = 0.007;
};

/// The measurements that Plug-in Gait stores in the group PROCESSING of a C3D file (LLegLength, RKneeWidth,
/// ...), and the slopes of soles and head band. Laboratories place heel and toe markers at the same height,
/// so the slope is 0, unless it exceeds eight degrees on one foot while both feet rest: then they were placed
/// differently, and the feet are assumed to be flat there. Heads are assumed to face straight ahead in the
/// middle of a trial, as in a static trial.
BodyMeasures measure_body(const model::Trial& trial, const MarkerMap& map);

/// Position of a landmark on a skeleton at rest.
enum class LandmarkKind {
    centre,   ///< the joint itself
    lateral,  ///< a point to the left (+x) of the base joint, perpendicular to the bone that leads to it
    forward,  ///< in front (+z)
    up,       ///< above (+y)
    onward,   ///< beyond the joint, in the direction of the bone that leads to it
    hinge,    ///< on the axis of the elbow
};

struct Landmark {
    model::Role carrier = model::Role::none;  ///< the segment it rides on
    model::Role base = model::Role::none;     ///< the joint it is measured from
    model::Side side = model::Side::none;
    LandmarkKind kind = LandmarkKind::centre;
    double lever = 0;  ///< metres from the base
    double weight = 1;
    math::Vec3d position = math::Vec3d::Constant(unknown);
};

/// Axes and width of a pelvis.
struct PelvisFrame {
    math::Vec3d middle;  ///< between the front spines
    math::Vec3d left, up, forward;
    double width = 0;
    double depth = 0;
};

/// Empty when the front spines or the sacrum (or the back spines) were not seen.
std::optional<PelvisFrame> pelvis_frame(const MarkerMap& map, std::span<const math::Vec3d> positions);

/// All landmarks that can be computed from the visible markers. `positions` are in metres, +y up, one per
/// entry of map.markers, not finite where missing. Knees and ankles are midpoints of the two markers of a
/// joint, or from the lateral marker by the chord construction.
std::vector<Landmark> landmarks(const MarkerMap& map, std::span<const math::Vec3d> positions,
                                const BodyMeasures& measures, HipRule rule = HipRule::automatic);

/// The markers of one frame by their names.
struct MarkerFrame {
    const MarkerMap& map;
    std::span<const math::Vec3d> positions;

    /// Not finite when the marker does not exist or was not seen; all results computed from it are then not
    /// finite either.
    math::Vec3d at(std::string_view name) const;
    math::Vec3d at(std::string_view name, model::Side side) const;
};

/// The component of a vector perpendicular to a direction.
math::Vec3d across(const math::Vec3d& vector, const math::Vec3d& direction);

void add_foot(const MarkerFrame& m, model::Side side, const math::Vec3d& ankle, const math::Vec3d& knee,
              const math::Vec3d& leftward, double sole, std::vector<Landmark>& out);
void add_trunk(const MarkerFrame& m, const PelvisFrame& pelvis, double head_slope,
               std::vector<Landmark>& out);

}  // namespace sinew::motion
