// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Editing of clips: joining, mixing, layering, assembling from shots, looping, mirroring, key reduction,
/// comparison.
///
/// \code
/// const motion::LoopResult loop = motion::looped(skeleton, walk);
/// const motion::KeyReduction small = motion::reduce_keys(loop.clip, character, 0.001);
/// \endcode

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/monitor.h"
#include "sinew/model/character.h"
#include "sinew/model/clip.h"

namespace sinew::motion {

/// Step phase of a walk: increases by 1 per step; an even integer at each strike of the left foot, an odd one
/// at each strike of the right. Linear between strikes; beyond the first and last strike it continues with
/// the speed of the nearest step.
struct StepPhase {
    std::vector<double> times;   ///< times of the foot strikes in the clip, increasing; at least two
    std::vector<double> phases;  ///< increasing integers

    double phase_at(double time) const;
    double time_at(double phase) const;
};

/// Finds the steps of a clip; empty when it has none. See gait::find_step_phase.
using StepFinder = std::function<std::optional<StepPhase>(const model::Skeleton&, const model::Clip&)>;

/// One clip of a sequence and its transition from the previous clip.
struct JoinPiece {
    const model::Clip* clip = nullptr;
    std::string name;   ///< used in errors and warnings
    double fade = 0.3;  ///< length of the cross-fade from the previous clip in seconds; 0 cuts
    bool match_steps =
        false;  ///< synchronise the steps during the fade: this clip starts at a step of the same foot
    bool align =
        true;  ///< rotate and move the clip on the ground so that it continues where the previous one is
};

/// Time range of a piece in the result, fades included.
struct JoinedPart {
    double start = 0;
    double end = 0;
    double skipped = 0;  ///< seconds skipped at its beginning to synchronise steps
};

struct JoinOptions {
    double rate = 0;   ///< frames per second; 0 uses the highest rate of the pieces
    StepFinder steps;  ///< finds steps for pieces with `match_steps`
};

struct JoinResult {
    model::Clip clip;               ///< starts at time 0
    std::vector<JoinedPart> parts;  ///< one per piece
};

/// Joins clips one after the other. The last `fade` seconds of a piece overlap with the first of the next,
/// whose weight is 3 s^2 - 2 s^3 at the fraction s of the fade, so that the motion is continuous; the hips
/// coincide in the middle of the fade (align_on_ground). With `match_steps` the next piece starts at the
/// matching phase of its steps (StepPhase), and the playback speeds blend into each other during the fade.
/// \param skeleton the skeleton of all pieces
/// \param pieces in playback order
/// \param options rate and step finder
/// \param monitor receives progress, and the warning `blend-no-steps` for a piece without steps to match
/// \return the clip, and the time range of each piece in it
/// \throws Error with the piece's name when it has no length or is shorter than its fades
JoinResult join_clips(const model::Skeleton& skeleton, std::span<const JoinPiece> pieces,
                      const JoinOptions& options = {}, Monitor& monitor = silent());

struct MixOptions {
    double weight = 0.5;       ///< weight of the second clip, 0 to 1
    bool match_steps = false;  ///< synchronise steps; the result runs from the first common step to the last,
                               ///< and the length of each step is the weighted mean
    bool align = true;         ///< align the second clip with the start of the first
    double rate = 0;           ///< frames per second; 0 uses the higher rate of the two
    StepFinder steps;          ///< finds steps for `match_steps`
};
/// Plays two clips at once, averaged by weight. Without `match_steps` both play at their own speed until one
/// ends.
/// \return the clip, with the name of the first
/// \throws Error for a weight outside 0 to 1, or a clip without length
model::Clip mix_clips(const model::Skeleton& skeleton, const model::Clip& first, const model::Clip& second,
                      const MixOptions& options = {}, Monitor& monitor = silent());

struct LayerOptions {
    double weight = 1;                ///< weight of the layer, 0 to 1
    std::vector<std::string> joints;  ///< names of joints that follow the layer, together with their
                                      ///< descendants; empty means all joints
    double fade = 0;                  ///< fade-in and fade-out of the layer in seconds
    bool repeat = false;  ///< repeat a layer that is shorter than the base; otherwise it ends early
    double rate = 0;      ///< frames per second; 0 uses the higher rate of the two
};
/// Applies a layer to the base from its start. The result has the length of the base.
/// \throws Error for an unknown joint, a weight outside 0 to 1, or a clip without length
model::Clip layer_clips(const model::Skeleton& skeleton, const model::Clip& base, const model::Clip& layer,
                        const LayerOptions& options = {}, Monitor& monitor = silent());

/// A range of a clip and its transition from the previous shot.
struct Shot {
    std::string name;
    std::string file;             ///< file name as written in the list
    std::string clip;             ///< name or number of the clip in the file; empty means the first
    std::optional<double> start;  ///< start in seconds of the clip; empty means its first key
    std::optional<double> end;
    int repeat = 1;  ///< number of repetitions
    double fade = 0.3;
    bool match_steps = false;
    bool align = true;
    std::string location;  ///< location in the list for errors: "show.json: /sequences/0/shots/2"
};

struct Sequence {
    std::string name;
    std::vector<Shot> shots;
};

struct Production {
    std::string name;
    std::string rig;  ///< file with the skeleton to play on; empty uses that of the first shot
    double rate = 0;  ///< frames per second; 0 uses the highest rate of the clips
    std::vector<Sequence> sequences;
};

/// Reads a shot list in JSON:
///
///     {"production": "Morning", "rate": 30, "rig": "man.glb", "fade": 0.3,
///      "sequences": [
///        {"sequence": "Street", "match_steps": true,
///         "shots": [{"shot": "10", "file": "walk.bvh", "start": 0, "end": 2.5},
///                   {"shot": "20", "file": "moves.glb", "clip": "run", "fade": 0.5, "repeat": 2}]}]}
///
/// `fade`, `match_steps` and `align` apply to everything inside their object, unless an inner object sets
/// them again. Shots without a name are numbered 10, 20, ... as usual. Unknown keys give the warning
/// `shots-unknown-key`.
/// \throws Error with the line of invalid JSON, or the JSON pointer of an invalid value
Production parse_production(std::string_view json, std::string_view name, Monitor& monitor = silent());

/// Selects one sequence, one shot, or one shot of a sequence by name; empty names select all.
/// \throws Error that lists the names when none matches
Production selected(const Production& production, std::string_view sequence, std::string_view shot);

struct ProducedShot {
    std::string sequence;
    std::string shot;
    double start = 0;  ///< seconds of the production, the fade at its start included
    double end = 0;    ///< the fade of the next shot included
};

struct Produced {
    model::Clip clip;                 ///< has the name of the production
    std::vector<ProducedShot> shots;  ///< in playback order; a repeated shot appears once
};

/// Returns the whole clip of a shot, on the skeleton of the production.
using ShotClip = std::function<model::Clip(const Shot&)>;

/// Cuts the range of every shot and joins them (join_clips). Calls `clip_of` once per shot, in order; `steps`
/// is used for shots with `match_steps`.
/// \throws Error with the location of a shot whose range is outside its clip, or whose fades are too long
Produced produce(const Production& production, const model::Skeleton& skeleton, const ShotClip& clip_of,
                 const StepFinder& steps = {}, Monitor& monitor = silent());

/// Exchanges left and right by the roles of the joints: positions, and world rotations relative to rest, are
/// reflected across the plane x = 0. The rest pose should be symmetric about this plane. Joints without a
/// counterpart are reflected onto themselves. The result is sampled at the clip's rate.
model::Clip mirrored(const model::Skeleton& skeleton, const model::Clip& clip);

struct SmoothResult {
    model::Clip clip;      ///< at the rate of the input
    double moved_max = 0;  ///< largest distance that a joint moved
};
/// Applies a zero-lag low-pass filter to all tracks (zero_lag_butterworth); `cutoff` in Hz.
/// \throws Error when the cut-off does not fit the rate
SmoothResult smoothed(const model::Skeleton& skeleton, const model::Clip& clip, double cutoff);

struct LoopOptions {
    double start = -1;  ///< start of the range to repeat in seconds; negative searches for the best range
    double end = -1;
    bool in_place = true;  ///< remove the horizontal travel of the root
};

struct LoopResult {
    model::Clip clip;  ///< its last key equals its first
    double start = 0;  ///< in seconds of the input clip
    double end = 0;
    double seam = 0;  ///< largest joint rotation between the two ends before blending, in radians
    math::Vec3d travel = math::Vec3d::Zero();  ///< travel of the root during one cycle, in metres
};

/// Makes a clip loop: uses the given range, or the best repeating range of at least half a second. The last
/// tenth is blended so that its end equals its start.
/// \param skeleton,clip the motion
/// \param options the range, and whether the loop stays in place
/// \return the loop and its range in the clip
/// \throws Error when the clip has fewer than two frames, or the range is outside it
LoopResult looped(const model::Skeleton& skeleton, const model::Clip& clip, const LoopOptions& options = {});

struct KeyReduction {
    model::Clip clip;
    std::size_t keys_before = 0;
    std::size_t keys_after = 0;
    double largest_error =
        0;  ///< largest distance of a point from its original position, over all frames of the clip
};

/// Removes keys while all points stay within a tolerance. Each key list is thinned greedily: from one key to
/// the farthest for which all keys in between are within the list's tolerance of the interpolation. A joint's
/// tolerance is a common tolerance divided by the distance of its farthest points, because a rotation moves
/// far points more. The common tolerance is found by bisection; each candidate is verified by moving all
/// points in all frames, so that the largest error never exceeds `tolerance`. Cubic keys are not changed.
/// \param clip a clip of the character
/// \param character its skin, or its joints if it has none, provides the points
/// \param tolerance largest distance of a point from its original position, in the unit of the character
/// \param monitor receives progress
/// \return the clip with fewer keys, and the largest error
/// \throws Error when the clip does not fit the skeleton
KeyReduction reduce_keys(const model::Clip& clip, const model::Character& character, double tolerance,
                         Monitor& monitor = silent());
/// The same without a skin: the points are joints, tips, and three points on the axes of every joint at a
/// distance of a twentieth of the skeleton's height, so that twists and rotations of leaf joints count.
KeyReduction reduce_keys(const model::Clip& clip, const model::Skeleton& skeleton, double tolerance,
                         Monitor& monitor = silent());

/// Number of keys in all tracks.
std::size_t key_count(const model::Clip& clip);

/// Differences between the positions of joints with the same name (see plain_name), in the unit of the
/// reference and in percent of its skeleton's height.
struct MotionDifference {
    std::size_t joints = 0;          ///< compared joints
    std::size_t frames = 0;          ///< frames of the reference
    double mean_position_error = 0;  ///< mean over all joints and frames
    double max_position_error = 0;
    double mean_percent = 0;
    double max_percent = 0;
    std::string worst_joint;  ///< joint with the largest error, by its name in the reference
    double worst_time = 0;
};

/// Compares two motions, sampled at the frame times of the reference; before and after its keys a clip holds
/// its first and last pose. A clip without keys holds the rest pose.
/// \return differences over all common joints and all frames of the reference
/// \throws Error when the skeletons have no joint in common
MotionDifference compare(const model::Skeleton& reference, const model::Clip& reference_clip,
                         const model::Skeleton& other, const model::Clip& other_clip);

}  // namespace sinew::motion
