#pragma once
/// \file
/// The single methods behind positions.h.

#include "sinew/motion/solve.h"

namespace sinew::motion {

/// Variant A.
PositionResult fit_axis_chain(const model::Skeleton& skeleton, std::span<const JointPlaces> frames,
                              double rate);

/// Variant B: world rotations since rest, frame * joints + joint.
std::vector<math::Quatd> fit_rigid(const model::Skeleton& skeleton, std::span<const JointPlaces> frames,
                                   double least_bend);

/// Twists of thighs and upper arms so that the plane of the bent joint below is the plane of its hinge.
/// `turns` as fit_rigid gives them; what hangs below is to be fitted again.
struct Hinge {
    std::size_t upper = 0;                     ///< joint of the thigh or upper arm
    std::size_t lower = 0;                     ///< joint of the shin or forearm
    std::size_t end = 0;                       ///< joint at its end
    math::Vec3d axis = math::Vec3d::UnitX();   ///< at rest, in the world: a positive turn flexes
    math::Vec3d along = math::Vec3d::UnitY();  ///< the upper bone at rest
};
std::vector<Hinge> find_hinges(const model::Skeleton& skeleton);

/// Angles about the upper bone, one for every frame, that bring `hinge.axis` into the plane's normal; held
/// and interpolated where the joint is straighter than `least_bend`.
std::vector<double> hinge_twists(const Hinge& hinge, std::span<const JointPlaces> frames,
                                 std::span<const math::Quatd> upper_turns, double least_bend);

}  // namespace sinew::motion
