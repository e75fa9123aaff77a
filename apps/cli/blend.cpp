// SPDX-License-Identifier: MIT
// sinew blend: combines several motions into one: in sequence, mixed, in layers, or from a list of shots.

#include <map>

#include "motion_options.h"

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/gait/gait.h"
#include "sinew/motion/edit.h"

namespace sinew::cli {
namespace {

/// The common skeleton for clips of different files. Motions of other skeletons are retargeted.
class BlendStage {
  public:
    /// With an empty rig, the skeleton of the first motion is used.
    BlendStage(Run& run, const std::filesystem::path& rig, const io::ReadOptions& read);

    /// A clip of a file, by name or number, on the common skeleton.
    model::Clip clip_of(const std::filesystem::path& path, const std::string& clip);
    const model::Character& character() const { return character_; }
    bool empty() const { return character_.skeleton.empty(); }

  private:
    const pipeline::Motion& motion_of(const std::filesystem::path& path);

    Run& run_;
    io::ReadOptions read_;
    model::Character character_;
    std::map<std::filesystem::path, pipeline::Motion> motions_;
};

bool same_rest(const model::Joint& a, const model::Joint& b) {
    constexpr double close = 1e-5;
    return a.name == b.name && a.parent == b.parent &&
           (a.rest.translation - b.rest.translation).norm() < close &&
           (a.rest.scale - b.rest.scale).norm() < close &&
           math::angle_between(a.rest.rotation, b.rest.rotation) < close;
}

bool same_skeleton(const model::Skeleton& a, const model::Skeleton& b) {
    return std::ranges::equal(a.joints, b.joints, same_rest);
}

BlendStage::BlendStage(Run& run, const std::filesystem::path& rig, const io::ReadOptions& read)
    : run_(run), read_(read) {
    if (rig.empty()) return;
    character_ = load(run, rig, read).character;
    if (!character_.has_skeleton()) fail(rig.string(), "has no skeleton to move");
}

const pipeline::Motion& BlendStage::motion_of(const std::filesystem::path& path) {
    const auto found = motions_.find(path);
    if (found != motions_.end()) return found->second;
    return motions_.emplace(path, load_motion(run_, path, read_, {})).first->second;
}

model::Clip BlendStage::clip_of(const std::filesystem::path& path, const std::string& name) {
    const model::Character& source = motion_of(path).character;
    const model::Clip* clip = nullptr;
    try {
        clip = model::find_clip(source, name);
    } catch (const Error& error) {
        fail(path.string(), "{}", error.what());
    }
    if (empty()) character_ = source;
    model::Clip result = *clip;
    if (!same_skeleton(source.skeleton, character_.skeleton)) {
        const StageTimer timer(run_.report, "retarget");
        motion::RetargetResult moved =
            motion::retarget(source.skeleton, *clip, character_.skeleton, {}, run_.monitor);
        run_.say("{}: retargeted, {} of {} follow", path.filename().string(), moved.mapped.size(),
                 count_of(character_.skeleton.size(), "joint"));
        result = std::move(moved.clip);
    }
    if (result.name.empty()) result.name = path.stem().string();
    return result;
}

struct BlendArguments {
    std::vector<std::string> inputs;
    std::filesystem::path output;
    std::filesystem::path rig;
    std::optional<double> fade;
    std::optional<double> weight;
    std::vector<std::string> joints;
    bool match_steps = false;
    bool no_align = false;
    bool repeat = false;
    double rate = 0;
    std::string sequence;
    std::string shot;
    io::ReadOptions read;

    bool is_list() const { return inputs.size() == 1 && suffix(inputs.front()) == "json"; }
};

/// "moves.glb@run": a file and one of its clips. A file with exactly this name has precedence.
model::Clip clip_of_word(BlendStage& stage, const std::string& word) {
    const std::size_t at = word.rfind('@');
    if (at == std::string::npos || std::filesystem::exists(word)) return stage.clip_of(word, "");
    return stage.clip_of(word.substr(0, at), word.substr(at + 1));
}

model::Clip joined(Run& run, const BlendArguments& options, const BlendStage& stage,
                   const std::vector<model::Clip>& clips) {
    std::vector<motion::JoinPiece> pieces;
    for (std::size_t i = 0; i < clips.size(); ++i)
        pieces.push_back({&clips[i], options.inputs[i], options.fade.value_or(0.3), options.match_steps,
                          !options.no_align});
    motion::JoinResult result = motion::join_clips(stage.character().skeleton, pieces,
                                                   {options.rate, gait::find_step_phase}, run.monitor);
    run.report.extra["parts"] = clips.size();
    Json& parts = run.report.extra["part_list"] = Json::array();
    for (std::size_t i = 0; i < clips.size(); ++i) {
        const motion::JoinedPart& part = result.parts[i];
        parts.push_back({{"motion", options.inputs[i]},
                         {"start", part.start},
                         {"end", part.end},
                         {"skipped", part.skipped}});
        run.say("  {:7.2f} to {:7.2f} s  {}", part.start, part.end, options.inputs[i]);
    }
    return std::move(result.clip);
}

model::Clip blend_files(Run& run, const BlendArguments& options, BlendStage& stage) {
    if (!options.sequence.empty() || !options.shot.empty())
        fail("", "--sequence and --shot choose from a list of shots (.json), which is not given");
    const bool at_once = options.weight || !options.joints.empty();
    if (options.inputs.size() < 2) fail("", "two motions make a blend; or give a list of shots (.json)");
    if (at_once && options.inputs.size() > 2) fail("", "--weight and --layer blend two motions, no more");
    if (options.repeat && options.joints.empty()) fail("", "--repeat is for a layer: give --layer");
    std::vector<model::Clip> clips;
    for (const std::string& word : options.inputs) clips.push_back(clip_of_word(stage, word));
    const StageTimer timer(run.report, "blend");
    const model::Skeleton& skeleton = stage.character().skeleton;
    if (!at_once) return joined(run, options, stage, clips);
    if (options.joints.empty())
        return motion::mix_clips(skeleton, clips[0], clips[1],
                                 {.weight = *options.weight,
                                  .match_steps = options.match_steps,
                                  .align = !options.no_align,
                                  .rate = options.rate,
                                  .steps = gait::find_step_phase},
                                 run.monitor);
    return motion::layer_clips(skeleton, clips[0], clips[1],
                               {.weight = options.weight.value_or(1),
                                .joints = options.joints,
                                .fade = options.fade.value_or(0.3),
                                .repeat = options.repeat,
                                .rate = options.rate},
                               run.monitor);
}

/// The list; the files that it names are relative to it.
motion::Production load_list(Run& run, const BlendArguments& options) {
    const std::string& path = options.inputs.front();
    const bool own_manner = options.fade || options.weight || !options.joints.empty() ||
                            options.match_steps || options.no_align || options.repeat;
    if (own_manner)
        fail("", "{} defines the transitions of its shots itself: \"fade\", \"match_steps\"", path);
    const FileView file{std::filesystem::path(path)};
    run.report.inputs.push_back(path);
    motion::Production production = motion::selected(motion::parse_production(file.text(), path, run.monitor),
                                                     options.sequence, options.shot);
    if (options.rate > 0) production.rate = options.rate;
    return production;
}

model::Clip blend_list(Run& run, const motion::Production& production, const std::filesystem::path& folder,
                       BlendStage& stage) {
    // The first shot may define the skeleton, so all clips are read before any are joined.
    std::vector<model::Clip> clips;
    for (const motion::Sequence& sequence : production.sequences)
        for (const motion::Shot& shot : sequence.shots) {
            try {
                clips.push_back(stage.clip_of(folder / shot.file, shot.clip));
            } catch (const Error& error) {
                fail(shot.location, "{}", error.what());
            }
        }
    const StageTimer timer(run.report, "blend");
    std::size_t next = 0;
    motion::Produced result = motion::produce(
        production, stage.character().skeleton, [&](const motion::Shot&) { return clips[next++]; },
        gait::find_step_phase, run.monitor);
    run.report.extra["production"] = production.name;
    Json& shots = run.report.extra["shots"] = Json::array();
    for (const motion::ProducedShot& shot : result.shots) {
        shots.push_back(
            {{"sequence", shot.sequence}, {"shot", shot.shot}, {"start", shot.start}, {"end", shot.end}});
        run.say("  {:7.2f} to {:7.2f} s  {} / {}", shot.start, shot.end, shot.sequence, shot.shot);
    }
    return std::move(result.clip);
}

void execute_blend(const BlendArguments& options, Run& run) {
    check_output(run, options.output, {output::models, output::pictures});
    io::Asset made;
    if (options.is_list()) {
        const motion::Production production = load_list(run, options);
        const std::filesystem::path folder = std::filesystem::path(options.inputs.front()).parent_path();
        const bool own_rig = !options.rig.empty() || production.rig.empty();
        BlendStage stage(run, own_rig ? options.rig : folder / production.rig, options.read);
        model::Clip clip = blend_list(run, production, folder, stage);
        made.character = stage.character();
        made.character.clips = {std::move(clip)};
    } else {
        BlendStage stage(run, options.rig, options.read);
        model::Clip clip = blend_files(run, options, stage);
        made.character = stage.character();
        made.character.clips = {std::move(clip)};
    }
    const model::Clip& clip = made.character.clips.front();
    run.report.extra["frames"] = model::frame_count(clip);
    run.report.extra["fps"] = model::frame_rate(clip);
    run.report.extra["duration"] = model::time_range(clip).duration();
    save(run, options.output, made, {});
    run.say("wrote {}: {} at {:.4g} fps", options.output.string(),
            count_of(model::frame_count(clip), "frame"), model::frame_rate(clip));
}

}  // namespace

void add_blend(Program& program) {
    auto options = std::make_shared<BlendArguments>();
    CLI::App& verb = program.verb(
        "blend", "Blend motions into one: in sequence with fades, by weight, in layers, or as shots",
        "  sinew blend stand.bvh walk.bvh run.bvh -o all.bvh --fade 0.5     (one after the other)\n"
        "  sinew blend walk.bvh run.bvh -o faster.bvh --match-steps         (in step while it fades)\n"
        "  sinew blend walk.bvh limp.bvh -o half.bvh --weight 0.5 --match-steps\n"
        "  sinew blend moves.glb@walk moves.glb@wave -o both.glb --layer Spine --repeat\n"
        "  sinew blend show.json -o show.glb --sequence Street\n"
        "A list of shots:\n"
        "  {\"production\": \"Morning\", \"rate\": 30, \"rig\": \"man.glb\", \"fade\": 0.3, \"sequences\": "
        "[\n"
        "    {\"sequence\": \"Street\", \"match_steps\": true, \"shots\": [\n"
        "      {\"shot\": \"10\", \"file\": \"walk.bvh\", \"start\": 0, \"end\": 2.5},\n"
        "      {\"shot\": \"20\", \"file\": \"moves.glb\", \"clip\": \"run\", \"fade\": 0.5, \"repeat\": "
        "2}]}]}",
        [options](Run& run) {
            options->read.rate = options->rate;
            execute_blend(*options, run);
        });
    verb.add_option("motions", options->inputs, "Motions, FILE or FILE@CLIP; or one list of shots (.json)")
        ->required()
        ->type_name("MOTION");
    verb.add_option("-o,--output", options->output, "glb, gltf, bvh and others; the suffix chooses")
        ->required()
        ->type_name("OUT");
    verb.add_option("--rig", options->rig,
                    "Character or skeleton that plays the result; by default that of the first motion")
        ->type_name("FILE");
    verb.add_option("--fade", options->fade, "Length of cross-fades in seconds (0.3); 0 cuts")
        ->check(CLI::Range(0.0, 3600.0));
    verb.add_flag("--match-steps", options->match_steps,
                  "Keep both walks in step while they are blended: foot strike meets foot strike");
    verb.add_flag("--no-align", options->no_align,
                  "Do not move each motion to where the one before it ended");
    verb.add_option("--weight", options->weight, "Play two motions at once; the weight of the second")
        ->check(CLI::Range(0.0, 1.0));
    verb.add_option("--layer", options->joints,
                    "Play the second motion over the first on these joints and their children")
        ->delimiter(',')
        ->type_name("NAME,...");
    verb.add_flag("--repeat", options->repeat, "Repeat a layer that is shorter than the first motion");
    verb.add_option(
            "--fps", options->rate,
            "Frame rate of the result (by default the highest input rate), and of files that state none")
        ->check(CLI::PositiveNumber);
    verb.add_option("--sequence", options->sequence, "Of a list of shots: only this sequence")
        ->type_name("NAME");
    verb.add_option("--shot", options->shot, "Of a list of shots: only this shot")->type_name("NAME");
    add_read_options(verb, options->read, false);
}

}  // namespace sinew::cli
