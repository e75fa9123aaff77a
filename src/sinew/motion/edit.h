// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Editing of clips: joined, mixed, layered, made of shots, looped, mirrored, with fewer keys, compared.
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

/// Grows by 1 with each step: even where the left foot strikes, odd where the right does, straight between
/// and, beyond the ends, as fast as the step at that end.
struct StepPhase {
    std::vector<double> times;   ///< of the strikes, rising, in the clip's own time; at least two
    std::vector<double> phases;  ///< rising whole numbers

    double phase_at(double time) const;
    double time_at(double phase) const;
};

/// Finds the steps of a clip, or none: gait::find_step_phase.
using StepFinder = std::function<std::optional<StepPhase>(const model::Skeleton&, const model::Clip&)>;

/// A clip in a row, and how it comes in after the one before it.
struct JoinPiece {
    const model::Clip* clip = nullptr;
    std::string name;          ///< for errors and warnings
    double fade = 0.3;         ///< seconds of cross-fade from the clip before; 0 cuts
    bool match_steps = false;  ///< both walk in step during the fade: this one begins with the same foot
    bool align = true;         ///< turned and shifted over the ground to where the one before is
};

/// Where a piece is heard of in the result, with its fades.
struct JoinedPart {
    double start = 0;
    double end = 0;
    double skipped = 0;  ///< seconds of its beginning left out to be in step
};

struct JoinOptions {
    double rate = 0;   ///< frames per second; 0: the highest of the pieces
    StepFinder steps;  ///< for pieces with `match_steps`
};

struct JoinResult {
    model::Clip clip;               ///< from time 0
    std::vector<JoinedPart> parts;  ///< one for each piece
};

/// Plays pieces one after the other. The last `fade` seconds of a piece play together with the first of the
/// next, whose weight is 3 s^2 - 2 s^3 for the share s of the fade, so that nothing jumps; hips meet in the
/// middle of the fade (align_on_ground). With `match_steps` both keep in step (StepPhase): the next piece
/// starts where its own feet are as the feet of the one before are, and both speeds go over into each other.
/// Warning `blend-no-steps` when a piece has no steps to match.
/// \param skeleton that all pieces move
/// \param pieces in their order
/// \param options rate, and what finds steps
/// \param monitor hears of progress and warnings
/// \return the clip, and where each piece is in it
/// \throws Error with the piece's name when it has no length, or is shorter than its fades.
JoinResult join_clips(const model::Skeleton& skeleton, std::span<const JoinPiece> pieces,
                      const JoinOptions& options = {}, Monitor& monitor = silent());

struct MixOptions {
    double weight = 0.5;       ///< of the second clip, 0 to 1
    bool match_steps = false;  ///< bring the steps together; the result lasts from the first common one to
                               ///< the last, each as long as the weighted mean
    bool align = true;         ///< bring the second to where the first begins
    double rate = 0;           ///< frames per second; 0: the higher of both
    StepFinder steps;          ///< for `match_steps`
};
/// Both at once, averaged by weight. Without `match_steps` each plays at its own speed until one ends.
/// \return the clip, named as the first
/// \throws Error for a weight outside 0 to 1, or a clip of no length.
model::Clip mix_clips(const model::Skeleton& skeleton, const model::Clip& first, const model::Clip& second,
                      const MixOptions& options = {}, Monitor& monitor = silent());

struct LayerOptions {
    double weight = 1;                ///< of the layer, 0 to 1
    std::vector<std::string> joints;  ///< these with all below them follow the layer; empty: all joints
    double fade = 0;                  ///< seconds in which the layer comes and goes
    bool repeat = false;  ///< a layer that is shorter than the base begins again; otherwise it ends there
    double rate = 0;      ///< frames per second; 0: the higher of both
};
/// The base, with the layer over it from the start on. The result is as long as the base.
/// \throws Error for a joint that is not there, a weight outside 0 to 1, or a clip of no length.
model::Clip layer_clips(const model::Skeleton& skeleton, const model::Clip& base, const model::Clip& layer,
                        const LayerOptions& options = {}, Monitor& monitor = silent());

/// A part of a clip and how it comes in.
struct Shot {
    std::string name;
    std::string file;             ///< as the list names it
    std::string clip;             ///< name or number in the file; the first when empty
    std::optional<double> start;  ///< seconds of the clip; its start without
    std::optional<double> end;
    int repeat = 1;  ///< times in a row
    double fade = 0.3;
    bool match_steps = false;
    bool align = true;
    std::string location;  ///< in the list, for errors: "show.json: /sequences/0/shots/2"
};

struct Sequence {
    std::string name;
    std::vector<Shot> shots;
};

struct Production {
    std::string name;
    std::string rig;  ///< file whose skeleton plays it; that of the first shot when empty
    double rate = 0;  ///< frames per second; 0: the highest of the clips
    std::vector<Sequence> sequences;
};

/// Reads a list in JSON:
///
///     {"production": "Morning", "rate": 30, "rig": "man.glb", "fade": 0.3,
///      "sequences": [
///        {"sequence": "Street", "match_steps": true,
///         "shots": [{"shot": "10", "file": "walk.bvh", "start": 0, "end": 2.5},
///                   {"shot": "20", "file": "moves.glb", "clip": "run", "fade": 0.5, "repeat": 2}]}]}
///
/// `fade`, `match_steps` and `align` hold for all that is inside, until something inside says otherwise.
/// Shots without a name are numbered 10, 20, ... as is the custom. Warning `shots-unknown-key` for words that
/// are not known.
/// \throws Error with the line of broken JSON, or the JSON pointer of what is wrong.
Production parse_production(std::string_view json, std::string_view name, Monitor& monitor = silent());

/// Only the sequence, the shot, or the shot of the sequence with these names; empty names choose all.
/// \throws Error that lists the names.
Production selected(const Production& production, std::string_view sequence, std::string_view shot);

struct ProducedShot {
    std::string sequence;
    std::string shot;
    double start = 0;  ///< seconds of the production, with the fade at its start
    double end = 0;    ///< with the fade of the next
};

struct Produced {
    model::Clip clip;                 ///< named as the production
    std::vector<ProducedShot> shots;  ///< in order; a repeated shot once
};

/// The clip of a shot on the skeleton of the production, whole.
using ShotClip = std::function<model::Clip(const Shot&)>;

/// Takes the range of every shot and joins them (join_clips). Calls `clip_of` once for each shot, in order;
/// `steps` is for shots in step.
/// \throws Error with the position of the shot whose range is outside its clip, or whose fades are too long.
Produced produce(const Production& production, const model::Skeleton& skeleton, const ShotClip& clip_of,
                 const StepFinder& steps = {}, Monitor& monitor = silent());

/// Left becomes right, by the roles of the joints: world rotations since rest and positions are reflected
/// across the plane x = 0. The skeleton should stand symmetrically about it at rest. Joints without a partner
/// reflect onto themselves. Sampled at the clip's rate.
model::Clip mirrored(const model::Skeleton& skeleton, const model::Clip& clip);

struct SmoothResult {
    model::Clip clip;      ///< at the rate of the given one
    double moved_max = 0;  ///< largest distance that a joint was moved
};
/// All tracks through a low-pass filter without delay (zero_lag_butterworth), with `cutoff` in Hz.
/// \throws Error when the cut-off does not fit the rate.
SmoothResult smoothed(const model::Skeleton& skeleton, const model::Clip& clip, double cutoff);

struct LoopOptions {
    double start = -1;  ///< seconds; with `end` the part to repeat. Negative: the best is looked for
    double end = -1;
    bool in_place = true;  ///< the horizontal travel of the root is removed
};

struct LoopResult {
    model::Clip clip;  ///< the last key equals the first
    double start = 0;  ///< in the given clip
    double end = 0;
    double seam = 0;  ///< largest rotation between both ends before blending, radians
    math::Vec3d travel = math::Vec3d::Zero();  ///< of the root over one round, in metres
};

/// The part of a clip that repeats best, at least half a second, or the one that is named; the last tenth is
/// bent so that its end meets its start.
/// \param skeleton,clip the motion
/// \param options the part, and whether it stays in place
/// \return the loop, and where it was found
/// \throws Error when the clip is shorter than two frames, or the part is not in it.
LoopResult looped(const model::Skeleton& skeleton, const model::Clip& clip, const LoopOptions& options = {});

struct KeyReduction {
    model::Clip clip;
    std::size_t keys_before = 0;
    std::size_t keys_after = 0;
    double largest_error = 0;  ///< of a point over the frames of the clip
};

/// Every key list is thinned greedily: from a key to the farthest one such that all keys between stay within
/// the list's tolerance of the straight line (or the rotation) between the two. The tolerance of a list is
/// the common one divided by how far the joint's points are from it, because that is how a rotation is seen;
/// the common one is then searched for by halving, each try verified by moving every point in every frame, so
/// that the largest error found is never above `tolerance`, a distance in the character's unit. Cubic keys
/// stay as they are.
/// \param clip of the character
/// \param character whose skin, or without one whose joints, show the difference
/// \param tolerance largest distance of a point from where it was
/// \param monitor hears of progress
/// \return the clip with fewer keys, and the largest distance that was found
/// \throws Error when the clip does not fit the skeleton.
KeyReduction reduce_keys(const model::Clip& clip, const model::Character& character, double tolerance,
                         Monitor& monitor = silent());
/// The same without a skin: points are joints, tips, and three points along the axes of every joint, a
/// twentieth of the skeleton's height away, so that twists and the rotations of leaves count.
KeyReduction reduce_keys(const model::Clip& clip, const model::Skeleton& skeleton, double tolerance,
                         Monitor& monitor = silent());

/// Keys of all tracks.
std::size_t key_count(const model::Clip& clip);

/// Distances between joints of the same name (see plain_name), in the units of the reference and in percent
/// of its skeleton's height.
struct MotionDifference {
    std::size_t joints = 0;          ///< compared
    std::size_t frames = 0;          ///< of the reference
    double mean_position_error = 0;  ///< over all joints and frames
    double max_position_error = 0;
    double mean_percent = 0;
    double max_percent = 0;
    std::string worst_joint;  ///< where the largest error is (name in the reference)
    double worst_time = 0;
};

/// Both motions are sampled at the frame times of the reference; each clamps beyond its own ends. A clip
/// without keys holds the rest pose.
/// \return distances over all joints with a partner and all frames of the reference
/// \throws Error when no joint of the one has a partner in the other.
MotionDifference compare(const model::Skeleton& reference, const model::Clip& reference_clip,
                         const model::Skeleton& other, const model::Clip& other_clip);

}  // namespace sinew::motion
