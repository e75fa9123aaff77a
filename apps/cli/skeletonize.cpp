// sinew skeletonize: a skeleton for a mesh that has none.

#include "sinew/rig/skeletonize/skeletonize.h"

#include "common.h"

#include "sinew/base/error.h"
#include "sinew/sample/skeleton_templates.h"

namespace sinew::cli {
namespace {

struct Options {
    std::filesystem::path input;
    std::filesystem::path output;
    io::ReadOptions read;
    rig::SkeletonMethod method = rig::SkeletonMethod::automatic;
    std::string pattern;
    bool with_mesh = false;
};

/// The pattern: a file with a skeleton, or a built-in one.
model::Skeleton load_pattern(Run& run, const std::string& name) {
    if (std::filesystem::exists(name)) {
        const io::Asset asset = load(run, name);
        if (!asset.character.has_skeleton()) fail(name, "there is no skeleton in it to fit");
        return asset.character.skeleton;
    }
    return sample::skeleton_template(name);
}

void report(Run& run, const rig::SkeletonizeResult& result) {
    const std::size_t bones =
        model::bones(result.skeleton, model::rest_world_matrices(result.skeleton)).size();
    run.report.extra.update({{"method", rig::name_of(result.method)},
                             {"reason", result.reason},
                             {"joints", result.skeleton.size()},
                             {"bones", bones},
                             {"inside_fraction", result.quality.inside_fraction},
                             {"centredness", result.quality.centredness.limb_mean},
                             {"ends", result.quality.topology.ends},
                             {"branches", result.quality.topology.branches},
                             {"pieces", result.quality.topology.pieces}});
    run.say("{}, {} ({})", count_of(result.skeleton.size(), "joint"), count_of(bones, "bone"), result.reason);
    if (!result.fit) return;
    run.report.extra["confidence"] = result.fit->confidence;
    run.report.extra["unsure"] = Json::array();
    for (const int joint : result.fit->unsure) {
        run.report.extra["unsure"].push_back(result.skeleton.joints[static_cast<std::size_t>(joint)].name);
    }
    run.report.extra["missing"] = result.fit->missing;
    if (!result.fit->unsure.empty()) {
        run.say("look at {}", fmt::join(run.report.extra["unsure"].get<std::vector<std::string>>(), ", "));
    }
}

void execute(Run& run, const Options& options) {
    io::Asset asset = load(run, options.input, options.read);
    if (!asset.character.has_mesh()) fail(options.input.string(), "there is no mesh to find a skeleton in");
    // A character that has a rig is looked at as it stands at rest, not as its file stores the vertices.
    if (asset.character.has_skin()) {
        asset.character.mesh = posed_mesh(asset.character, nullptr, 0, deform::Method::lbs);
    }
    rig::SkeletonizeOptions settings;
    settings.method = options.method;
    model::Skeleton pattern;
    if (!options.pattern.empty()) {
        pattern = load_pattern(run, options.pattern);
        settings.pattern = &pattern;
    }
    rig::SkeletonizeResult result = [&] {
        const StageTimer timer(run.report, "skeletonize");
        return rig::skeletonize(asset.character.mesh, settings, run.monitor);
    }();
    report(run, result);
    io::Asset out;
    out.character.name = asset.character.name;
    out.character.skeleton = std::move(result.skeleton);
    if (options.with_mesh) out.character.mesh = std::move(asset.character.mesh);
    save(run, options.output, out);
    run.say("wrote {}", options.output.string());
}

}  // namespace

void add_skeletonize(Program& program) {
    auto options = std::make_shared<Options>();
    CLI::App& verb = program.verb("skeletonize", "Find a skeleton for a mesh that has none",
                                  "  sinew skeletonize character.obj -o skeleton.glb\n"
                                  "  sinew skeletonize character.obj --template walk.bvh -o fitted.bvh",
                                  [options](Run& run) { execute(run, *options); });
    static const std::map<std::string, rig::SkeletonMethod> methods = {
        {"auto", rig::SkeletonMethod::automatic},
        {"silhouette", rig::SkeletonMethod::silhouette},
        {"contraction", rig::SkeletonMethod::contraction},
        {"voxel", rig::SkeletonMethod::voxel},
        {"template", rig::SkeletonMethod::fitted}};
    verb.add_option("input", options->input, "Mesh")->required()->type_name("MESH");
    verb.add_option("-o,--output", options->output, "Skeleton to write: glb, bvh, asf, tgf")
        ->required()
        ->type_name("SKELETON");
    verb.add_option("--method", options->method,
                    "auto = the first that is centred, inside and connected\n"
                    "silhouette = outline in the best view, its axis, depth by rays\n"
                    "contraction = the surface shrinks to a curve\n"
                    "voxel = deepest ways inside the solid\n"
                    "template = a given skeleton is placed inside the body")
        ->transform(CLI::CheckedTransformer(methods, CLI::ignore_case).description(""));
    verb.add_option("--template", options->pattern,
                    "Skeleton to fit: biped, biped-hands, quadruped, hand, or a file that has one (BVH, ASF, glTF)")
        ->type_name("NAME_OR_FILE");
    verb.add_flag("--with-mesh", options->with_mesh, "Write the mesh beside the skeleton");
    add_read_options(verb, options->read);
}

}  // namespace sinew::cli
