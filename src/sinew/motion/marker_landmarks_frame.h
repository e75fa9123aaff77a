#pragma once
/// \file
/// Pieces that the landmarks of legs, trunk and arms share.

#include "sinew/motion/marker_landmarks.h"

namespace sinew::motion {

/// The markers of one frame by their names.
struct MarkerFrame {
    const MarkerMap& map;
    std::span<const math::Vec3d> places;

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
