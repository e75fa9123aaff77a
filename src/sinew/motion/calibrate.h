#pragma once
/// \file
/// A skeleton made to measure, and where the markers sit on it.

#include <string>
#include <vector>

#include "sinew/base/monitor.h"
#include "sinew/model/roles.h"
#include "sinew/motion/calibrate_refine.h"
#include "sinew/motion/marker_landmarks.h"

namespace sinew::motion {

/// A subject ready to be solved: attachment i is the marker of place `names[i]`.
struct SubjectModel {
    model::Skeleton skeleton;
    std::vector<Attachment> attachments;
    std::vector<std::string> names;
};

struct CalibrateOptions {
    bool scale = true;   ///< the skeleton to the subject; false keeps every bone as it is
    bool refine = true;  ///< offsets (and lengths, when scaling) over the frames
    /// The subject stands as the skeleton does at rest: the joints are at zero there, whatever the markers
    /// say.
    bool neutral = false;
    HipRule hips = HipRule::automatic;
    std::size_t frames = 30;  ///< taken from all over the trial
    PoseOptions pose;
    RefineOptions refinement;
};

struct CalibrateReport {
    std::vector<std::size_t> frames;  ///< that were used
    double scale = 1;                 ///< of the body: the median of its segments
    double rms = 0;                   ///< of the markers over those frames, metres
    RefineReport refined;
    std::vector<std::string> without_segment;  ///< markers whose segment the skeleton does not have
};

/// The joint that carries the markers of a segment, or the nearest that stands for it (the chest for a
/// clavicle, the foot for toes); -1 when there is none.
int segment_joint(const model::Skeleton& skeleton, const std::vector<model::JointRole>& roles,
                  model::Role segment, model::Side side);

/// Places of the mapped markers in metres, +y up, for one frame; not finite where missing.
std::vector<math::Vec3d> marker_places_at(const model::Trial& trial, const MarkerMap& map, std::size_t frame);

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
                         const std::vector<math::Vec3d>& places, const BodyMeasures& measures, HipRule hips,
                         Pose& pose);

}  // namespace sinew::motion
