// What skeletonize and rig tell of skeletons.

#include "rig_options.h"

#include "sinew/base/error.h"

namespace sinew::cli {
namespace {

Json silhouette_report(const rig::SilhouetteResult& stages) {
    std::size_t outline = 0, triangles[4] = {0, 0, 0, 0};
    for (const rig::SilhouetteStage& stage : stages.stages) {
        outline += stage.outline.outer.size();
        for (const rig::TriangleClass kind : stage.classes) ++triangles[static_cast<std::size_t>(kind)];
    }
    const rig::SilhouetteTimes& s = stages.seconds;
    return {{"outline_points", outline},
            {"terminal_triangles", triangles[1]},
            {"sleeve_triangles", triangles[2]},
            {"junction_triangles", triangles[3]},
            {"branches", stages.refined.branches.size()},
            {"key_joints", stages.joints.key_joints},
            {"in_between_joints", stages.joints.inner_joints},
            {"seconds",
             {{"view", s.view},
              {"silhouette", s.silhouette},
              {"axis", s.axis},
              {"decomposition", s.decompose},
              {"refinement", s.refine},
              {"joints", s.joints}}}};
}

Json part_report(const rig::SkeletonizeResult& result) {
    const rig::PartSkeleton& parts = *result.parts;
    Json list = Json::array();
    for (std::size_t p = 0; p < parts.pieces.size(); ++p)
        list.push_back(
            {{"name", result.body->cut.names[p]},
             {"joint", result.skeleton.joints[static_cast<std::size_t>(parts.joint_of_part[p])].name},
             {"method", rig::name_of(parts.pieces[p].method)},
             {"links", parts.pieces[p].links},
             {"connection", parts.pieces[p].connection},
             {"used_axis", parts.pieces[p].used_axis}});
    return {{"automatic", result.body->automatic},
            {"count", parts.pieces.size()},
            {"list", std::move(list)},
            {"seconds",
             {{"features", parts.seconds.features},
              {"refinement", parts.seconds.refine},
              {"graph", parts.seconds.graph}}}};
}

/// Which joints deserve a look, and what helps when it is most of them.
void tell_unsure(const Run& run, const std::vector<std::string>& unsure, std::size_t joints) {
    constexpr std::size_t most = 8;
    if (unsure.empty()) return;
    const std::vector<std::string> first(unsure.begin(), unsure.begin() + std::min(most, unsure.size()));
    const std::string more =
        unsure.size() > most ? fmt::format(" and {} more", unsure.size() - most) : std::string();
    run.say("look at {}{}", fmt::join(first, ", "), more);
    if (2 * unsure.size() > joints)
        run.say(
            "this skeleton may not be one for this body: look with `sinew render OUT -o look.png --skeleton "
            "xray`, take another with --template, or set the joints right in `sinew studio`");
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
    if (result.parts) run.report.extra["parts"] = part_report(result);
    if (result.stages) run.report.extra["stages"] = silhouette_report(*result.stages);
    if (!result.fit) return;
    std::vector<std::string> unsure;
    for (const int joint : result.fit->unsure)
        unsure.push_back(result.skeleton.joints[static_cast<std::size_t>(joint)].name);
    run.report.extra.update(
        {{"confidence", result.fit->confidence}, {"unsure", unsure}, {"missing", result.fit->missing}});
    tell_unsure(run, unsure, result.skeleton.size());
}

}  // namespace

geometry::Mesh rest_mesh(const io::Asset& asset, const std::filesystem::path& path) {
    if (!asset.character.has_mesh()) fail(path.string(), "there is no mesh in it");
    // A character that has a rig is looked at as it stands at rest, not as its file stores the vertices.
    return asset.character.has_skin() ? posed_mesh(asset.character, nullptr, 0, deform::Method::lbs)
                                      : asset.character.mesh;
}

rig::SkeletonizeResult find_skeleton(Run& run, const geometry::Mesh& mesh, const SkeletonChoice& choice) {
    for (const std::string& file : {choice.pattern, choice.hierarchy})
        if (!file.empty() && std::filesystem::exists(file)) run.report.inputs.push_back(file);
    const StageTimer timer(run.report, "skeletonize");
    rig::SkeletonizeResult result = app::find_skeleton(mesh, choice, run.monitor);
    report(run, result);
    return result;
}

}  // namespace sinew::cli
