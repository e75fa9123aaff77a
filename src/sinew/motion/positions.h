#pragma once
/// \file
/// Bone rotations from the places of joints.

#include <span>
#include <string>
#include <vector>

#include "sinew/base/monitor.h"
#include "sinew/model/clip.h"
#include "sinew/motion/solve_pose.h"

namespace sinew::motion {

/// Places of all joints in one frame; not finite where unknown.
using JointPlaces = std::vector<math::Vec3d>;

enum class PositionMethod {
    /// Variant A (Nar 2008): every bone turns the x axis of the bone before it onto itself. Right for stick
    /// figures only: turns about bones are lost, and a turning spine shows as twisted shoulders.
    axis_chain,
    /// Variant B: joints with several bones by a rigid fit (Kabsch), joints with one bone by the smallest
    /// turn
    /// from their parent, the twist of thighs and upper arms by the plane of the bent knee or elbow.
    rigid_fit,
    /// Variant C: least squares with joint limits (PoseSolver).
    optimise,
};

struct PositionOptions {
    PositionMethod method = PositionMethod::rigid_fit;
    double least_bend = math::radians(10);  ///< of a knee or elbow that shows its axis; 0 uses no hinges
    PoseOptions pose = {};                  ///< of `optimise`
};

struct PositionResult {
    /// The given skeleton; of `axis_chain` one whose joint frames lie at the ends of their bones, x along
    /// them.
    model::Skeleton skeleton;
    model::Clip clip;
    double rms = 0;  ///< distance of the joints from their places
    double max = 0;
    std::vector<std::string> held;  ///< joints whose own bones have no place in any frame: they follow along
};

/// Frames at `rate` a second. Bones keep their lengths, except with `axis_chain`, which follows every place.
/// Where a place is missing the joint keeps the turn it had, relative to its parent.
/// \throws Error when a frame has not one place for every joint, or the rate is not above 0.
PositionResult rotations_from_positions(const model::Skeleton& skeleton, std::span<const JointPlaces> frames,
                                        double rate, const PositionOptions& options = {},
                                        Monitor& monitor = silent());

/// A clip of poses at an even rate: rotations of the joints that turn, translations of the roots.
model::Clip clip_of_poses(const model::Skeleton& skeleton, std::span<const Pose> poses, double rate);

}  // namespace sinew::motion
