// sinew bind: a mesh follows a skeleton.

#include "bind_compare.h"
#include "rig_options.h"

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/io/interchange.h"
#include "sinew/rig/bind.h"

namespace sinew::cli {
namespace {

struct BindArguments {
    std::filesystem::path mesh;
    std::filesystem::path skeleton;
    std::filesystem::path output;
    std::filesystem::path weights;   ///< a table instead of a method
    std::filesystem::path transfer;  ///< a rig instead of a method
    std::filesystem::path compare;
    bool symmetric = false;
    io::ReadOptions read;
    Instant instant;  ///< of the skeleton's clip, in whose pose the mesh is
    rig::BindOptions bind;
};

/// The skeleton as it stands in the pose that the mesh is in.
model::Skeleton posed_skeleton(const model::Character& character, const Instant& instant) {
    if (!instant.given()) return character.skeleton;
    const model::Clip* clip = model::find_clip(character, instant.clip);
    if (clip == nullptr) fail("", "--frame and --time need a skeleton that has a motion");
    model::Skeleton posed = character.skeleton;
    const auto local = model::sample(*clip, character.skeleton, seconds_of(instant, clip));
    for (std::size_t j = 0; j < posed.size(); ++j) posed.joints[j].rest = local[j];
    return posed;
}

model::Skin weights_of(Run& run, const BindArguments& options, const geometry::Mesh& mesh,
                       const model::Skeleton& skeleton) {
    if (!options.weights.empty()) {
        const FileView file(options.weights);
        return io::read_weights_csv(file.bytes(), options.weights.string(), skeleton, mesh.vertex_count(),
                                    run.monitor);
    }
    if (options.transfer.empty()) return bind_skin(run, mesh, skeleton, options.bind).skin;
    const io::Asset from = load(run, options.transfer, options.read);
    if (!from.character.has_skin()) fail(options.transfer.string(), "has no skin weights to take over");
    model::Character source = from.character;
    source.mesh = rest_mesh(from, options.transfer);
    return rig::transfer_skin(source, mesh, skeleton, options.bind);
}

void execute(Run& run, const BindArguments& options) {
    check_output(run, options.output, {output::models, output::pictures});
    check_output(run, options.compare, {output::folder});
    io::Asset asset = load(run, options.mesh, options.read);
    const io::Asset bones = load(run, options.skeleton, options.read);
    if (!bones.character.has_skeleton()) fail(options.skeleton.string(), "there is no skeleton in it");
    io::Asset out;
    out.character.name = asset.character.name;
    out.character.mesh = rest_mesh(asset, options.mesh);
    out.character.skeleton = bones.character.skeleton;
    out.character.clips = bones.character.clips;
    out.character.unit = bones.character.unit;
    const model::Skeleton pose = posed_skeleton(bones.character, options.instant);
    if (!options.compare.empty()) {
        out.character.skeleton = pose;
        if (asset.character.has_skin() && asset.character.skeleton.size() == pose.size())
            out.character.skin = rig::rebound_skin(asset.character.skin, out.character.mesh, pose);
        compare_bindings(run, out.character, options.bind, options.compare);
        return;
    }
    out.character.skin = weights_of(run, options, out.character.mesh, pose);
    if (options.symmetric) out.character.skin = rig::symmetric_skin(out.character.skin, out.character.mesh, pose);
    save(run, options.output, out);
    run.say("wrote {}", options.output.string());
}

}  // namespace

void add_bind(Program& program) {
    auto options = std::make_shared<BindArguments>();
    CLI::App& verb =
        program.verb("bind", "Bind a mesh to a skeleton: find skin weights",
                     "  sinew bind character.obj skeleton.glb -o rig.glb\n"
                     "  sinew bind character.obj skeleton.glb --compare comparison/\n"
                     "  sinew bind scan.obj walk.bvh --frame 0 -o rig.glb   (the mesh is in frame 0)",
                     [options](Run& run) { execute(run, *options); });
    verb.add_option("mesh", options->mesh, "Mesh")->required()->type_name("MESH");
    verb.add_option("skeleton", options->skeleton, "File with a skeleton inside the mesh")
        ->required()
        ->type_name("SKELETON");
    auto* output =
        verb.add_option("-o,--output", options->output, "Rig to write: glb, gltf, json, csv (weights only)")
            ->type_name("RIG");
    auto* compare = verb.add_option("--compare", options->compare,
                                    "Try every method: a table and pictures of all, in this folder")
                        ->type_name("FOLDER");
    output->excludes(compare);
    verb.require_option(1, 0);
    add_bind_options(verb, options->bind, "--method");
    verb.add_option("--weights", options->weights, "Take the weights of a table: vertex,joint,weight")
        ->type_name("FILE.csv");
    verb.add_option("--transfer", options->transfer,
                    "Take the weights of another mesh of the same body, by nearest places and joint names")
        ->type_name("RIG");
    verb.add_flag("--symmetric", options->symmetric, "The right side gets the weights of the left");
    add_instant_options(verb, options->instant);
    add_read_options(verb, options->read);
}

}  // namespace sinew::cli
