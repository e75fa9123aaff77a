// SPDX-License-Identifier: MIT
// sinew skeletonize: computes a skeleton for a mesh that has none.

#include "picture.h"
#include "rig.h"

#include "sinew/base/error.h"
#include "sinew/rig/edit.h"

namespace sinew::cli {
namespace {

struct SkeletonizeArguments {
    std::filesystem::path input;
    std::filesystem::path output;
    io::ReadOptions read;
    SkeletonChoice skeleton;
    std::filesystem::path keep_from;
    std::vector<std::string> locked;
    bool with_mesh = false;
};

/// Joints that were edited by hand keep their positions from an earlier skeleton.
model::Skeleton with_locked(Run& run, const SkeletonizeArguments& options, const model::Skeleton& fresh) {
    if (options.keep_from.empty()) return fresh;
    const io::Asset before = load(run, options.keep_from);
    if (!before.character.has_skeleton()) fail(options.keep_from.string(), "contains no skeleton");
    return rig::keep_locked(fresh, before.character.skeleton, {options.locked.begin(), options.locked.end()});
}

void execute(Run& run, SkeletonizeArguments& options) {
    check_output(run, options.output, {output::scenes, output::skeletons, output::pictures});
    if (options.keep_from.empty() != options.locked.empty())
        fail("", "--keep-from and --lock go together: a skeleton, and the joints of it that stay");
    io::Asset asset = load(run, options.input, options.read);
    asset.character.mesh = pipeline::rest_mesh(asset.character, options.input.string());
    const pipeline::RigOptions how = load_rig_options(run, options.skeleton);
    const rig::SkeletonizeResult result = [&] {
        const StageTimer timer(run.report, "skeletonize");
        return pipeline::find_skeleton(asset.character.mesh, how, run.monitor);
    }();
    run.report.extra.update(pipeline::report_of(result));
    tell(run, result);
    io::Asset out;
    out.character.name = asset.character.name;
    out.character.skeleton = with_locked(run, options, result.skeleton);
    if (options.with_mesh || is_picture(options.output)) out.character.mesh = std::move(asset.character.mesh);
    save(run, options.output, out);
    run.say("wrote {}", options.output.string());
}

}  // namespace

void add_skeletonize(Program& program) {
    auto options = std::make_shared<SkeletonizeArguments>();
    CLI::App& verb = program.verb("skeletonize", "Find a skeleton for a mesh",
                                  "  sinew skeletonize character.obj -o skeleton.glb\n"
                                  "  sinew skeletonize character.obj --template biped -o skeleton.bvh\n"
                                  "  sinew skeletonize character.obj --template walk.bvh -o fitted.bvh",
                                  [options](Run& run) { execute(run, *options); });
    verb.add_option("input", options->input, "Mesh")->required()->type_name("MESH");
    verb.add_option("-o,--output", options->output, "Skeleton to write: glb, bvh, asf, tgf, json")
        ->required()
        ->type_name("SKELETON");
    add_skeleton_options(verb, options->skeleton, "--method");
    verb.add_option("--keep-from", options->keep_from, "Earlier skeleton whose locked joints stay")
        ->type_name("SKELETON");
    verb.add_option("--lock", options->locked, "Joints of --keep-from that stay, by name")->delimiter(',');
    verb.add_flag("--with-mesh", options->with_mesh, "Write the mesh with the skeleton");
    add_read_options(verb, options->read);
}

}  // namespace sinew::cli
