#pragma once
/// \file
/// Steps of a calibration: landmarks on a skeleton, lengths from landmarks.

#include <span>

#include "sinew/motion/calibrate.h"

namespace sinew::motion {

/// A skeleton with what the steps ask of it again and again.
struct Body {
    explicit Body(model::Skeleton from);

    model::Skeleton skeleton;
    std::vector<model::JointRole> roles;
    std::vector<math::Mat4d> rest;    ///< world matrices
    std::vector<math::Vec3d> places;  ///< of the joints at rest

    int find(model::Role role, model::Side side) const { return model::find_role(roles, role, side); }
};

/// Where a landmark is on the skeleton; nothing when it has no such joint.
std::optional<Attachment> attach(const Body& body, const Landmark& landmark);

/// The root brought to the pelvis, everything else at rest.
Pose pose_at_pelvis(const Body& body, const PelvisFrame& pelvis, std::span<const Landmark> landmarks);

/// The pose that the landmarks of one frame ask for.
Pose pose_at_landmarks(const Body& body, const PelvisFrame& pelvis, std::span<const Landmark> landmarks);

/// Scales the segments of a skeleton by medians of the distances between landmarks over frames; what was not
/// measured by the median of the others, which is returned.
double scale_to_landmarks(const Body& body, std::span<const std::vector<Landmark>> frames,
                          model::Skeleton& scaled);

}  // namespace sinew::motion
