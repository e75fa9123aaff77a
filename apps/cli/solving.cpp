#include "solving.h"

#include "sinew/base/error.h"
#include "sinew/motion/clean.h"
#include "sinew/rig/templates.h"

namespace sinew::cli {
namespace {

motion::HipRule hip_rule(const std::string& name) {
    if (name == "harrington") return motion::HipRule::harrington;
    return name == "davis" ? motion::HipRule::davis : motion::HipRule::automatic;
}

model::Trial cleaned(Run& run, const model::Trial& trial, const SolveChoice& choice) {
    if (choice.raw) return trial;
    const StageTimer timer(run.report, "clean");
    motion::CleanOptions clean;
    // A filter needs a rate above twice its cut-off.
    clean.cutoff = trial.rate > 2.5 * choice.cutoff ? choice.cutoff : 0;
    motion::CleanResult result = motion::clean(trial, clean, run.monitor);
    run.report.extra["cleaned"] = {{"spikes", result.report.spikes},
                                   {"filled", result.report.gaps.spline + result.report.gaps.rigid},
                                   {"gaps_left", result.report.gaps.left.size()},
                                   {"moved_rms_mm", 1000 * result.report.moved_rms}};
    return std::move(result.trial);
}

}  // namespace

void add_solve_options(CLI::App& verb, SolveChoice& choice, bool all) {
    verb.add_option("--static", choice.static_trial, "Static trial of the same markers to calibrate on")
        ->type_name("TRIAL");
    verb.add_option("--markers", choice.names, "JSON file with labels of your own")->type_name("FILE");
    if (!all) return;
    verb.add_option("--hips", choice.hips, "How hip centres are found")
        ->check(CLI::IsMember({"auto", "harrington", "davis"}));
    verb.add_option("--cutoff", choice.cutoff, "Low-pass filter of the markers in Hz; 0 for none");
    verb.add_flag("--raw", choice.raw, "Solve the markers as they are: no spikes removed, no gaps filled");
    verb.add_flag("--keep-lengths", choice.keep_lengths, "Keep the lengths of the generic skeleton");
    verb.add_flag("--no-refine", choice.no_refine, "Keep marker offsets and lengths of the first estimate");
    verb.add_flag("--neutral", choice.neutral, "Calibrate as if the subject stood in the rest pose");
}

model::Trial load_trial(Run& run, const std::filesystem::path& path, const io::ReadOptions& read) {
    io::Asset asset = load(run, path, read);
    if (asset.trial.markers.empty()) fail(path.string(), "holds no markers to solve");
    if (asset.trial.name.empty()) asset.trial.name = path.stem().string();
    return std::move(asset.trial);
}

motion::SolveResult solve_trial(Run& run, const model::Trial& raw, const model::Skeleton* bones,
                                const SolveChoice& choice, const io::ReadOptions& read) {
    motion::SolveOptions solve;
    solve.calibrate.hips = hip_rule(choice.hips);
    solve.calibrate.refine = !choice.no_refine;
    solve.calibrate.neutral = choice.neutral;
    if (!choice.names.empty()) solve.names = motion::read_marker_names(choice.names);
    // Bones that a user names are the user's; the generic ones are made to measure.
    solve.keep_bones = bones != nullptr || choice.keep_lengths;
    model::Trial still;
    if (!choice.static_trial.empty()) still = load_trial(run, choice.static_trial, read);
    const model::Trial trial = cleaned(run, raw, choice);
    const StageTimer timer(run.report, "solve");
    return motion::solve(trial, bones != nullptr ? *bones : rig::skeleton_template("biped"), solve,
                         choice.static_trial.empty() ? nullptr : &still, run.monitor);
}

Json fit_report(const motion::SolveResult& result) {
    Json json;
    json["frames"] = result.poses.size();
    json["markers"] = result.map.markers.size();
    json["marker_set"] = result.map.set;
    json["rms_mm"] = 1000 * result.rms;
    json["max_mm"] = 1000 * result.max;
    json["noise_mm"] = 1000 * result.noise;
    json["scale"] = result.calibration.scale;
    json["per_marker"] = Json::array();
    for (const motion::MarkerResidual& r : result.residuals) {
        json["per_marker"].push_back({{"label", r.label},
                                      {"place", r.place},
                                      {"joint", r.joint},
                                      {"samples", r.samples},
                                      {"rms_mm", 1000 * r.rms},
                                      {"max_mm", 1000 * r.max},
                                      {"worst_frame", r.worst_frame}});
    }
    json["held"] = result.held;
    json["bridged"] = result.bridged;
    json["partly_measured"] = result.partly;
    json["unsolved_frames"] = result.unsolved;
    json["unlabelled"] = result.map.unlabelled;
    json["unknown"] = result.map.unknown;
    json["computed"] = result.map.computed;
    json["swapped"] = Json::array();
    for (const motion::Swap& swap : result.swapped) json["swapped"].push_back({swap.first, swap.second});
    json["still"] = result.still;
    return json;
}

void say_fit(Run& run, const motion::SolveResult& result, bool markers) {
    run.say("{} of set \"{}\" over {}", count_of(result.map.markers.size(), "marker"), result.map.set,
            count_of(result.poses.size(), "frame"));
    run.say("residual   {:.1f} mm rms, {:.1f} mm at most", 1000 * result.rms, 1000 * result.max);
    for (const motion::MarkerResidual& r : result.residuals) {
        if (!markers) break;
        run.say("  {:<8} {:6.1f} mm rms {:6.1f} mm at most  {}", r.label, 1000 * r.rms, 1000 * r.max,
                r.joint);
    }
    if (!result.held.empty())
        run.say("not measured, held at rest: {}", count_of(result.held.size(), "joint"));
}

}  // namespace sinew::cli
