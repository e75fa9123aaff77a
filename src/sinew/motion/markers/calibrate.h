// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// A skeleton made to measure, and where the markers sit on it.

#include <span>
#include <string>
#include <vector>

#include "sinew/base/monitor.h"
#include "sinew/model/roles.h"
#include "sinew/motion/markers/landmarks.h"
#include "sinew/motion/markers/pose_solver.h"

namespace sinew::motion {

struct RefineOptions {
    int rounds = 5;
    bool lengths = true;       ///< segments too, not only where markers sit on them
    double offset_pull = 0.3;  ///< towards the offsets as given, in samples of the marker a frame
    double length_pull = 0.3;  ///< towards the lengths as given, along a bone
    double tolerance = 1e-4;   ///< relative decrease of the residual at which to stop
};

/// Gauss-Newton on offsets and joint positions, in which the poses of all frames follow along (they are
/// eliminated, frame by frame: a bundle adjustment with the poses as cameras). Weights of residuals as in
/// PoseOptions; pulls keep what the motion does not show. A round that does not help ends it.
RefineReport refine(model::Skeleton& skeleton, std::vector<Attachment>& attachments,
                    std::span<const std::vector<math::Vec3d>> frames, std::span<Pose> poses,
                    const PoseOptions& pose_options, const RefineOptions& options = {},
                    Monitor& monitor = silent());

/// The joint that carries the markers of a segment, or the nearest that stands for it (the chest for a
/// clavicle, the foot for toes); -1 when there is none.
int segment_joint(const model::Skeleton& skeleton, const std::vector<model::JointRole>& roles,
                  model::Role segment, model::Side side);

/// Positions of the mapped markers in metres, +y up, for one frame; not finite where missing.
std::vector<math::Vec3d> marker_positions_at(const model::Trial& trial, const MarkerMap& map,
                                             std::size_t frame);

/// Makes `generic` the subject's skeleton: joint centres and axes from the markers (landmarks), lengths by
/// their medians, poses that bring the skeleton to them, offsets of the markers in those poses, and all of it
/// refined over the frames. `trial` is a static trial or the motion itself. The skeleton is to face +z at
/// rest, +y up.
/// \throws Error that says which markers were found when the pelvis is not among them, or when the body has
/// no human size.
SubjectModel calibrate(const model::Trial& trial, const MarkerMap& map, const model::Skeleton& generic,
                       const CalibrateOptions& options = {}, CalibrateReport* report = nullptr,
                       Monitor& monitor = silent());

/// The pose that brings the skeleton to the landmarks of one frame: where solving starts. False when the
/// pelvis was not seen.
bool pose_from_landmarks(const model::Skeleton& skeleton, const MarkerMap& map,
                         const std::vector<math::Vec3d>& positions, const BodyMeasures& measures,
                         HipRule hips, Pose& pose);

/// A skeleton with what the steps ask of it again and again.
struct Body {
    explicit Body(model::Skeleton from);

    model::Skeleton skeleton;
    std::vector<model::JointRole> roles;
    std::vector<math::Mat4d> rest;       ///< world matrices
    std::vector<math::Vec3d> positions;  ///< of the joints at rest

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
