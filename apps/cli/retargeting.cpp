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
}

io::Asset load_motion(Run& run, const std::filesystem::path& path, const io::ReadOptions& read) {
    io::Asset asset = load(run, path, read);
    if (!asset.cycle.empty()) make_playable(asset, run.monitor);
    if (!asset.character.clips.empty() && asset.character.has_skeleton()) return asset;
    if (!asset.trial.markers.empty())
        fail(path.string(), "holds {} markers but no skeleton: solve it first (sinew solve)",
             asset.trial.markers.count());
    fail(path.string(), "holds no motion");
}

std::vector<std::filesystem::path> motion_files(const std::filesystem::path& path) {
    if (!std::filesystem::is_directory(path)) return {path};
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
        const std::string kind = suffix(entry.path());
        const bool motion = kind == "bvh" || kind == "amc" || kind == "glb" || kind == "gltf" ||
                            kind == "gcd" || kind == "fbx";
        if (motion && entry.is_regular_file()) files.push_back(entry.path());
    }
    if (files.empty()) fail(path.string(), "the folder holds no motion (bvh, amc, glb, gltf, gcd, fbx)");
    std::sort(files.begin(), files.end());
    return files;
}

model::Clip retarget_onto(Run& run, const io::Asset& source, const std::filesystem::path& path,
                          const std::string& clip_name, const model::Skeleton& target,
                          const RetargetChoice& choice) {
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
    return std::move(result.clip);
}

}  // namespace sinew::cli
