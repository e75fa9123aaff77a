// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Calibration: scales a skeleton to a subject and finds the positions of the markers on it.

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
    bool lengths = true;       ///< also refine bone lengths, not only marker offsets
    double offset_pull = 0.3;  ///< weight of the given offsets, in samples of the marker per frame
    double length_pull = 0.3;  ///< weight of the given lengths, along a bone
    double tolerance = 1e-4;   ///< relative decrease of the residual at which to stop
};

/// Gauss-Newton on offsets and joint positions; the poses of all frames are eliminated frame by frame (a
/// bundle adjustment with poses as cameras). Residuals are weighted as in PoseOptions; the pulls keep what
/// the motion does not determine. Stops after a round without improvement.
RefineReport refine(model::Skeleton& skeleton, std::vector<Attachment>& attachments,
                    std::span<const std::vector<math::Vec3d>> frames, std::span<Pose> poses,
                    const PoseOptions& pose_options, const RefineOptions& options = {},
                    Monitor& monitor = silent());

/// The joint that carries the markers of a segment, or the nearest substitute (the chest for a clavicle, the
/// foot for toes); -1 when there is none.
int segment_joint(const model::Skeleton& skeleton, const std::vector<model::JointRole>& roles,
                  model::Role segment, model::Side side);

/// Positions of the mapped markers in metres, +y up, for one frame; not finite where missing.
std::vector<math::Vec3d> marker_positions_at(const model::Trial& trial, const MarkerMap& map,
                                             std::size_t frame);

/// Scales `generic` to the subject: joint centres and axes from the markers (landmarks), lengths as medians,
/// poses that match the landmarks, offsets of the markers in these poses, and a refinement of all of them
/// over the frames. `trial` is a static trial or the motion itself. The skeleton must face +z at rest, +y up.
/// \throws Error listing the markers that were found when pelvis markers are missing, or when the body does
/// not have human size
SubjectModel calibrate(const model::Trial& trial, const MarkerMap& map, const model::Skeleton& generic,
                       const CalibrateOptions& options = {}, CalibrateReport* report = nullptr,
                       Monitor& monitor = silent());

/// The pose that matches the landmarks of one frame: the start of solving. False when the pelvis was not
/// seen.
bool pose_from_landmarks(const model::Skeleton& skeleton, const MarkerMap& map,
                         const std::vector<math::Vec3d>& positions, const BodyMeasures& measures,
                         HipRule hips, Pose& pose);

/// A skeleton with precomputed data for the steps below.
struct Body {
    explicit Body(model::Skeleton from);

    model::Skeleton skeleton;
    std::vector<model::JointRole> roles;
    std::vector<math::Mat4d> rest;       ///< world matrices
    std::vector<math::Vec3d> positions;  ///< of the joints at rest

    int find(model::Role role, model::Side side) const { return model::find_role(roles, role, side); }
};

/// Position of a landmark on the skeleton; empty when it has no such joint.
std::optional<Attachment> attach(const Body& body, const Landmark& landmark);

/// The root moved to the pelvis, everything else at rest.
Pose pose_at_pelvis(const Body& body, const PelvisFrame& pelvis, std::span<const Landmark> landmarks);

/// The pose that matches the landmarks of one frame.
Pose pose_at_landmarks(const Body& body, const PelvisFrame& pelvis, std::span<const Landmark> landmarks);

/// Scales the segments of a skeleton by the median distances between landmarks over all frames; unmeasured
/// segments by the median of the others, which is returned.
double scale_to_landmarks(const Body& body, std::span<const std::vector<Landmark>> frames,
                          model::Skeleton& scaled);

}  // namespace sinew::motion
