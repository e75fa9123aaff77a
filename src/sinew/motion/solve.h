// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// From markers, or positions of joints, to a moving skeleton.
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

/// A location on the body where markers are put. Names are those of Plug-in Gait where it has one ("LASI",
/// "RKNE", "C7"), and made in its manner where it has none ("LKNEM", the inner side of the knee).
struct MarkerLocation {
    std::string name;
    model::Role segment = model::Role::none;
    model::Side side = model::Side::none;
};

/// All locations that are known by name.
const std::vector<MarkerLocation>& marker_locations();

/// What a laboratory calls its markers, beyond what is known already.
struct MarkerNames {
    std::map<std::string, std::string> aliases;  ///< label, location: "HipFrontL" is "LASI"
    std::map<std::string, std::string>
        segments;  ///< label, joint name ("LeftLowerLeg"): of no known location
};

/// Reads {"aliases": {"HipFrontL": "LASI"}, "segments": {"PLATE1": "LeftLowerLeg"}}.
/// \throws Error naming what is not a known location or segment.
MarkerNames parse_marker_names(std::string_view json, std::string_view location);
MarkerNames read_marker_names(const std::filesystem::path& path);

struct MappedMarker {
    std::size_t point = 0;  ///< in Trial::markers
    MarkerLocation location;
};

/// What was found in a trial, and what not: every marker of the trial is in one of these lists.
struct MarkerMap {
    std::string set;  ///< the known set with the most labels: "plug-in-gait"; empty when none fits
    std::vector<MappedMarker> markers;
    std::vector<std::string> unlabelled;  ///< "*3": seen by the cameras, named by nobody
    std::vector<std::string> computed;    ///< points that a model computed ("LFEO", "RKJC"): no markers
    std::vector<std::string> unknown;     ///< labels that no table has
    std::vector<std::string> repeated;    ///< a second marker for the same location, and other subjects
    std::vector<std::string> unseen;      ///< known, but without a single sample

    /// Index into `markers` of a location, or -1.
    int find(std::string_view location) const;
};

/// Matches labels by table (Plug-in Gait, Helen Hayes, CMU, Cleveland Clinic, CAST clusters), ignoring case,
/// punctuation and the subject; the names given by the user come first. Of several subjects the one with the
/// most known labels is taken.
MarkerMap map_markers(const model::Points& markers, const MarkerNames& names = {});

/// Markers of one rigid segment: indices into Trial::markers of those that ride together.
std::vector<std::vector<std::size_t>> rigid_bodies(const MarkerMap& map);

/// Positions of all joints in one frame; not finite where unknown.
using JointPositions = std::vector<math::Vec3d>;

struct PositionResult {
    model::Clip clip;  ///< rotations of all joints, translations of the roots
    double rms = 0;    ///< distance of the joints from their positions
    double max = 0;
    std::vector<std::string>
        held;  ///< joints whose own bones have no position in any frame: they follow along
};

/// Joints with several bones are fitted rigidly (Kabsch 1976), joints with one bone by the smallest rotation
/// from their parent, the twist of thighs and upper arms by the plane of the bent knee or elbow. Frames at
/// `rate` a second; bones keep their lengths. Where a position is missing the joint keeps the rotation it
/// had, relative to its parent.
/// \param skeleton whose joints were measured
/// \param frames positions in the unit of the skeleton
/// \param rate frames per second
/// \return the clip of `skeleton`, and how far its joints are from the positions
/// \throws Error when a frame has not one position for every joint, or the rate is not above 0.
PositionResult rotations_from_positions(const model::Skeleton& skeleton,
                                        std::span<const JointPositions> frames, double rate);

/// Positions of the joints of a skeleton in every frame of a trial, in metres, +y up: of the points with the
/// plain name of a joint or, when no name fits and the numbers agree, of all points in order.
/// \throws Error that lists labels and joints when neither is so.
std::vector<JointPositions> joint_positions(const model::Trial& trial, const model::Skeleton& skeleton);

/// How many times as long as at rest the bones are between positions: the median over bones and frames; 1
/// when no bone was seen.
double bone_scale(const model::Skeleton& skeleton, std::span<const JointPositions> frames);

/// A point that rides on a joint: a marker, a joint centre.
struct Attachment {
    int joint = 0;
    math::Vec3d offset = math::Vec3d::Zero();  ///< in the joint's frame, metres
    double weight = 1;
};

/// Local rotation and translation of every joint.
struct Pose {
    std::vector<math::Quatd> rotation;
    std::vector<math::Vec3d> translation;
};

/// How the centre of the hip is found in the pelvis.
enum class HipRule {
    automatic,   ///< davis where the leg was measured, as Plug-in Gait does, else harrington
    harrington,  ///< from width and depth of the pelvis (Harrington 2007)
    davis,       ///< from the width of the pelvis and the length of the leg (Davis 1991)
};

/// A subject ready to be solved: attachment i is the marker of location `names[i]`.
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
};

struct RefineReport {
    int rounds = 0;
    double rms_before = 0;  ///< metres
    double rms_after = 0;
};

struct CalibrateReport {
    std::vector<std::size_t> frames;  ///< that were used
    double scale = 1;                 ///< of the body: the median of its segments
    double rms = 0;                   ///< of the markers over those frames, metres
    RefineReport refined;
    std::vector<std::string> without_segment;  ///< markers whose segment the skeleton does not have
};

/// How well two clusters agree on the joint between them.
struct ClusterJoint {
    std::string name;   ///< "left knee"
    double spread = 0;  ///< metres, root of the mean square
};

struct ClusterReport {
    std::vector<ClusterJoint> joints;
    std::vector<std::string> added;  ///< locations that were computed
    std::string missing;             ///< why there is no result
};

struct SolveOptions {
    CalibrateOptions calibrate;
    MarkerNames names;
    /// The result has the bones of the generic skeleton as they are: what was solved on a copy made to
    /// measure gives it the rotations of its joints and the path of its hips, and the ankles keep their
    /// height.
    bool keep_bones = false;
};

struct MarkerResidual {
    std::string label;  ///< in the file
    std::string location;
    std::string joint;        ///< that carries it
    std::size_t samples = 0;  ///< frames in which it was seen
    double rms = 0;           ///< metres
    double max = 0;
    std::size_t worst_frame = 0;
};

/// Markers of one pair whose labels look exchanged: each keeps its distance to the other's segment.
struct Swap {
    std::string first;
    std::string second;
};

struct SolveResult {
    model::Skeleton skeleton;  ///< of the subject
    model::Clip clip;
    SubjectModel subject;
    MarkerMap map;
    CalibrateReport calibration;
    ClusterReport clusters;   ///< of a trial of clusters alone; empty otherwise
    std::vector<Pose> poses;  ///< one for each frame
    std::vector<MarkerResidual> residuals;
    double rms = 0;  ///< metres, over all samples
    double max = 0;
    /// Standard deviation of one coordinate of a marker, as the residuals show it when what the pose took up
    /// is counted: sqrt(sum of squares / (coordinates - unknowns)).
    double noise = 0;
    std::vector<std::string> held;      ///< joints that nothing measures: they stay at rest
    std::vector<std::string> bridged;   ///< joints without markers of their own, between others
    std::vector<std::string> partly;    ///< joints of which some frames have no marker on them or beyond
    std::vector<std::size_t> unsolved;  ///< frames with fewer than three markers: the pose before is kept
    std::vector<Swap> swapped;
    double iterations = 0;  ///< mean of a frame
    bool still = false;     ///< nothing moves by more than 5 cm
};

/// Solves every frame for a subject that is known. Attachments are matched to markers by location.
/// \throws Error when the trial has no frames or none of the subject's markers.
SolveResult solve(const model::Trial& trial, const SubjectModel& subject, const SolveOptions& options = {},
                  Monitor& monitor = silent());

/// Calibrates the subject on `static_trial` when there is one, else on the trial itself, then solves. A trial
/// of clusters alone is completed first (complete_clusters), with the warning solve-clusters.
/// Warnings: what was not found (solve-unknown-labels, solve-unlabelled, solve-held), what does not fit
/// (solve-residual, solve-swapped, solve-unsolved, solve-still).
/// \param trial markers over time, cleaned before (clean)
/// \param generic skeleton that is made to measure; it faces +z at rest, +y up
/// \param options see SolveOptions
/// \param static_trial the same markers on a body that stands still, or null
/// \param monitor hears of progress and warnings
/// \return the moving skeleton, and how well it fits
/// \throws Error that says which markers were found when the pelvis is not among them, or when the body has
/// no human size.
SolveResult solve(const model::Trial& trial, const model::Skeleton& generic, const SolveOptions& options = {},
                  const model::Trial* static_trial = nullptr, Monitor& monitor = silent());

/// Pairs of left and right markers that ride with the other side: the distances of each to the other markers
/// of its own segment change much more than those to the segment of the other side.
std::vector<Swap> find_swaps(const model::Trial& trial, const MarkerMap& map);

}  // namespace sinew::motion
