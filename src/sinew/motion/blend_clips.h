#pragma once
/// \file
/// Clips of one skeleton one after the other, mixed by weight, or one over the other.

#include <string>

#include "sinew/base/monitor.h"
#include "sinew/model/clip.h"
#include "sinew/motion/step_phase.h"

namespace sinew::motion {

/// A clip in a row, and how it comes in after the one before it.
struct JoinPiece {
    const model::Clip* clip = nullptr;
    std::string name;          ///< for errors and warnings
    double fade = 0.3;         ///< seconds of the clip before in which this one takes over; 0 cuts
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
    double rate = 0;   ///< frames a second; 0: the highest of the pieces
    StepFinder steps;  ///< for pieces with `match_steps`
};

struct JoinResult {
    model::Clip clip;               ///< from time 0
    std::vector<JoinedPart> parts;  ///< one for each piece
};

/// Plays pieces one after the other. The last `fade` seconds of a piece play together with the first of the
/// next, whose weight is 3 s^2 - 2 s^3 for the share s of the fade, so that nothing jumps; hips meet in the
/// middle of the fade (meeting_move). With `match_steps` both keep in step (StepPhase): the next piece starts
/// where its own feet are as the feet of the one before are, and both speeds go over into each other. Warning
/// `blend-no-steps` when a piece has no steps to match.
/// \throws Error with the piece's name when it has no length, or is shorter than its fades.
JoinResult join_clips(const model::Skeleton& skeleton, std::span<const JoinPiece> pieces,
                      const JoinOptions& options = {}, Monitor& monitor = silent());

struct MixOptions {
    double weight = 0.5;       ///< of the second clip, 0 to 1
    bool match_steps = false;  ///< bring the steps together; the result lasts from the first common one to
                               ///< the last, each as long as the weighted mean
    bool align = true;         ///< bring the second to where the first begins
    double rate = 0;           ///< frames a second; 0: the higher of both
    StepFinder steps;          ///< for `match_steps`
};
/// Both at once, averaged by weight. Without `match_steps` each plays at its own speed until one ends.
/// \throws Error for a weight outside 0 to 1, or a clip of no length.
model::Clip mix_clips(const model::Skeleton& skeleton, const model::Clip& first, const model::Clip& second,
                      const MixOptions& options = {}, Monitor& monitor = silent());

struct LayerOptions {
    double weight = 1;                ///< of the layer, 0 to 1
    std::vector<std::string> joints;  ///< these with all below them follow the layer; empty: all joints
    double fade = 0;                  ///< seconds in which the layer comes and goes
    bool repeat = false;  ///< a layer that is shorter than the base begins again; otherwise it ends there
    double rate = 0;      ///< frames a second; 0: the higher of both
};
/// The base, with the layer over it from the start on. The result is as long as the base.
/// \throws Error for a joint that is not there, a weight outside 0 to 1, or a clip of no length.
model::Clip layer_clips(const model::Skeleton& skeleton, const model::Clip& base, const model::Clip& layer,
                        const LayerOptions& options = {}, Monitor& monitor = silent());

}  // namespace sinew::motion
