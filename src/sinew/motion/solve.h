// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Solving: from marker or joint positions to the motion of a skeleton.
///
/// \code
/// const motion::CleanResult clean = motion::clean(trial);
/// const motion::SolveResult solved = motion::solve(clean.trial, rig::skeleton_template("biped"));
/// fmt::print("markers fit to {} mm\n", 1000 * solved.rms);
/// \endcode

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/monitor.h"
#include "sinew/model/clip.h"
#include "sinew/model/roles.h"
#include "sinew/model/trial.h"

namespace sinew::motion {

/// A location on the body where markers are attached. Names are those of Plug-in Gait ("LASI", "RKNE", "C7");
/// other locations are named in the same style ("LKNEM", the medial side of the knee).
struct MarkerLocation {
    std::string name;
    model::Role segment = model::Role::none;
    model::Side side = model::Side::none;
};

/// All known locations.
const std::vector<MarkerLocation>& marker_locations();

/// Marker names of a laboratory, in addition to the known ones.
struct MarkerNames {
    std::map<std::string, std::string> aliases;  ///< label to location: "HipFrontL" is "LASI"
    std::map<std::string, std::string>
        segments;  ///< label to joint name ("LeftLowerLeg"), for markers at other locations
};

/// Parses {"aliases": {"HipFrontL": "LASI"}, "segments": {"PLATE1": "LeftLowerLeg"}}.
/// \throws Error naming an unknown location or segment
MarkerNames parse_marker_names(std::string_view json, std::string_view location);
MarkerNames read_marker_names(const std::filesystem::path& path);

struct MappedMarker {
    std::size_t point = 0;  ///< index into Trial::markers
    MarkerLocation location;
};

/// Assignment of the markers of a trial. Every marker of the trial is in one of these lists.
struct MarkerMap {
    std::string set;  ///< known marker set with the most matching labels, such as "plug-in-gait"; empty when
                      ///< none matches
    std::vector<MappedMarker> markers;
    std::vector<std::string> unlabelled;  ///< markers without a label ("*3"), tracked by the cameras
    std::vector<std::string> computed;    ///< points that a model computed ("LFEO", "RKJC"); not markers
    std::vector<std::string> unknown;     ///< labels that are in no table
    std::vector<std::string>
        repeated;                     ///< further markers at the same location, and markers of other subjects
    std::vector<std::string> unseen;  ///< known markers without any sample

    /// Index into `markers` of a location; -1 when it has no marker.
    int find(std::string_view location) const;
};

/// Assigns markers to locations by their labels (Plug-in Gait, Helen Hayes, CMU, Cleveland Clinic, CAST
/// clusters), ignoring case, punctuation and the subject. Names given by the user take precedence. Of several
/// subjects the one with the most known labels is used.
MarkerMap map_markers(const model::Points& markers, const MarkerNames& names = {});

/// Groups markers by rigid segment, as indices into Trial::markers.
std::vector<std::vector<std::size_t>> rigid_bodies(const MarkerMap& map);

/// Positions of all joints in one frame; not finite where unknown.
using JointPositions = std::vector<math::Vec3d>;

struct PositionResult {
    model::Clip clip;  ///< rotations of all joints and translations of the roots
    double rms = 0;    ///< root mean square distance of the joints from their given positions
    double max = 0;
    std::vector<std::string>
        held;  ///< joints whose bones have no position in any frame; they follow their parents
};

/// Computes joint rotations from joint positions. Joints with several bones are fitted rigidly (Kabsch 1976);
/// joints with one bone get the smallest rotation relative to their parent; the twist of thighs and upper
/// arms follows from the plane of the bent knee or elbow. Bones keep their lengths. Where a position is
/// missing, a joint keeps its last rotation relative to its parent.
/// \param skeleton the measured skeleton
/// \param frames positions in the unit of the skeleton
/// \param rate frames per second
/// \return the clip of `skeleton`, and its distance from the positions
/// \throws Error when a frame does not have one position per joint, or the rate is not above 0
PositionResult rotations_from_positions(const model::Skeleton& skeleton,
                                        std::span<const JointPositions> frames, double rate);

/// Positions of the joints of a skeleton in every frame of a trial, in metres, +y up. Points are matched to
/// joints by plain name or, if no name matches and the counts are equal, by order.
/// \throws Error that lists labels and joints when neither applies
std::vector<JointPositions> joint_positions(const model::Trial& trial, const model::Skeleton& skeleton);

/// Ratio of the measured bone lengths to those at rest: the median over bones and frames; 1 when no bone was
/// measured.
double bone_scale(const model::Skeleton& skeleton, std::span<const JointPositions> frames);

/// A point fixed to a joint: a marker or a joint centre.
struct Attachment {
    int joint = 0;
    math::Vec3d offset = math::Vec3d::Zero();  ///< in the frame of the joint, in metres
    double weight = 1;
};

/// Local rotation and translation of every joint.
struct Pose {
    std::vector<math::Quatd> rotation;
    std::vector<math::Vec3d> translation;
};

/// How hip joint centres are computed from the pelvis.
enum class HipRule {
    automatic,   ///< davis when the leg length was measured, as in Plug-in Gait; otherwise harrington
    harrington,  ///< regression on width and depth of the pelvis (Harrington 2007)
    davis,       ///< regression on width of the pelvis and leg length (Davis 1991)
};

/// A calibrated subject: attachment i is the marker at location `names[i]`.
struct SubjectModel {
    model::Skeleton skeleton;
    std::vector<Attachment> attachments;
    std::vector<std::string> names;
};

struct CalibrateOptions {
    bool scale = true;  ///< scale the skeleton to the subject; false keeps all bone lengths
    bool refine =
        true;  ///< refine marker offsets, and bone lengths when scaling, over the calibration frames
    /// Assume that the subject stands in the rest pose of the skeleton: all joint angles are zero there,
    /// whatever the markers say.
    bool neutral = false;
    HipRule hips = HipRule::automatic;
    std::size_t frames = 30;  ///< number of calibration frames, spread over the trial
};

struct RefineReport {
    int rounds = 0;
    double rms_before = 0;  ///< of the markers, in metres
    double rms_after = 0;
};

struct CalibrateReport {
    std::vector<std::size_t> frames;  ///< the frames used
    double scale = 1;                 ///< scale of the body: median over its segments
    double rms = 0;  ///< root mean square distance of the markers over these frames, in metres
    RefineReport refined;
    std::vector<std::string> without_segment;  ///< markers whose segment is missing in the skeleton
};

/// How consistently two marker clusters determine the joint between them.
struct ClusterJoint {
    std::string name;   ///< "left knee"
    double spread = 0;  ///< root mean square distance in metres
};

struct ClusterReport {
    std::vector<ClusterJoint> joints;
    std::vector<std::string> added;  ///< locations that were computed
    std::string missing;             ///< reason when there is no result
};

struct SolveOptions {
    CalibrateOptions calibrate;
    MarkerNames names;
    /// Keep the bones of the generic skeleton: the motion is solved on a scaled copy, then its joint
    /// rotations and hip path are transferred, and the ankles keep their height.
    bool keep_bones = false;
};

struct MarkerResidual {
    std::string label;  ///< label in the file
    std::string location;
    std::string joint;        ///< joint that it is attached to
    std::size_t samples = 0;  ///< number of frames with a sample
    double rms = 0;           ///< distance from the model in metres, root mean square
    double max = 0;
    std::size_t worst_frame = 0;
};

/// A pair of markers whose labels seem exchanged: each keeps a constant distance to the other's segment.
struct Swap {
    std::string first;
    std::string second;
};

struct SolveResult {
    model::Skeleton skeleton;  ///< skeleton of the subject
    model::Clip clip;
    SubjectModel subject;
    MarkerMap map;
    CalibrateReport calibration;
    ClusterReport clusters;   ///< for a trial that only has clusters; otherwise empty
    std::vector<Pose> poses;  ///< one per frame
    std::vector<MarkerResidual> residuals;
    double rms = 0;  ///< distance of all samples from the model in metres, root mean square
    double max = 0;
    /// Estimated standard deviation of one marker coordinate, corrected for the degrees of freedom of the
    /// pose: sqrt(sum of squares / (coordinates - unknowns)).
    double noise = 0;
    std::vector<std::string> held;  ///< joints that no marker determines; they stay at rest
    std::vector<std::string>
        bridged;  ///< joints without markers of their own, determined by their neighbours
    std::vector<std::string>
        partly;  ///< joints that in some frames have no marker on them or on their descendants
    std::vector<std::size_t> unsolved;  ///< frames with fewer than three markers; they keep the previous pose
    std::vector<Swap> swapped;
    double iterations = 0;  ///< mean per frame
    bool still = false;     ///< no marker moves more than 5 cm
};

/// Solves every frame for a calibrated subject. Markers are matched to attachments by location.
/// \throws Error when the trial has no frames, or none of the subject's markers
SolveResult solve(const model::Trial& trial, const SubjectModel& subject, const SolveOptions& options = {},
                  Monitor& monitor = silent());

/// Calibrates the subject, on `static_trial` if given and otherwise on the trial itself, then solves every
/// frame. A trial with only clusters is completed first (complete_clusters, warning solve-clusters).
/// \param trial markers over time, already cleaned (clean)
/// \param generic skeleton to scale to the subject; it faces +z at rest, +y up
/// \param options see SolveOptions
/// \param static_trial the same markers on a standing subject; may be null
/// \param monitor receives progress, warnings about markers that were not found (solve-unknown-labels,
/// solve-unlabelled, solve-held) and about what does not fit (solve-residual, solve-swapped, solve-unsolved,
/// solve-still)
/// \return the moving skeleton and its residuals
/// \throws Error listing the markers that were found when pelvis markers are missing, or when the body does
/// not have human size
SolveResult solve(const model::Trial& trial, const model::Skeleton& generic, const SolveOptions& options = {},
                  const model::Trial* static_trial = nullptr, Monitor& monitor = silent());

/// Finds pairs of left and right markers with exchanged labels: the distances of each to its own segment vary
/// much more than those to the segment of the other side.
std::vector<Swap> find_swaps(const model::Trial& trial, const MarkerMap& map);

}  // namespace sinew::motion
