#pragma once
/// \file
/// A production as a list of shots, grouped in sequences, and the one motion that they make.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/monitor.h"
#include "sinew/motion/blend_clips.h"

namespace sinew::motion {

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
    std::string place;  ///< in the list, for errors: "show.json: /sequences/0/shots/2"
};

struct Sequence {
    std::string name;
    std::vector<Shot> shots;
};

struct Production {
    std::string name;
    std::string rig;  ///< file whose skeleton plays it; that of the first shot when empty
    double rate = 0;  ///< frames a second; 0: the highest of the clips
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
/// \throws Error that lists what there is.
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
/// \throws Error with the place of the shot whose range is outside its clip, or whose fades are too long.
Produced produce(const Production& production, const model::Skeleton& skeleton, const ShotClip& clip_of,
                 const StepFinder& steps = {}, Monitor& monitor = silent());

}  // namespace sinew::motion
