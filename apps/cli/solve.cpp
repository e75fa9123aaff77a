// sinew solve: markers of a trial become the motion of a skeleton.

#include "sinew/motion/solve.h"

#include "common.h"

#include "sinew/base/error.h"
#include "sinew/motion/clean.h"
#include "sinew/sample/skeleton_templates.h"

namespace sinew::cli {
namespace {

struct Options {
    std::filesystem::path trial;
    std::filesystem::path skeleton;
    std::filesystem::path output;
    std::filesystem::path static_trial;
    std::filesystem::path names;
    std::string hips = "auto";
    bool keep_lengths = false;
    bool no_refine = false;
    bool neutral = false;
    bool raw = false;
    double cutoff = 6;
    io::ReadOptions read;
    io::WriteOptions write;
};

motion::HipRule hip_rule(const std::string& name) {
    if (name == "harrington") return motion::HipRule::harrington;
    return name == "davis" ? motion::HipRule::davis : motion::HipRule::automatic;
}

model::Trial load_trial(const Options& options, const std::filesystem::path& path, Run& run) {
    io::Asset asset = load(run, path, options.read);
    if (asset.trial.markers.empty()) fail(path.string(), "holds no markers to solve");
    if (asset.trial.name.empty()) asset.trial.name = path.string();
    return std::move(asset.trial);
}

model::Trial cleaned(const Options& options, const model::Trial& trial, Run& run) {
    if (options.raw) return trial;
    const StageTimer timer(run.report, "clean");
    motion::CleanOptions clean;
    clean.cutoff = options.cutoff;
    motion::CleanResult result = motion::clean(trial, clean, run.monitor);
    run.report.extra["cleaned"] = {{"spikes", result.report.spikes},
                                   {"filled", result.report.gaps.spline + result.report.gaps.rigid},
                                   {"gaps_left", result.report.gaps.left.size()},
                                   {"moved_rms_mm", 1000 * result.report.moved_rms}};
    return std::move(result.trial);
}

void report_fit(const motion::SolveResult& result, Run& run) {
    Json& extra = run.report.extra;
    extra["frames"] = result.poses.size();
    extra["markers"] = result.map.markers.size();
    extra["marker_set"] = result.map.set;
    extra["rms_mm"] = 1000 * result.rms;
    extra["max_mm"] = 1000 * result.max;
    extra["noise_mm"] = 1000 * result.noise;
    extra["scale"] = result.calibration.scale;
    extra["per_marker"] = Json::array();
    for (const motion::MarkerResidual& r : result.residuals) {
        extra["per_marker"].push_back({{"label", r.label},
                                       {"place", r.place},
                                       {"joint", r.joint},
                                       {"samples", r.samples},
                                       {"rms_mm", 1000 * r.rms},
                                       {"max_mm", 1000 * r.max},
                                       {"worst_frame", r.worst_frame}});
    }
    extra["held"] = result.held;
    extra["bridged"] = result.bridged;
    extra["partly_measured"] = result.partly;
    extra["unsolved_frames"] = result.unsolved;
    extra["unlabelled"] = result.map.unlabelled;
    extra["unknown"] = result.map.unknown;
    extra["computed"] = result.map.computed;
    run.say("{} of set \"{}\" over {}", count_of(result.map.markers.size(), "marker"), result.map.set,
            count_of(result.poses.size(), "frame"));
    run.say("residual   {:.1f} mm rms, {:.1f} mm at most", 1000 * result.rms, 1000 * result.max);
    for (const motion::MarkerResidual& r : result.residuals) {
        run.say("  {:<8} {:6.1f} mm rms {:6.1f} mm at most  {}", r.label, 1000 * r.rms, 1000 * r.max,
                r.joint);
    }
    if (!result.held.empty()) run.say("not measured, held at rest: {} joints", result.held.size());
}

void execute(const Options& options, Run& run) {
    const model::Trial raw = load_trial(options, options.trial, run);
    motion::SolveOptions solve;
    solve.calibrate.hips = hip_rule(options.hips);
    solve.calibrate.refine = !options.no_refine;
    solve.calibrate.neutral = options.neutral;
    if (!options.names.empty()) solve.names = motion::read_marker_names(options.names);
    model::Skeleton skeleton = sample::skeleton_template("biped");
    io::Asset out;
    if (!options.skeleton.empty()) {
        const io::Asset given = load(run, options.skeleton, options.read);
        if (given.character.skeleton.empty()) fail(options.skeleton.string(), "holds no skeleton");
        skeleton = given.character.skeleton;
        out.character.unit = given.character.unit;
        // Bones that a user names are the user's; the generic ones are made to measure.
        solve.calibrate.scale = false;
    }
    if (options.keep_lengths) solve.calibrate.scale = false;
    model::Trial still;
    if (!options.static_trial.empty()) still = load_trial(options, options.static_trial, run);
    const model::Trial trial = cleaned(options, raw, run);
    motion::SolveResult result;
    {
        const StageTimer timer(run.report, "solve");
        result = motion::solve(trial, skeleton, solve, options.static_trial.empty() ? nullptr : &still,
                               run.monitor);
    }
    report_fit(result, run);
    out.character.name = options.trial.stem().string();
    result.clip.name = options.trial.stem().string();
    out.character.skeleton = std::move(result.skeleton);
    out.character.clips = {std::move(result.clip)};
    save(run, options.output, out, options.write);
    run.say("wrote {}", options.output.string());
}

}  // namespace

void add_solve(Program& program) {
    auto options = std::make_shared<Options>();
    CLI::App& verb = program.verb(
        "solve", "Turn the markers of a trial into the motion of a skeleton made to the subject's measure",
        "  sinew solve walk.c3d -o walk.glb\n"
        "  sinew solve walk.c3d --static standing.c3d -o walk.bvh --report fit.json\n"
        "  sinew solve 02_01.c3d 02.bvh -o solved.bvh     (onto a skeleton as it is)",
        [options](Run& run) { execute(*options, run); });
    verb.add_option("trial", options->trial, "Markers: c3d or trc")->required()->type_name("TRIAL");
    verb.add_option("skeleton", options->skeleton,
                    "Skeleton to move, its bones kept; left out, a generic one is scaled to the subject")
        ->type_name("SKELETON");
    verb.add_option("-o,--output", options->output, "glb, gltf, bvh, ...")->required()->type_name("OUT");
    verb.add_option("--static", options->static_trial, "Static trial of the same markers to calibrate on")
        ->type_name("TRIAL");
    verb.add_option("--markers", options->names, "JSON file with labels of your own")->type_name("FILE");
    verb.add_option("--hips", options->hips, "How hip centres are found")
        ->check(CLI::IsMember({"auto", "harrington", "davis"}));
    verb.add_option("--cutoff", options->cutoff, "Low-pass filter of the markers in Hz; 0 for none");
    verb.add_flag("--raw", options->raw, "Solve the markers as they are: no spikes removed, no gaps filled");
    verb.add_flag("--keep-lengths", options->keep_lengths, "Keep the lengths of the generic skeleton");
    verb.add_flag("--no-refine", options->no_refine, "Keep marker offsets and lengths of the first estimate");
    verb.add_flag("--neutral", options->neutral, "Calibrate as if the subject stood in the rest pose");
    add_read_options(verb, options->read);
}

}  // namespace sinew::cli
