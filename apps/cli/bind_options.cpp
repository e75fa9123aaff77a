// What bind and rig can be told about weights, and what they tell of them.

#include "rig_options.h"

#include "sinew/rig/weight_quality.h"

namespace sinew::cli {

void add_bind_options(CLI::App& verb, rig::BindOptions& options, const std::string& method) {
    std::map<std::string, rig::BindMethod> methods = {{"auto", rig::BindMethod::automatic}};
    for (const rig::BindMethod known : rig::bind_methods()) methods.emplace(rig::name_of(known), known);
    verb.add_option(method, options.method,
                    "auto = looks at the mesh, says what it took and why\n"
                    "regions = cuts at the thinnest places, bands across them\n"
                    "heat = warmth from the nearest visible bone spreads over the skin\n"
                    "voxel = ways inside the solid; open and many-shelled bodies too\n"
                    "biharmonic = smoothest bounded weights in the solid\n"
                    "distance = straight distance to the bones, base 100\n"
                    "nearest = smooth bind of the nearest joints\n"
                    "rigid = the nearest bone alone")
        ->transform(CLI::CheckedTransformer(methods, CLI::ignore_case).description(""));
    verb.add_option("--softness", options.softness, "0 = rigid at the joints, 1 = as soft as it gets")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    verb.add_option("--max-influences", options.max_influences, "Joints a vertex; 0 sets no limit")
        ->check(CLI::Range(0, 64))
        ->capture_default_str();
    verb.add_option("--prune-below", options.prune_below, "Weights below this are dropped")
        ->check(CLI::Range(0.0, 0.5));
    verb.add_option("--smooth", options.smoothing, "Passes of smoothing over the finished weights")
        ->check(CLI::Range(0, 1000));
}

rig::BindResult bind_skin(Run& run, const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                          const rig::BindOptions& options) {
    rig::BindResult result = [&] {
        const StageTimer timer(run.report, "bind");
        return rig::bind(mesh, skeleton, options, run.monitor);
    }();
    model::Character bound;
    bound.mesh = mesh;
    bound.skeleton = skeleton;
    bound.skin = result.skin;
    const rig::WeightQuality quality = rig::weight_quality(bound);
    const auto sets = model::group_by_influences(bound.skin, &skeleton);
    run.report.extra.update({{"method", rig::name_of(result.method)},
                             {"reason", result.reason},
                             {"max_influences", quality.most_influences},
                             {"influence_sets", sets.sets.size()},
                             {"leakage", quality.leakage},
                             {"steepest", quality.steepest},
                             {"unused_joints", quality.unused}});
    run.say("bound {} to {} by {} ({})", count_of(mesh.vertex_count(), "vertex"),
            count_of(skeleton.size(), "joint"), rig::name_of(result.method), result.reason);
    return result;
}

}  // namespace sinew::cli
