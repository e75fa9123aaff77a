#pragma once
/// \file
/// From markers to a moving skeleton.

#include <string>
#include <vector>

#include "sinew/base/monitor.h"
#include "sinew/model/clip.h"
#include "sinew/motion/calibrate.h"
#include "sinew/motion/clusters.h"

namespace sinew::motion {

struct SolveOptions {
    CalibrateOptions calibrate;
    PoseOptions pose;
    MarkerNames names;
    /// The result has the bones of the generic skeleton as they are: what was solved on a copy made to
    /// measure lends it the turns of its joints and the way of its hips, and the ankles keep their height.
    bool keep_bones = false;
    double warn_rms = 0.015;  ///< metres: markers that fit worse are named
};

struct MarkerResidual {
    std::string label;  ///< in the file
    std::string place;
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

/// Solves every frame for a subject that is known. Attachments are matched to markers by place.
/// \throws Error when the trial has no frames or none of the subject's markers.
SolveResult solve(const model::Trial& trial, const SubjectModel& subject, const SolveOptions& options = {},
                  Monitor& monitor = silent());

/// Calibrates the subject on `static_trial` when there is one, else on the trial itself, then solves. A trial
/// of clusters alone is completed first (complete_clusters), which the warning solve-clusters tells.
/// Warnings: what was not found (solve-unknown-labels, solve-unlabelled, solve-held), what does not fit
/// (solve-residual, solve-swapped, solve-unsolved, solve-still).
/// \throws Error as calibrate does.
SolveResult solve(const model::Trial& trial, const model::Skeleton& generic, const SolveOptions& options = {},
                  const model::Trial* static_trial = nullptr, Monitor& monitor = silent());

/// Pairs of left and right markers that ride with the other side: the distances of each to the other markers
/// of its own segment change much more than those to the segment of the other side.
std::vector<Swap> find_swaps(const model::Trial& trial, const MarkerMap& map);

}  // namespace sinew::motion
