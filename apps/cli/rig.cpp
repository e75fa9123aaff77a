// sinew rig: a mesh becomes a rig, skeleton and weights in one go.

#include "rig_options.h"

#include "sinew/base/error.h"

namespace sinew::cli {
namespace {

struct RigArguments {
    std::vector<std::filesystem::path> inputs;
    std::filesystem::path output;
    io::ReadOptions read;
    SkeletonChoice skeleton;
    rig::BindOptions bind;
};

void rig_one(Run& run, RigArguments& options, const std::filesystem::path& input,
             const std::filesystem::path& output) {
    const io::Asset asset = load(run, input, options.read);
    io::Asset out;
    out.character.name = asset.character.name;
    out.character.mesh = rest_mesh(asset, input);
    out.character.skeleton = find_skeleton(run, out.character.mesh, options.skeleton).skeleton;
    const Json found = run.report.extra;
    out.character.skin = bind_skin(run, out.character.mesh, out.character.skeleton, options.bind).skin;
    run.report.extra["skeleton_method"] = found.value("method", "");
    run.report.extra["skeleton_reason"] = found.value("reason", "");
    save(run, output, out);
    run.say("wrote {}", output.string());
}

/// Every mesh gets its rig, or its reason; one that fails does not stop the others.
void rig_many(Run& run, RigArguments& options) {
    std::filesystem::create_directories(options.output);
    Json rows = Json::array();
    std::size_t failed = 0;
    for (const std::filesystem::path& input : options.inputs) {
        const std::filesystem::path output = options.output / (input.stem().string() + ".glb");
        run.report.extra = Json::object();
        try {
            rig_one(run, options, input, output);
            run.report.extra["output"] = output.string();
        } catch (const Error& error) {
            ++failed;
            run.report.extra["error"] = error.what();
            run.say("{}", error.what());
        }
        run.report.extra["input"] = input.string();
        rows.push_back(run.report.extra);
    }
    run.report.extra = {{"rigs", rows}, {"failed", failed}};
    if (failed > 0) fail("", "{} of {} meshes got no rig", failed, options.inputs.size());
}

void execute(Run& run, RigArguments& options) {
    check_output(run, options.output,
                 options.inputs.size() > 1
                     ? OutputFamilies{output::folder}
                     : OutputFamilies{output::models, output::pictures, output::folder});
    const bool folder = options.inputs.size() > 1 || std::filesystem::is_directory(options.output) ||
                        !options.output.has_extension();
    if (folder)
        rig_many(run, options);
    else
        rig_one(run, options, options.inputs.front(), options.output);
}

}  // namespace

void add_rig(Program& program) {
    auto options = std::make_shared<RigArguments>();
    CLI::App& verb = program.verb("rig", "Find a skeleton and skin weights for a mesh, in one go",
                                  "  sinew rig character.obj -o rig.glb\n"
                                  "  sinew rig character.obj --template walk.bvh -o rig.glb\n"
                                  "  sinew rig a.obj b.obj c.obj -o rigs/ --settings rig.ini",
                                  [options](Run& run) { execute(run, *options); });
    verb.add_option("inputs", options->inputs, "Meshes")->required()->type_name("MESH");
    verb.add_option("-o,--output", options->output, "Rig to write, or a folder for several")
        ->required()
        ->type_name("RIG");
    add_skeleton_options(verb, options->skeleton, "--skeleton-method");
    add_bind_options(verb, options->bind, "--bind-method");
    add_read_options(verb, options->read);
}

}  // namespace sinew::cli
