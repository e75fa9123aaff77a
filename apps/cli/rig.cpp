// SPDX-License-Identifier: MIT
// sinew rig: computes a rig, skeleton and weights, for a mesh in one step.

#include "rig.h"

#include "sinew/base/error.h"

namespace sinew::cli {
namespace {

struct RigArguments {
    std::vector<std::filesystem::path> inputs;
    std::filesystem::path output;
    io::ReadOptions read;
    SkeletonChoice skeleton;
    rig::BindOptions bind;
    std::optional<rig::JointNames> names;
};

/// Which joints the user should check, and a remedy if these are most of them.
void tell_unsure(const Run& run, const rig::SkeletonizeResult& found) {
    constexpr std::size_t largest = 8;
    const std::vector<int>& unsure = found.fit->unsure;
    if (unsure.empty()) return;
    std::vector<std::string> first;
    for (std::size_t i = 0; i < std::min(largest, unsure.size()); ++i)
        first.push_back(found.skeleton.joints[static_cast<std::size_t>(unsure[i])].name);
    const std::string more =
        unsure.size() > largest ? fmt::format(" and {} more", unsure.size() - largest) : std::string();
    run.say("check these joints, their position is uncertain: {}{}", fmt::join(first, ", "), more);
    if (2 * unsure.size() > found.skeleton.size())
        run.say(
            "most joints are uncertain, so this skeleton may not suit the body: check it with `sinew render "
            "OUT -o check.png --skeleton xray`, choose another with --template, or correct the joints in "
            "`sinew studio`");
}

Json rig_one(Run& run, const RigArguments& options, const std::filesystem::path& input,
             const std::filesystem::path& output) {
    const io::Asset asset = load(run, input, options.read);
    if (!asset.character.has_mesh()) fail(input.string(), "contains no mesh");
    pipeline::RigResult made = pipeline::rig_character(
        asset.character, load_rig_options(run, options.skeleton, options.bind), run.monitor);
    run.add_seconds(made.seconds);
    tell(run, made.skeleton);
    tell(run, *made.bind, made.character.skeleton);
    io::Asset out;
    out.character = std::move(made.character);
    use_names(run, options.names, out.character);
    save(run, output, out);
    run.say("wrote {}", output.string());
    return pipeline::report_of(made);
}

/// Rigs every mesh or reports the reason; one failure does not stop the others.
void rig_many(Run& run, const RigArguments& options) {
    std::filesystem::create_directories(options.output);
    Json rows = Json::array();
    std::size_t failed = 0;
    for (const std::filesystem::path& input : options.inputs) {
        const std::filesystem::path output = options.output / (input.stem().string() + ".glb");
        Json row;
        try {
            row = rig_one(run, options, input, output);
            row["output"] = output.string();
        } catch (const Error& error) {
            ++failed;
            row["error"] = explained(error);
            run.say("{}", explained(error));
        }
        row["input"] = input.string();
        rows.push_back(std::move(row));
    }
    run.report.extra = {{"rigs", rows}, {"failed", failed}};
    if (failed > 0) fail("", "{} of {} meshes could not be rigged", failed, options.inputs.size());
}

void execute(Run& run, const RigArguments& options) {
    std::error_code code;
    if (options.inputs.size() > 1 && is_of(output::models, options.output) &&
        !std::filesystem::is_directory(options.output, code))
        throw UsageError(
            options.output.string(),
            "several meshes are written into a folder, and this is the name of a file; a mesh and a "
            "motion: sinew animate MESH MOTION; a name with spaces: put it in quotes");
    check_output(run, options.output,
                 options.inputs.size() > 1
                     ? OutputFamilies{output::folder}
                     : OutputFamilies{output::models, output::pictures, output::folder});
    const bool folder = options.inputs.size() > 1 || std::filesystem::is_directory(options.output) ||
                        !options.output.has_extension();
    if (folder)
        rig_many(run, options);
    else
        run.report.extra.update(rig_one(run, options, options.inputs.front(), options.output));
}

}  // namespace

pipeline::RigOptions load_rig_options(Run& run, const SkeletonChoice& choice, const rig::BindOptions& bind) {
    for (const std::string& file : {choice.pattern, choice.hierarchy})
        if (!file.empty() && std::filesystem::exists(file)) run.report.inputs.push_back(file);
    return rig_options(choice, bind, run.monitor);
}

void tell(const Run& run, const rig::SkeletonizeResult& found) {
    const std::size_t bones = model::bones(found.skeleton, model::rest_world_matrices(found.skeleton)).size();
    run.say("{}, {} ({})", count_of(found.skeleton.size(), "joint"), count_of(bones, "bone"), found.reason);
    if (found.fit) tell_unsure(run, found);
}

void tell(const Run& run, const pipeline::BoundSkin& bound, const model::Skeleton& skeleton) {
    run.say("bound {} to {} by {} ({})", count_of(bound.result.skin.vertex_count(), "vertex"),
            count_of(skeleton.size(), "joint"), rig::name_of(bound.result.method), bound.result.reason);
}

void add_rig(Program& program) {
    auto options = std::make_shared<RigArguments>();
    CLI::App& verb = program.verb("rig", "Find a skeleton and skin weights for a mesh",
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
    add_names_option(verb, options->names);
    add_read_options(verb, options->read);
}

}  // namespace sinew::cli
