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

/// What was measured on the subject, in metres, left and right; estimated from the markers where unknown.
struct BodyMeasures {
    std::array<double, 2> leg = {unknown, unknown};
    std::array<double, 2> knee = {unknown, unknown};   ///< width
    std::array<double, 2> ankle = {unknown, unknown};  ///< width
    /// Slope of the line from heel to toe marker when the sole lies flat, radians.
    std::array<double, 2> sole = {0, 0};
    /// Slope of the band of head markers from back to front when the head looks straight on, radians.
    double head = 0;
    double marker_radius = 0.007;
};

/// The measures that Plug-in Gait stores in the group PROCESSING of a C3D file (LLegLength, RKneeWidth, ...),
/// and the slopes of the soles and of the head band. Laboratories put heel and toe markers at one height, so
/// the slope is 0, unless it is beyond eight degrees on one foot where both rest: then both feet were not
/// done so, and stand flat there. Heads look straight on in the middle of a trial, as in a static one.
BodyMeasures measure_body(const model::Trial& trial, const MarkerMap& map);

/// Where a landmark is on a skeleton at rest.
enum class LandmarkKind {
    centre,   ///< the joint itself
    lateral,  ///< a point to the left (+x) of the base joint, across the bone that leads there
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

/// Nothing when the front spines and the sacrum (or the back spines) are not all seen.
std::optional<PelvisFrame> pelvis_frame(const MarkerMap& map, std::span<const math::Vec3d> positions);

/// All landmarks that the seen markers tell; `positions` are in metres, +y up, one for each of map.markers,
/// not finite where missing. Knees and ankles are between the two markers of a joint, or by the chord
/// construction from the outer one.
std::vector<Landmark> landmarks(const MarkerMap& map, std::span<const math::Vec3d> positions,
                                const BodyMeasures& measures, HipRule rule = HipRule::automatic);

/// The markers of one frame by their names.
struct MarkerFrame {
    const MarkerMap& map;
    std::span<const math::Vec3d> positions;

    /// Not finite when there is no such marker, or it was not seen: what is computed from it is not either.
    math::Vec3d at(std::string_view name) const;
    math::Vec3d at(std::string_view name, model::Side side) const;
};

/// The part of a vector across a direction.
math::Vec3d across(const math::Vec3d& vector, const math::Vec3d& direction);

void add_foot(const MarkerFrame& m, model::Side side, const math::Vec3d& ankle, const math::Vec3d& knee,
              const math::Vec3d& leftward, double sole, std::vector<Landmark>& out);
void add_trunk(const MarkerFrame& m, const PelvisFrame& pelvis, double head_slope,
               std::vector<Landmark>& out);

}  // namespace sinew::motion
