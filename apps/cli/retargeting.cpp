#include "retargeting.h"

#include <algorithm>

#include "sinew/base/error.h"

namespace sinew::cli {
namespace {

Json slide_report(const motion::FootPlant& foot) {
    return {{"side", model::name_of(foot.side)},
            {"contacts", foot.contacts.size()},
            {"frames", foot.slide.frames},
            {"pinned", foot.pinned},
            {"mean_percent", foot.slide.mean},
            {"max_percent", foot.slide.largest},
            {"unpinned_max_percent", foot.before.largest}};
}

void report(Run& run, const motion::RetargetResult& result, std::size_t joints) {
    Json& extra = run.report.extra;
    extra["mapped"] = Json::object();
    for (const auto& [from, to] : result.mapped) extra["mapped"][to] = from;
    extra["unmapped"] = result.unmapped;
    extra["scale"] = result.scale;
    extra["facing_degrees"] = math::degrees(result.facing);
    extra["foot_slide"] = Json::array();
    for (const motion::FootPlant& foot : result.feet) extra["foot_slide"].push_back(slide_report(foot));
    run.say("{} of {} follow the motion{}", result.mapped.size(), count_of(joints, "joint"),
            result.unmapped.empty() ? "" : fmt::format("; {} keep their rest pose", result.unmapped.size()));
    for (const motion::FootPlant& foot : result.feet) {
        run.say("  {} foot: {}, slides at most {:.3f} % of the leg a frame", model::name_of(foot.side),
                count_of(foot.contacts.size(), "contact"), foot.slide.largest);
    }
}

}  // namespace

void add_retarget_options(CLI::App& verb, RetargetChoice& choice) {
    const OptionHeading heading(verb, "Moving a motion over");
    verb.add_flag("--in-place", choice.options.in_place, "The character stays over one place");
    verb.add_flag("--no-foot-contacts", choice.no_contacts, "Do not pin feet that stand on the ground");
    verb.add_flag("--no-facing", choice.no_facing, "Do not turn the motion to where the character faces");
    verb.add_option("--forearm-twist", choice.options.forearm_twist,
                    "Share of a hand's twist that its forearm takes")
        ->check(CLI::Range(0.0, 1.0));
    verb.add_option("--travel-scale", choice.options.scale,
                    "Factor of the way the character travels; the ratio of the hip heights by default")
        ->check(CLI::PositiveNumber);
    verb.add_option("--map", choice.map, "Which joint follows which: lines \"target = source\"")
        ->type_name("FILE");
    verb.add_option("--save-map", choice.save_map, "Write the joints that were matched, to be edited")
        ->type_name("FILE");
    add_solve_options(verb, choice.solve, false);
}

void add_unmeasured_option(CLI::App& verb, gait::Unmeasured& unmeasured) {
    using gait::Unmeasured;
    static const std::map<std::string, Unmeasured> names = {
        {"ghost", Unmeasured::ghost}, {"hide", Unmeasured::hide}, {"hold", Unmeasured::hold}};
    verb.add_option("--unmeasured", unmeasured, "Parts of the body without markers: ghost, hide, hold")
        ->transform(CLI::CheckedTransformer(names).description(""));
}

Motion load_motion(Run& run, const std::filesystem::path& path, const io::ReadOptions& read,
                   const SolveChoice& solve) {
    Motion motion;
    io::Asset& asset = motion.asset = load(run, path, read);
    if (!asset.cycle.empty()) make_playable(asset, run.monitor);
    if (asset.character.clips.empty() && !asset.trial.markers.empty()) {
        if (asset.trial.name.empty()) asset.trial.name = path.stem().string();
        motion::SolveResult result = solve_trial(run, asset.trial, nullptr, solve, read);
        run.report.extra["solve"] = fit_report(result);
        say_fit(run, result, false);
        motion.measured = gait::measured_joints(result.skeleton, result.held);
        gait::relax_unmeasured_arms(result.skeleton, motion.measured, result.clip);
        result.clip.name = path.stem().string();
        asset.character.skeleton = std::move(result.skeleton);
        asset.character.clips = {std::move(result.clip)};
    }
    if (asset.character.clips.empty() || !asset.character.has_skeleton())
        fail(path.string(), "holds no motion");
    if (motion.measured.empty()) motion.measured.assign(asset.character.skeleton.size(), true);
    return motion;
}

std::vector<std::filesystem::path> motion_files(const std::filesystem::path& path) {
    if (!std::filesystem::is_directory(path)) return {path};
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
        const std::string kind = suffix(entry.path());
        const bool motion = kind == "bvh" || kind == "amc" || kind == "glb" || kind == "gltf" ||
                            kind == "gcd" || kind == "fbx" || kind == "c3d" || kind == "trc";
        if (motion && entry.is_regular_file()) files.push_back(entry.path());
    }
    if (files.empty())
        fail(path.string(), "the folder holds no motion (bvh, amc, c3d, trc, glb, gltf, gcd, fbx)");
    std::sort(files.begin(), files.end());
    return files;
}

motion::RetargetResult retarget_onto(Run& run, const Motion& motion, const std::filesystem::path& path,
                                     const std::string& clip_name, const model::Skeleton& target,
                                     const RetargetChoice& choice) {
    const io::Asset& source = motion.asset;
    const model::Clip* clip = model::find_clip(source.character, clip_name);
    if (clip == nullptr) fail(path.string(), "holds no motion");
    const StageTimer timer(run.report, "retarget");
    motion::RetargetOptions options = choice.options;
    options.foot_contacts = !choice.no_contacts;
    options.align_facing = !choice.no_facing;
    const model::Skeleton& from = source.character.skeleton;
    if (!choice.save_map.empty())
        write_file(choice.save_map, motion::to_text(motion::match_joints(from, target), from, target));
    motion::RetargetResult result;
    if (choice.map.empty()) {
        result = motion::retarget(from, *clip, target, options, run.monitor);
    } else {
        const FileView file(choice.map);
        const motion::JointMap map = motion::parse_joint_map(file.text(), choice.map.string(), from, target);
        result = motion::retarget(from, *clip, target, map, options, run.monitor);
    }
    if (result.clip.name.empty()) result.clip.name = path.stem().string();
    report(run, result, target.size());
    return result;
}

}  // namespace sinew::cli
