// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Loading motions from files of any kind, and moving them to characters.
///
/// \code
/// const model::Character scan = io::read("scan.obj").character;          // a mesh; a rig is not required
/// const pipeline::Motion walk = pipeline::load_motion("trial.c3d");      // markers are cleaned and solved
/// const pipeline::AnimateResult made = pipeline::animate(scan, walk);
/// io::write("walking.glb", made.character);
/// \endcode

#include <array>
#include <filesystem>
#include <optional>

#include "sinew/gait/gait.h"
#include "sinew/io/io.h"
#include "sinew/motion/clean.h"
#include "sinew/motion/retarget.h"
#include "sinew/motion/solve.h"
#include "sinew/pipeline/rig.h"

namespace sinew::pipeline {

// --- Markers

struct SolveOptions {
    motion::SolveOptions solve;
    std::optional<model::Skeleton>
        skeleton;  ///< skeleton to move, with its bone lengths kept; if empty, a generic one is scaled
    std::optional<model::Trial> static_trial;  ///< trial with the same markers for calibration
    bool clean = true;                         ///< remove spikes, fill gaps and filter noise before solving
    double cutoff = 6;                         ///< cut-off frequency of this filter in Hz; 0 skips it
};

struct SolvedTrial {
    motion::SolveResult result;
    std::optional<motion::CleanReport> cleaned;
    std::vector<bool> measured;  ///< per joint: whether markers moved it
    StageSeconds seconds;
};

/// Cleans a trial and solves its markers.
/// \param trial the trial as measured
/// \param options of cleaning and solving
/// \param monitor receives progress and warnings
/// \throws Error when the markers cannot be solved
/// \throws Cancelled when the monitor cancels
SolvedTrial solve_trial(const model::Trial& trial, const SolveOptions& options = {},
                        Monitor& monitor = silent());

// --- Motions

struct MotionOptions {
    io::ReadOptions read;
    SolveOptions solve;  ///< for files with markers
};

/// A moving skeleton, loaded from a file of any kind.
struct Motion {
    std::filesystem::path path;  ///< name in errors
    model::Character character;  ///< skeleton and clips, and the mesh if the file has one
    model::ChannelSet channels;  ///< instead of skeleton and clips: values for joints by number
    std::vector<bool>
        measured;  ///< per joint: whether it was measured; false for joints that the solver kept at rest
    std::optional<SolvedTrial> fit;  ///< result of solving, for markers
    std::vector<io::Guess> guesses;  ///< about units and axes of the file
    StageSeconds seconds;
};

/// Loads a motion. Motion files (BVH, AMC ...) are used directly, curves of a gait cycle become a walking
/// lower body, markers are cleaned and solved; arms without markers hang at the sides.
/// \param path the file
/// \param options of reading and solving
/// \param monitor receives progress and warnings
/// \throws Error that states what the file contains instead, or why it cannot be solved
/// \throws Cancelled when the monitor cancels
Motion load_motion(const std::filesystem::path& path, const MotionOptions& options = {},
                   Monitor& monitor = silent());
/// The same for a file that is already read.
/// \param asset content of the file
/// \param path its name in messages; nothing is read from it
/// \param options of solving
/// \param monitor receives progress and warnings
Motion load_motion(io::Asset asset, const std::filesystem::path& path, const MotionOptions& options = {},
                   Monitor& monitor = silent());

// --- Moving motions to characters

struct RetargetOptions {
    motion::RetargetOptions options;
    std::optional<motion::JointMap>
        map;  ///< source joint for each target joint; if empty, joints are matched by name and role
    std::filesystem::path map_file;  ///< the same from a file with lines "target = source"
    std::filesystem::path save_map;  ///< file to write the matched joints to, for editing
};

/// Moves a clip to a skeleton.
/// \param motion with clips or channels
/// \param clip name or number; empty means the first
/// \param target the skeleton
/// \param options of retargeting
/// \param monitor receives progress and warnings
/// \return the result; its clip has a name
/// \throws Error when there is no such clip, or no joint could be matched
/// \throws Cancelled when the monitor cancels
motion::RetargetResult retarget(const Motion& motion, const std::string& clip, const model::Skeleton& target,
                                const RetargetOptions& options = {}, Monitor& monitor = silent());

struct AnimateOptions {
    std::string clip;  ///< name or number of the motion's clip; empty means the first
    RetargetOptions retarget;
    RigOptions rig;  ///< used for a mesh without a skin
    /// How body parts without measurements are displayed; drawing them normally would suggest that they did
    /// not move.
    gait::Unmeasured unmeasured = gait::Unmeasured::ghost;
    bool rig_mesh = true;  ///< rig a mesh without a skin; otherwise only its skeleton is moved
    /// Angle in radians by which the upper arms are rotated away from the body. If empty, it is computed:
    /// arms stay out of the body, held objects stay above the floor, and feet are moved apart where legs
    /// would intersect.
    std::optional<double> arm_space;
    bool keep_clips = false;  ///< keep the character's own clips, before those of the motion
    bool all_clips = false;   ///< use all clips of the motion instead of one
    /// Only warn, instead of failing, when the motion is for another kind of body, joints have no roles, or
    /// the skin tears.
    bool force = false;
};

/// Measures of the body in the motion, at twelve times.
struct MotionCheck {
    double stretch = 0;  ///< ratio of edge lengths to their rest lengths that one edge in a thousand exceeds
    double height =
        1;  ///< smallest height of the body relative to rest, divided by the same for the body of the motion
    double tilt = 0;       ///< largest additional lean of the trunk in radians, compared with the motion
    double off_floor = 0;  ///< how far the lowest point leaves its usual level, in body heights
};

/// Adjustments that keep limbs out of each other, out of the body and above the floor; left, then right.
struct LimbSpace {
    std::array<double, 2> arms{};    ///< largest outward rotation of the upper arm in radians
    std::array<double, 2> elbows{};  ///< largest additional bend of the elbow in radians
    double step_width = 0;           ///< additional distance between the feet, in leg lengths
};

struct AnimateResult {
    model::Character character;  ///< with the new clip after any kept clips
    std::optional<RigResult>
        rig;  ///< for a mesh without a skin; its character has been moved into `character`
    motion::RetargetResult retarget;      ///< of the last clip
    std::vector<std::string> unmeasured;  ///< names of joints without measurements
    LimbSpace space;                      ///< for the last clip
    std::optional<MotionCheck> check;     ///< for a character with a skin
    StageSeconds seconds;
};

/// Applies a motion to a rigged character, or to a mesh, which is rigged first.
/// \param character with a mesh
/// \param motion the motion to apply
/// \param options of all stages
/// \param monitor receives progress and warnings
/// \throws Error of any stage
/// \throws Cancelled when the monitor cancels
AnimateResult animate(const model::Character& character, const Motion& motion,
                      const AnimateOptions& options = {}, Monitor& monitor = silent());

// --- Reports

/// Residuals of all markers, and joints without measurements.
Json report_of(const motion::SolveResult& result);
/// Statistics of cleaning.
Json report_of(const motion::CleanReport& cleaned);
/// Matched joints, scale, and sliding of the feet.
Json report_of(const motion::RetargetResult& result);
/// Adjustments of the limbs, angles in degrees.
Json report_of(const LimbSpace& space);

}  // namespace sinew::pipeline
