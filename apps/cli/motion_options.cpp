// SPDX-License-Identifier: MIT
#include "motion_options.h"

#include "sinew/base/error.h"

namespace sinew::cli {
namespace {

motion::HipRule hip_rule(const std::string& name) {
    if (name == "harrington") return motion::HipRule::harrington;
    return name == "davis" ? motion::HipRule::davis : motion::HipRule::automatic;
}

}  // namespace

void add_solve_options(CLI::App& verb, SolveChoice& choice, bool all) {
    verb.add_option("--static", choice.static_trial, "Static trial with the same markers, for calibration")
        ->type_name("TRIAL");
    verb.add_option("--markers", choice.names, "JSON file that maps marker labels of your own")
        ->type_name("FILE");
    if (!all) return;
    verb.add_option("--hips", choice.hips, "Regression of the hip joint centres")
        ->check(CLI::IsMember({"auto", "harrington", "davis"}));
    verb.add_option("--cutoff", choice.cutoff, "Low-pass filter of the markers in Hz; 0 for none");
    verb.add_flag("--raw", choice.raw, "Solve the markers as they are: no spikes removed, no gaps filled");
    verb.add_flag("--keep-lengths", choice.keep_lengths, "Keep the lengths of the generic skeleton");
    verb.add_flag("--no-refine", choice.no_refine, "Keep marker offsets and lengths of the first estimate");
    verb.add_flag("--neutral", choice.neutral, "Calibrate as if the subject were in the rest pose");
}

pipeline::SolveOptions load_solve_options(Run& run, const SolveChoice& choice, const io::ReadOptions& read) {
    pipeline::SolveOptions options;
    options.solve.calibrate.hips = hip_rule(choice.hips);
    options.solve.calibrate.refine = !choice.no_refine;
    options.solve.calibrate.neutral = choice.neutral;
    options.solve.keep_bones = choice.keep_lengths;
    options.clean = !choice.raw;
    options.cutoff = choice.cutoff;
    if (!choice.names.empty()) options.solve.names = motion::read_marker_names(choice.names);
    if (!choice.static_trial.empty()) options.static_trial = load_trial(run, choice.static_trial, read);
    return options;
}

model::Trial load_trial(Run& run, const std::filesystem::path& path, const io::ReadOptions& read) {
    io::Asset asset = load(run, path, read);
    if (asset.trial.markers.empty()) fail(path.string(), "holds no markers to solve");
    if (asset.trial.name.empty()) asset.trial.name = path.stem().string();
    return std::move(asset.trial);
}

void add_retarget_options(CLI::App& verb, RetargetChoice& choice) {
    const OptionHeading heading(verb, "Retargeting");
    motion::RetargetOptions& options = choice.retarget.options;
    verb.add_flag("--in-place", options.in_place, "Remove the travel: the character stays where it is");
    verb.add_flag("--no-foot-contacts", choice.no_contacts, "Do not pin feet to the ground");
    verb.add_flag("--no-facing", choice.no_facing,
                  "Do not rotate the motion to the character's facing direction");
    verb.add_option("--forearm-twist", options.forearm_twist, "Part of a hand's twist that the forearm takes")
        ->check(CLI::Range(0.0, 1.0));
    verb.add_option("--travel-scale", options.scale,
                    "Scale of the travelled path; by default the ratio of the hip heights")
        ->check(CLI::PositiveNumber);
    verb.add_option("--map", choice.retarget.map_file, "Joint map: lines \"target = source\"")
        ->type_name("FILE");
    verb.add_option("--save-map", choice.retarget.save_map, "Write the joint map that was used, to be edited")
        ->type_name("FILE");
    add_solve_options(verb, choice.solve, false);
}

pipeline::RetargetOptions retarget_options(const RetargetChoice& choice) {
    pipeline::RetargetOptions retarget = choice.retarget;
    retarget.options.foot_contacts = !choice.no_contacts;
    retarget.options.align_facing = !choice.no_facing;
    return retarget;
}

void add_unmeasured_option(CLI::App& verb, gait::Unmeasured& unmeasured) {
    using gait::Unmeasured;
    static const std::map<std::string, Unmeasured> names = {
        {"ghost", Unmeasured::ghost}, {"hide", Unmeasured::hide}, {"hold", Unmeasured::hold}};
    verb.add_option(
            "--unmeasured", unmeasured,
            "How body parts without markers are drawn: ghost (transparent), hide, hold (solid, at rest)")
        ->transform(CLI::CheckedTransformer(names).description(""));
}

pipeline::Motion load_motion(Run& run, const std::filesystem::path& path, const io::ReadOptions& read,
                             const SolveChoice& solve) {
    const pipeline::MotionOptions options{read, load_solve_options(run, solve, read)};
    run.report.inputs.push_back(path.string());
    pipeline::Motion motion = pipeline::load_motion(path, options, run.monitor);
    run.add_seconds(motion.seconds);
    if (motion.fit) {
        report_fit(run, *motion.fit, run.report.extra["solve"]);
        tell(run, motion.fit->result, false);
    }
    return motion;
}

void report_fit(Run& run, const pipeline::SolvedTrial& fit, Json& where) {
    where.update(pipeline::report_of(fit.result));  // first, because the next line may move `where`
    if (fit.cleaned) run.report.extra["cleaned"] = pipeline::report_of(*fit.cleaned);
}

void tell(const Run& run, const motion::SolveResult& result, bool markers) {
    run.say("{} of set \"{}\" over {}", count_of(result.map.markers.size(), "marker"), result.map.set,
            count_of(result.poses.size(), "frame"));
    run.say("residual   {:.1f} mm rms, {:.1f} mm at most", 1000 * result.rms, 1000 * result.max);
    for (const motion::MarkerResidual& r : result.residuals) {
        if (!markers) break;
        run.say("  {:<8} {:6.1f} mm rms {:6.1f} mm at most  {}", r.label, 1000 * r.rms, 1000 * r.max,
                r.joint);
    }
    if (!result.held.empty())
        run.say("no markers, kept in the rest pose: {}", count_of(result.held.size(), "joint"));
}

void tell(const Run& run, const motion::RetargetResult& result, std::size_t joints) {
    run.say("{} of {} follow the motion{}", result.mapped.size(), count_of(joints, "joint"),
            result.unmapped.empty() ? "" : fmt::format("; {} keep their rest pose", result.unmapped.size()));
    for (const motion::FootPlant& foot : result.feet) {
        run.say("  {}{} foot: {}, slides at most {:.3f} % of the leg length per frame",
                foot.front ? "Front " : "", model::name_of(foot.side),
                count_of(foot.contacts.size(), "contact"), foot.slide.largest);
    }
}

}  // namespace sinew::cli
