// SPDX-License-Identifier: MIT
// sinew retarget: transfers a motion, or a folder of motions, to another skeleton.

#include "motion_options.h"

#include "sinew/base/error.h"

namespace sinew::cli {
namespace {

struct RetargetArguments {
    std::filesystem::path motion;
    std::filesystem::path rig;
    std::filesystem::path output;
    std::string clip;
    io::ReadOptions read;
    io::WriteOptions write;
    RetargetChoice retarget;
};

void retarget_one(Run& run, const RetargetArguments& options, io::Asset& rig,
                  const std::filesystem::path& motion, const std::filesystem::path& output) {
    const pipeline::Motion source = load_motion(run, motion, options.read, options.retarget.solve);
    motion::RetargetResult result = [&] {
        const StageTimer timer(run.report, "retarget");
        return pipeline::retarget(source, options.clip, rig.character.skeleton,
                                  retarget_options(options.retarget), run.monitor);
    }();
    run.report.extra.update(pipeline::report_of(result));
    tell(run, result, rig.character.skeleton.size());
    rig.character.clips = {std::move(result.clip)};
    run.report.extra["frames"] = model::frame_count(rig.character.clips[0]);
    save(run, output, rig, options.write);
    run.say("wrote {}", output.string());
}

bool holds_motion(const std::filesystem::path& path) {
    const io::Format* format = io::find_format(path);
    // A text file may have any content.
    return format != nullptr && format->suffix != "txt" &&
           io::holds(format->reads, io::Content::motion | io::Content::trial | io::Content::cycle);
}

/// The motion files of a folder, sorted by name. \throws Error when there is none.
std::vector<std::filesystem::path> motion_files(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.is_regular_file() && holds_motion(entry.path())) files.push_back(entry.path());
    if (files.empty())
        fail(folder.string(), "the folder holds no motion (bvh, amc, c3d, trc, glb, gcd and the like)");
    std::sort(files.begin(), files.end());
    return files;
}

/// Retargets every motion or reports the reason; one failure does not stop the others.
void retarget_folder(Run& run, const RetargetArguments& options, io::Asset& rig) {
    std::filesystem::create_directories(options.output);
    Json rows = Json::array();
    std::size_t failed = 0;
    const std::vector<std::filesystem::path> files = motion_files(options.motion);
    for (const std::filesystem::path& file : files) {
        const std::filesystem::path output = options.output / (file.stem().string() + ".glb");
        run.report.extra = {{"input", file.string()}, {"output", output.string()}};
        try {
            retarget_one(run, options, rig, file, output);
        } catch (const Error& error) {
            ++failed;
            run.report.extra["error"] = explained(error);
            run.say("{}", explained(error));
        }
        rows.push_back(run.report.extra);
    }
    run.report.output = options.output.string();
    run.report.extra = {{"motions", rows}, {"failed", failed}};
    if (failed > 0) fail("", "{} of {} motions could not be retargeted", failed, files.size());
}

void execute(const RetargetArguments& options, Run& run) {
    const bool folder = std::filesystem::is_directory(options.motion);
    check_output(run, options.output,
                 folder ? OutputFamilies{output::folder} : OutputFamilies{output::models, output::pictures});
    io::Asset rig = load(run, options.rig, options.read);
    if (!rig.character.has_skeleton()) fail(options.rig.string(), "has no skeleton to move");
    if (folder)
        retarget_folder(run, options, rig);
    else
        retarget_one(run, options, rig, options.motion, options.output);
}

}  // namespace

void add_retarget(Program& program) {
    auto options = std::make_shared<RetargetArguments>();
    CLI::App& verb =
        program.verb("retarget", "Retarget a motion, or a folder of motions, to another skeleton",
                     "  sinew retarget walk.bvh character.glb -o walking.glb\n"
                     "  sinew retarget walk.bvh other.bvh -o other_walk.bvh --in-place\n"
                     "  sinew retarget motions/ character.glb -o animated/",
                     [options](Run& run) { execute(*options, run); });
    verb.add_option("motion", options->motion, "Motion, or a folder of motions")
        ->required()
        ->type_name("MOTION");
    verb.add_option("rig", options->rig, "Character or skeleton")->required()->type_name("RIG");
    verb.add_option("-o,--output", options->output, "glb, gltf, bvh; or a folder for a folder")
        ->required()
        ->type_name("OUT");
    verb.add_option("--clip", options->clip, "Clip by name or number; the first by default")
        ->type_name("CLIP");
    add_read_options(verb, options->read);
    add_retarget_options(verb, options->retarget);
}

}  // namespace sinew::cli
