// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Motions from files of any kind, and motions on characters.
///
/// \code
/// const model::Character scan = io::read("scan.obj").character;          // a mesh without a rig will do
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
    std::optional<model::Skeleton> skeleton;   ///< to move, its bones kept; without, a generic one is scaled
    std::optional<model::Trial> static_trial;  ///< of the same markers, to calibrate on
    bool clean = true;                         ///< spikes out, gaps filled, noise filtered before solving
    double cutoff = 6;                         ///< of that filter in Hz; 0 for none
};

struct SolvedTrial {
    motion::SolveResult result;
    std::optional<motion::CleanReport> cleaned;
    std::vector<bool> measured;  ///< joints that markers moved
    StageSeconds seconds;
};

/// Cleans a trial and solves its markers.
/// \param trial as it was measured
/// \param options of both
/// \param monitor progress and warnings
/// \throws Error when the markers cannot be solved; Cancelled.
SolvedTrial solve_trial(const model::Trial& trial, const SolveOptions& options = {},
                        Monitor& monitor = silent());

// --- Motions

struct MotionOptions {
    io::ReadOptions read;
    SolveOptions solve;  ///< of a file of markers
};

/// A skeleton that moves, from whatever a file holds.
struct Motion {
    std::filesystem::path path;      ///< names it in errors
    model::Character character;      ///< skeleton and clips; and a mesh, where the file has one
    model::ChannelSet channels;      ///< instead of both: values for joints by their numbers
    std::vector<bool> measured;      ///< joints that were measured: all but those that a solver held
    std::optional<SolvedTrial> fit;  ///< of markers
    std::vector<io::Guess> guesses;  ///< about units and axes of the file
    StageSeconds seconds;
};

/// BVH, AMC and the like as they are, curves of a gait cycle as a walking lower body, markers cleaned and
/// solved; arms without markers hang at the sides.
/// \param path the file
/// \param options of reading and solving
/// \param monitor progress and warnings
/// \throws Error that says what the file holds instead, or why it cannot be solved; Cancelled.
Motion load_motion(const std::filesystem::path& path, const MotionOptions& options = {},
                   Monitor& monitor = silent());
/// The same of a file that was read.
/// \param asset what the file holds
/// \param path its name; nothing is read from there
/// \param options of solving
/// \param monitor progress and warnings
Motion load_motion(io::Asset asset, const std::filesystem::path& path, const MotionOptions& options = {},
                   Monitor& monitor = silent());

// --- Onto characters

struct RetargetOptions {
    motion::RetargetOptions options;
    std::optional<motion::JointMap> map;  ///< which joint follows which; else matched by name and role
    std::filesystem::path map_file;       ///< the same as lines "target = source"
    std::filesystem::path save_map;       ///< where the joints that were matched are written, to be edited
};

/// Moves a clip onto a skeleton.
/// \param motion with clips or channels
/// \param clip by name or number; the first when it is empty
/// \param target the skeleton
/// \param options of retargeting
/// \param monitor progress and warnings
/// \return with a clip that has a name
/// \throws Error when there is no such clip, or no joint follows another; Cancelled.
motion::RetargetResult retarget(const Motion& motion, const std::string& clip, const model::Skeleton& target,
                                const RetargetOptions& options = {}, Monitor& monitor = silent());

struct AnimateOptions {
    std::string clip;  ///< of the motion, by name or number; the first when it is empty
    RetargetOptions retarget;
    RigOptions rig;  ///< for a mesh without a skin
    /// What is shown of the body where nothing was measured, so that it does not look as if it stood still.
    gait::Unmeasured unmeasured = gait::Unmeasured::ghost;
    bool rig_mesh = true;  ///< a mesh without a skin is rigged; else its skeleton is moved alone
    /// Radians by which the upper arms are held farther from the body than in the motion. Nothing: as far as
    /// keeps arms out of the body and what hands hold off the floor, and feet apart where legs would meet.
    std::optional<double> arm_space;
    bool keep_clips = false;  ///< the character's own clips stay, before those of the motion
    bool all_clips = false;   ///< every clip of the motion instead of one
    /// A motion of another kind of body, joints without roles and a skin that tears are warned of, not
    /// refused.
    bool force = false;
};

/// What became of a body in a motion, at twelve moments.
struct MotionCheck {
    double stretch = 0;  ///< length of edges over their length at rest; a thousandth of them are longer
    double height = 1;   ///< smallest height of the body over that at rest, against that of the motion's body
    double tilt = 0;     ///< radians that the trunk leans farther from upright than in the motion, at most
    double off_floor = 0;  ///< how far the lowest point leaves its usual level, in heights
};

/// What keeps limbs out of each other, out of the body and off the floor. Left, then right.
struct LimbSpace {
    std::array<double, 2> arms{};    ///< radians by which an upper arm is turned outwards, at most
    std::array<double, 2> elbows{};  ///< radians by which an elbow is bent, at most
    double step_width = 0;           ///< leg lengths that are added between the feet
};

struct AnimateResult {
    model::Character character;    ///< with the clip of the motion behind those that were kept
    std::optional<RigResult> rig;  ///< of a mesh that had no skin; its character has moved into `character`
    motion::RetargetResult retarget;      ///< of the last clip
    std::vector<std::string> unmeasured;  ///< joints
    LimbSpace space;                      ///< of the last clip
    std::optional<MotionCheck> check;     ///< of a character with a skin
    StageSeconds seconds;
};

/// Puts a motion on a rigged character, or on a mesh, which is rigged first.
/// \param character with a mesh
/// \param motion what it is to do
/// \param options of all stages
/// \param monitor progress and warnings
/// \throws Error of any stage; Cancelled.
AnimateResult animate(const model::Character& character, const Motion& motion,
                      const AnimateOptions& options = {}, Monitor& monitor = silent());

// --- Reports

/// Residuals of a fit, marker by marker, and what was not measured.
Json report_of(const motion::SolveResult& result);
/// What cleaning did.
Json report_of(const motion::CleanReport& cleaned);
/// Joints that follow, scale, and how far feet slide.
Json report_of(const motion::RetargetResult& result);
/// What keeps limbs out of the way, angles in degrees.
Json report_of(const LimbSpace& space);

}  // namespace sinew::pipeline
