// SPDX-License-Identifier: MIT
#include "sinew/pipeline/rig.h"

#include <algorithm>
#include <filesystem>

#include "sinew/base/error.h"
#include "sinew/deform/deformer.h"
#include "sinew/io/io.h"
#include "sinew/pipeline/detail/stage_clock.h"
#include "sinew/rig/edit.h"
#include "sinew/rig/skeletonize.h"

namespace sinew::pipeline {
namespace {

/// The influences of a cut mesh: each part follows only its own joint.
model::Skin skin_by_parts(const rig::SkeletonizeResult& found, std::size_t vertices) {
    const geometry::CutMesh& cut = found.body->cut;
    std::vector<int> joint_of_point(cut.points.size(), 0);
    for (std::size_t t = cut.triangles.size(); t-- > 0;)
        for (const std::uint32_t p : cut.triangles[t])
            joint_of_point[p] = found.parts->joint_of_part[static_cast<std::size_t>(cut.part_of[t])];
    model::Skin skin;
    skin.joints = model::bind_at_rest(found.skeleton);
    for (std::size_t v = 0; v < vertices; ++v) {
        const model::Influence whole{static_cast<std::uint32_t>(joint_of_point[cut.point_of[v]]), 1};
        skin.push_vertex({&whole, 1});
    }
    return skin;
}

bool has_own_frames(const model::Skeleton& skeleton) {
    return std::any_of(skeleton.joints.begin(), skeleton.joints.end(), [](const model::Joint& joint) {
        return !joint.rest.rotation.isApprox(math::Quatd::Identity(), 1e-6);
    });
}

/// Methods use a grid of a few hundred cells: a body below this fraction of the total extent is smaller than
/// a cell.
constexpr double min_part_of_extent = 1e-3;
/// One vertex per this many, at least one, is ignored at both ends of each axis when the size of the others
/// is computed.
constexpr std::size_t vertices_per_outlier = 200;

/// \throws Error when a few vertices are so far outside that the others have no resolution: a damaged number,
/// or a floor of many kilometres below a person.
void check_outliers(const std::vector<math::Vec3f>& positions) {
    const std::size_t count = positions.size(),
                      outside = std::max<std::size_t>(1, count / vertices_per_outlier);
    if (count < 8 ||
        !std::all_of(positions.begin(), positions.end(), [](const auto& p) { return p.allFinite(); }))
        return;
    geometry::Box rest;
    math::Vec3f low, high;
    std::vector<float> values(count);
    for (int axis = 0; axis < 3; ++axis) {
        std::transform(positions.begin(), positions.end(), values.begin(),
                       [&](const auto& p) { return p[axis]; });
        const auto at = [&](std::size_t i) {
            const auto nth = values.begin() + static_cast<std::ptrdiff_t>(i);
            std::nth_element(values.begin(), nth, values.end());
            return *nth;
        };
        low[axis] = at(outside);
        high[axis] = at(count - 1 - outside);
    }
    rest.include(low);
    rest.include(high);
    const double all = geometry::bounds(positions).size().cast<double>().norm(),
                 most = rest.size().cast<double>().norm();
    if (most > 0 && most < min_part_of_extent * all) {
        fail("rig",
             "nearly all vertices lie within {:.3g} of a mesh that is {:.3g} across: a few lie far outside. "
             "Remove them, or leave out the part that they belong to",
             most, all);
    }
}

Json silhouette_report(const rig::SilhouetteCounts& counts) {
    const rig::SilhouetteTimes& s = counts.seconds;
    return {{"outline_points", counts.outline_points},
            {"terminal_triangles", counts.terminal_triangles},
            {"sleeve_triangles", counts.sleeve_triangles},
            {"junction_triangles", counts.junction_triangles},
            {"branches", counts.branches},
            {"key_joints", counts.key_joints},
            {"in_between_joints", counts.inner_joints},
            {"seconds",
             {{"view", s.view},
              {"silhouette", s.silhouette},
              {"axis", s.axis},
              {"decomposition", s.decompose},
              {"refinement", s.refine},
              {"joints", s.joints}}}};
}

Json part_list(const rig::SkeletonizeResult& found) {
    const rig::PartSkeleton& parts = *found.parts;
    Json list = Json::array();
    for (std::size_t p = 0; p < parts.pieces.size(); ++p)
        list.push_back(
            {{"name", found.body->cut.names[p]},
             {"joint", found.skeleton.joints[static_cast<std::size_t>(parts.joint_of_part[p])].name},
             {"method", rig::name_of(parts.pieces[p].method)},
             {"links", parts.pieces[p].links},
             {"connection", parts.pieces[p].connection},
             {"used_axis", parts.pieces[p].used_axis}});
    return list;
}

}  // namespace

geometry::Mesh posed_mesh(const model::Character& character, const model::Clip* clip, double time,
                          deform::Method method) {
    return deform::Deformer(character, {.method = method}).mesh_at(clip, time);
}

geometry::Mesh rest_mesh(const model::Character& character, std::string_view name) {
    if (!character.has_mesh()) fail(name.empty() ? character.name : name, "contains no mesh");
    return character.has_skin() ? posed_mesh(character, nullptr, 0, deform::Method::lbs) : character.mesh;
}

model::Skeleton load_template(const std::string& name, Monitor& monitor) {
    if (!std::filesystem::exists(name)) return rig::skeleton_template(name);
    const io::Asset asset = io::read(name, {}, monitor);
    if (!asset.character.has_skeleton()) fail(name, "contains no skeleton to fit");
    return asset.character.skeleton;
}

rig::SkeletonizeResult find_skeleton(const geometry::Mesh& mesh, const RigOptions& options,
                                     Monitor& monitor) {
    check_outliers(mesh.positions);
    rig::SkeletonizeResult found = options.skeletonizer
                                       ? options.skeletonizer(mesh, options.skeleton, monitor)
                                       : rig::skeletonize(mesh, options.skeleton, monitor);
    const auto& pattern = options.skeleton.template_skeleton;
    if (!options.frames && pattern && has_own_frames(*pattern)) return found;
    model::Character rotated;
    rotated.skeleton = std::move(found.skeleton);
    found.skeleton = rig::orient_joints(rotated, options.frames.value_or(rig::JointFrames::bone)).skeleton;
    return found;
}

BoundSkin bind_mesh(const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                    const rig::BindOptions& options, Monitor& monitor, const rig::SkeletonizeResult* found) {
    BoundSkin bound;
    if (found != nullptr && found->parts && options.method == rig::BindMethod::rigid) {
        bound.result.skin = skin_by_parts(*found, mesh.vertex_count());
        bound.result.method = rig::BindMethod::rigid;
        bound.result.reason = "every part follows its own joint";
    } else {
        bound.result = rig::bind(mesh, skeleton, options, monitor);
    }
    model::Character character;
    character.mesh = mesh;
    character.skeleton = skeleton;
    character.skin = bound.result.skin;
    bound.quality = rig::weight_quality(character);
    bound.influence_sets = model::group_by_influences(character.skin, &skeleton).sets.size();
    return bound;
}

RigResult rig_character(const model::Character& character, const RigOptions& options, Monitor& monitor) {
    RigResult made;
    made.character.name = character.name;
    made.character.unit = character.unit;
    made.character.mesh = rest_mesh(character);
    {
        const StageClock clock(made.seconds, "skeletonize");
        made.skeleton = find_skeleton(made.character.mesh, options, monitor);
    }
    made.character.skeleton = made.skeleton.skeleton;
    if (!options.bind_skin) return made;
    const StageClock clock(made.seconds, "bind");
    made.bind =
        bind_mesh(made.character.mesh, made.character.skeleton, options.bind, monitor, &made.skeleton);
    made.character.skin = made.bind->result.skin;
    return made;
}

Json report_of(const rig::SkeletonizeResult& found) {
    Json report = {{"method", found.method_name},
                   {"reason", found.reason},
                   {"joints", found.skeleton.size()},
                   {"bones", model::bones(found.skeleton, model::rest_world_matrices(found.skeleton)).size()},
                   {"inside_fraction", found.quality.inside_fraction},
                   {"centredness", found.quality.centredness.limb_mean},
                   {"ends", found.quality.topology.ends},
                   {"branches", found.quality.topology.branches},
                   {"pieces", found.quality.topology.pieces}};
    if (found.parts) {
        report["parts"] = found.parts->pieces.size();
        report["part_list"] = part_list(found);
        report["parts_automatic"] = found.body->automatic;
        report["part_seconds"] = {{"features", found.parts->seconds.features},
                                  {"refinement", found.parts->seconds.refine},
                                  {"graph", found.parts->seconds.graph}};
    }
    if (found.silhouette) report["stages"] = silhouette_report(*found.silhouette);
    if (!found.kind.empty()) {
        report["body"] = found.kind;
        report["body_confidence"] = found.kind_confidence;
    }
    if (!found.fit) return report;
    report["confidence"] = found.fit->confidence;
    report["assignment_cost"] = found.fit->cost;
    report["unsure"] = Json::array();
    for (const int joint : found.fit->unsure)
        report["unsure"].push_back(found.skeleton.joints[static_cast<std::size_t>(joint)].name);
    report["missing"] = found.fit->missing;
    return report;
}

Json report_of(const BoundSkin& bound) {
    return {{"method", rig::name_of(bound.result.method)}, {"reason", bound.result.reason},
            {"influences", bound.quality.influences},      {"max_influences", bound.quality.max_influences},
            {"influence_sets", bound.influence_sets},      {"leakage", bound.quality.leakage},
            {"steepest", bound.quality.steepest},          {"unused_joints", bound.quality.unused}};
}

Json report_of(const RigResult& made) {
    Json report = Json::object();
    const auto add = [&](const Json& stage, const std::string& prefix) {
        for (const auto& [key, value] : stage.items())
            report[key == "method" || key == "reason" ? prefix + key : key] = value;
    };
    add(report_of(made.skeleton), "skeleton_");
    if (made.bind) add(report_of(*made.bind), "bind_");
    return report;
}

}  // namespace sinew::pipeline
