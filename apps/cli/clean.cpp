// SPDX-License-Identifier: MIT
// sinew clean: trims, filters, fills, mirrors or loops motions and trials, or reduces their keys.

#include "sinew/motion/clean.h"

#include "common.h"

#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/motion/edit.h"
#include "sinew/motion/solve.h"

namespace sinew::cli {
namespace {

struct CleanArguments {
    std::filesystem::path input;
    std::filesystem::path output;
    std::filesystem::path skeleton;
    std::string clip;
    std::string trim;
    bool spikes = false;
    bool gaps = false;
    bool mirror = false;
    bool loop = false;
    bool keep_travel = false;
    bool to_rotations = false;
    double cutoff = 0;
    double rate = 0;
    std::optional<double> tolerance;
    io::ReadOptions read;

    bool anything() const {
        return !trim.empty() || spikes || gaps || mirror || loop || to_rotations || cutoff > 0 || rate > 0 ||
               tolerance;
    }
};

/// "0.5..2.0", "0.5.." or "..2.0" in seconds, within the existing range.
model::TimeRange parse_trim(const std::string& text, const model::TimeRange& whole) {
    const std::size_t dots = text.find("..");
    model::TimeRange range = whole;
    const auto read = [&](std::string_view word, double& value) {
        return word.empty() || parse_exact(word, value);
    };
    const bool good = dots != std::string::npos &&
                      read(std::string_view(text).substr(0, dots), range.start) &&
                      read(std::string_view(text).substr(dots + 2), range.end);
    if (!good) fail("", "--trim takes seconds from..to, such as 0.5..2.0, not \"{}\"", text);
    if (!(range.end > range.start) || range.start < whole.start - 1e-6 || range.end > whole.end + 1e-6)
        fail("", "--trim {} is outside the motion, which runs from {:.3f} to {:.3f} s", text, whole.start,
             whole.end);
    return range;
}

void refuse(bool given, std::string_view option, std::string_view why) {
    if (given) fail("", "{} {}", option, why);
}

/// Trims, removes spikes, fills gaps, filters; also mirrors and resamples unless the trial becomes a motion
/// first.
model::Trial cleaned_trial(Run& run, const CleanArguments& options, model::Trial trial) {
    Json& extra = run.report.extra;
    extra["frames_before"] = trial.frames;
    if (!options.trim.empty()) {
        const model::TimeRange range = parse_trim(options.trim, {0, trial.duration()});
        trial = motion::trimmed(trial, static_cast<std::size_t>(std::lround(range.start * trial.rate)),
                                static_cast<std::size_t>(std::lround(range.end * trial.rate)));
    }
    if (options.spikes || options.gaps || options.cutoff > 0) {
        motion::CleanOptions clean;
        clean.spikes = options.spikes;
        clean.gaps = options.gaps;
        clean.cutoff = options.cutoff;
        motion::CleanResult result = motion::clean(trial, clean, run.monitor);
        trial = std::move(result.trial);
        const motion::CleanReport& report = result.report;
        if (options.spikes) extra["spikes"] = report.spikes;
        if (options.gaps)
            extra["gaps"] = {{"spline", report.gaps.spline},
                             {"rigid", report.gaps.rigid},
                             {"left", report.gaps.left.size()}};
        if (options.cutoff > 0) {
            extra["moved_rms_mm"] = 1000 * report.moved_rms;
            extra["moved_max_mm"] = 1000 * report.moved_max;
        }
        run.say("{} removed, {} filled; the filter moved markers by {:.2f} mm rms, {:.2f} mm at most",
                count_of(report.spikes, "spike"),
                count_of(report.gaps.spline + report.gaps.rigid, "missing sample"), 1000 * report.moved_rms,
                1000 * report.moved_max);
    }
    if (options.mirror && !options.to_rotations) trial = motion::mirrored(trial);
    if (options.rate > 0 && !options.to_rotations) trial = motion::resampled(trial, options.rate);
    extra["frames"] = trial.frames;
    return trial;
}

/// The points of a trial as the motion of a skeleton, which is scaled if the lengths of its bones differ from
/// the points.
model::Character moved_skeleton(Run& run, const CleanArguments& options, const model::Trial& trial) {
    if (options.skeleton.empty()) fail("", "--to-rotations needs a skeleton with these joints: --skeleton");
    model::Character character = load(run, options.skeleton, options.read).character;
    if (!character.has_skeleton()) fail(options.skeleton.string(), "holds no skeleton");
    const std::vector<motion::JointPositions> frames = motion::joint_positions(trial, character.skeleton);
    const double scale = motion::bone_scale(character.skeleton, frames);
    if (std::abs(scale - 1) > 0.02) model::apply(character, {.scale = scale});
    motion::PositionResult result = motion::rotations_from_positions(character.skeleton, frames, trial.rate);
    run.report.extra["positions"] = {{"scale", std::abs(scale - 1) > 0.02 ? scale : 1.0},
                                     {"rms_mm", 1000 * result.rms},
                                     {"max_mm", 1000 * result.max},
                                     {"held", result.held}};
    run.say("joints are {:.2f} mm rms from their positions, {:.2f} mm at most", 1000 * result.rms,
            1000 * result.max);
    result.clip.name = options.input.stem().string();
    character.clips = {std::move(result.clip)};
    return character;
}

Json cleaned_clip(Run& run, const CleanArguments& options, const model::Character& character,
                  model::Clip& clip) {
    const model::Skeleton& skeleton = character.skeleton;
    Json row = {{"clip", clip.name},
                {"frames_before", model::frame_count(clip)},
                {"keys_before", motion::key_count(clip)}};
    if (!options.trim.empty() && !options.to_rotations) {
        const model::TimeRange range = parse_trim(options.trim, model::time_range(clip));
        clip = model::trimmed(clip, range.start, range.end);
    }
    if (options.cutoff > 0 && !options.to_rotations) {
        motion::SmoothResult smooth = motion::smoothed(skeleton, clip, options.cutoff);
        clip = std::move(smooth.clip);
        row["moved_max"] = smooth.moved_max;
    }
    if (options.mirror) clip = motion::mirrored(skeleton, clip);
    if (options.loop) {
        // A range that the user chose is the loop; otherwise the best one is searched for.
        motion::LoopOptions part;
        part.in_place = !options.keep_travel;
        if (!options.trim.empty()) {
            part.start = model::time_range(clip).start;
            part.end = model::time_range(clip).end;
        }
        motion::LoopResult loop = motion::looped(skeleton, clip, part);
        row["loop"] = {{"start", loop.start},
                       {"end", loop.end},
                       {"seam_degrees", math::degrees(loop.seam)},
                       {"travel", {loop.travel.x(), loop.travel.y(), loop.travel.z()}}};
        run.say("  loop from {:.3f} to {:.3f} s, {:.1f} degrees apart before they were joined", loop.start,
                loop.end, math::degrees(loop.seam));
        clip = std::move(loop.clip);
    }
    if (options.rate > 0) clip = model::resampled(clip, options.rate);
    if (options.tolerance) {
        motion::KeyReduction reduced = motion::reduce_keys(clip, character, *options.tolerance, run.monitor);
        clip = std::move(reduced.clip);
        row["largest_error"] = reduced.largest_error;
        run.say("  {} keys instead of {}; {} is at most {:.3g} off", reduced.keys_after, reduced.keys_before,
                character.has_skin() ? "the skin" : "a joint", reduced.largest_error);
    }
    row["frames"] = model::frame_count(clip);
    row["keys"] = motion::key_count(clip);
    row["duration"] = model::time_range(clip).duration();
    return row;
}

void clean_character(Run& run, const CleanArguments& options, io::Asset& asset) {
    model::Character& character = asset.character;
    const model::Clip* const chosen = options.clip.empty() ? nullptr : clip_named(character, options.clip);
    Json& rows = run.report.extra["clips"] = Json::array();
    for (model::Clip& clip : character.clips) {
        if (chosen != nullptr && chosen != &clip) continue;
        rows.push_back(cleaned_clip(run, options, character, clip));
    }
    asset.channels = {};  // they contain the motion before cleaning
}

void execute_clean(CleanArguments& options, Run& run) {
    check_output(run, options.output, {output::models, output::trials, output::pictures});
    if (!options.anything())
        fail("", "nothing to do: give --trim, --filter, --mirror, --loop, --reduce-keys or others");
    options.read.rate = options.rate;
    io::Asset asset = load(run, options.input, options.read);
    const StageTimer timer(run.report, "clean");
    const bool is_trial = asset.trial.frames > 0 && !asset.trial.markers.empty();
    if (is_trial) {
        asset.trial = cleaned_trial(run, options, std::move(asset.trial));
        if (options.to_rotations) {
            asset.character = moved_skeleton(run, options, asset.trial);
            asset.trial = {};
        }
    } else {
        refuse(options.gaps, "--fill-gaps", "is for the markers of a trial; a motion has no gaps");
        refuse(options.spikes, "--remove-spikes", "is for the markers of a trial; use --filter for a motion");
        refuse(options.to_rotations, "--to-rotations",
               "is for positions of joints; these are rotations already");
        if (asset.character.clips.empty()) fail(options.input.string(), "holds no motion and no trial");
    }
    if (is_trial && !options.to_rotations) {
        refuse(options.loop, "--loop", "is for the motion of a skeleton: solve the trial first");
        refuse(options.tolerance.has_value(), "--reduce-keys",
               "is for the motion of a skeleton: solve the trial first");
    } else {
        clean_character(run, options, asset);
    }
    save(run, options.output, asset, {});
    run.say("wrote {}", options.output.string());
}

}  // namespace

void add_clean(Program& program) {
    auto options = std::make_shared<CleanArguments>();
    CLI::App& verb = program.verb(
        "clean", "Trim, filter, fill gaps, mirror or loop a motion or trial, or reduce its keys",
        "  sinew clean walk.bvh -o loop.glb --trim 0.5..2.0 --loop\n"
        "  sinew clean walk.glb -o small.glb --reduce-keys 0.001    (error of the skin at most 1 mm)\n"
        "  sinew clean trial.c3d -o clean.c3d --remove-spikes --fill-gaps --filter 6\n"
        "  sinew clean limp.bvh -o other_leg.bvh --mirror\n"
        "  sinew clean joints.txt -o motion.bvh --joints 31 --fps 30 --to-rotations --skeleton body.bvh",
        [options](Run& run) { execute_clean(*options, run); });
    verb.add_option("motion", options->input,
                    "Motion (bvh, glb, amc, clip) or trial (c3d, trc, raw joint text)")
        ->required()
        ->type_name("MOTION");
    verb.add_option("-o,--output", options->output, "glb, bvh, ... of a motion; c3d, trc, txt of a trial")
        ->required()
        ->type_name("OUT");
    verb.add_option("--clip", options->clip, "Change only this clip, by name or number")->type_name("CLIP");
    verb.add_option("--trim", options->trim, "Keep these seconds: 0.5..2.0, 0.5.. or ..2.0")
        ->type_name("FROM..TO");
    verb.add_flag("--remove-spikes", options->spikes,
                  "Remove samples of markers that jump away from their neighbours");
    verb.add_flag("--fill-gaps", options->gaps,
                  "Fill missing samples of markers, by a curve or by the other markers of the segment");
    verb.add_option("--filter", options->cutoff,
                    "Low-pass filter without delay; the cut-off in Hz (6 for walking)")
        ->check(CLI::PositiveNumber);
    verb.add_flag("--mirror", options->mirror, "Exchange left and right");
    verb.add_flag(
        "--loop", options->loop,
        "Make it cyclic and in place: the part of --trim, or the best repetition, with its ends joined");
    verb.add_flag("--keep-travel", options->keep_travel, "Keep the travel of a loop");
    verb.add_option("--fps", options->rate, "Frame rate of the result, and of files that state none")
        ->check(CLI::PositiveNumber);
    verb.add_option("--reduce-keys", options->tolerance,
                    "Remove keys while the skin (or joints) stays within this distance, in metres")
        ->check(CLI::PositiveNumber);
    verb.add_flag(
        "--to-rotations", options->to_rotations,
        "Convert joint positions (raw joint text, C3D of joint centres) to rotations of --skeleton");
    verb.add_option("--skeleton", options->skeleton,
                    "Skeleton for --to-rotations; joints match by name or by order")
        ->type_name("RIG");
    add_read_options(verb, options->read, false);
}

}  // namespace sinew::cli
