// SPDX-License-Identifier: MIT
// sinew segment: cuts a mesh into the parts that a person would name.

#include "sinew/rig/segment.h"

#include "picture.h"
#include "rig.h"

#include "sinew/base/error.h"
#include "sinew/geometry/cut_mesh.h"
#include "sinew/render/figures.h"
#include "sinew/render/renderer.h"

namespace sinew::cli {
namespace {

struct SegmentArguments {
    std::filesystem::path input;
    std::filesystem::path output;
    std::filesystem::path hierarchy;
    std::filesystem::path stages;
    io::ReadOptions read;
    std::string method = "auto";
    rig::SegmentationOptions segmentation;
    bool connected = false;
};

rig::Segmentation cut(Run& run, const io::Asset& asset, const geometry::Mesh& mesh,
                      const SegmentArguments& options) {
    const StageTimer timer(run.report, "segment");
    rig::SegmentationOptions segmentation = options.segmentation;
    segmentation.across_shells = !options.connected;
    const bool by_rig = options.method == "rig" || (options.method == "auto" && asset.character.has_skin());
    run.report.extra["method"] = by_rig ? "rig" : options.method == "auto" ? "skeleton" : options.method;
    if (by_rig) {
        if (!asset.character.has_skin())
            fail(options.input.string(), "--method rig needs a mesh with a skin");
        model::Character posed = asset.character;
        posed.mesh = mesh;
        return rig::segment(posed, segmentation, run.monitor);
    }
    segmentation.method =
        options.method == "diameter" ? rig::SegmentMethod::diameter : rig::SegmentMethod::skeleton;
    return rig::segment(mesh, segmentation, run.monitor);
}

/// The parts as joints of a hierarchy, at their openings.
model::Skeleton hierarchy_of(const geometry::CutMesh& cut, const geometry::PartTree& tree) {
    model::Skeleton skeleton;
    std::vector<int> slot(cut.part_count(), -1);
    for (const int part : tree.order) {
        const auto p = static_cast<std::size_t>(part);
        slot[p] = static_cast<int>(skeleton.size());
        model::Joint joint;
        joint.name = cut.names[p];
        joint.parent = tree.parent[p] < 0 ? -1 : slot[static_cast<std::size_t>(tree.parent[p])];
        skeleton.joints.push_back(std::move(joint));
    }
    return skeleton;
}

void write_stages(const SegmentArguments& options, const geometry::Mesh& mesh, const geometry::CutMesh& cut,
                  const geometry::PartTree& tree) {
    render::Renderer renderer;
    const auto stages = render::draw_part_steps(renderer, mesh, cut, tree);
    if (is_picture(options.stages)) {
        render::save_png(options.stages, render::step_sheet(stages, 4));
        return;
    }
    std::filesystem::create_directories(options.stages);
    for (const render::StepPicture& stage : stages)
        render::save_png(options.stages / (stage.name + ".png"), stage.picture);
}

void report(Run& run, const geometry::CutMesh& cut, const geometry::PartTree& tree) {
    std::vector<std::size_t> triangles(cut.part_count(), 0);
    for (const int part : cut.part_of) ++triangles[static_cast<std::size_t>(part)];
    Json list = Json::array();
    for (const int part : tree.order) {
        const auto p = static_cast<std::size_t>(part);
        Json entry = {{"name", cut.names[p]}, {"triangles", triangles[p]}};
        entry["parent"] =
            tree.parent[p] < 0 ? Json() : Json(cut.names[static_cast<std::size_t>(tree.parent[p])]);
        list.push_back(std::move(entry));
        run.say("  {:<24} {:>8} triangles", cut.names[p], with_commas(triangles[p]));
    }
    run.report.extra["parts"] = cut.part_count();
    run.report.extra["part_list"] = std::move(list);
}

void execute(Run& run, const SegmentArguments& options) {
    check_output(run, options.output, {output::scenes, output::meshes, output::pictures});
    check_output(run, options.hierarchy, {output::skeletons});
    check_output(run, options.stages, {"png", output::folder});
    const io::Asset asset = load(run, options.input, options.read);
    const geometry::Mesh mesh = pipeline::rest_mesh(asset.character, options.input.string());
    const rig::Segmentation parts = cut(run, asset, mesh, options);
    if (parts.across_shells && !options.stages.empty())
        fail(options.stages.string(),
             "cannot draw the openings of parts with several shells: add --connected");
    const geometry::CutMesh whole = geometry::cut_mesh(mesh, parts.part_of, parts.names);
    const geometry::PartTree tree = rig::segment_tree(whole, parts, run.monitor);
    geometry::check_surface(mesh, whole, run.monitor);
    report(run, whole, tree);
    io::Asset out;
    out.character.name = asset.character.name;
    out.character.mesh = rig::with_parts(mesh, parts.part_of, parts.names);
    // Parts of a mesh without materials are shown by colours, if one file can store them.
    const bool gltf = suffix(options.output) == "glb" || suffix(options.output) == "gltf";
    if (is_picture(options.output) || (gltf && mesh.materials.empty()))
        out.character.mesh = render::with_part_colors(std::move(out.character.mesh));
    save(run, options.output, out);
    if (!options.hierarchy.empty()) {
        io::Asset skel;
        skel.character.skeleton = hierarchy_of(whole, tree);
        save(run, options.hierarchy, skel);
    }
    if (!options.stages.empty()) write_stages(options, mesh, whole, tree);
    run.say("cut into {}, wrote {}", count_of(whole.part_count(), "part"), options.output.string());
}

}  // namespace

void add_segment(Program& program) {
    auto options = std::make_shared<SegmentArguments>();
    CLI::App& verb = program.verb("segment", "Segment a mesh into meaningful parts",
                                  "  sinew segment character.obj -o parts.glb      (a colour for each part)\n"
                                  "  sinew segment character.obj -o parts.obj      (a group for each part)\n"
                                  "  sinew segment character.obj -o parts.png      (a picture of them)\n"
                                  "  sinew segment character.obj -o parts.obj --hierarchy parts.skel\n"
                                  "  sinew segment character.obj -o parts.obj --stages stages.png",
                                  [options](Run& run) { execute(run, *options); });
    rig::SegmentationOptions& s = options->segmentation;
    verb.add_option("input", options->input, "Mesh")->required()->type_name("MESH");
    verb.add_option("-o,--output", options->output, "Mesh to write, with a named group for each part")
        ->required()
        ->type_name("OUT");
    verb.add_option("--method", options->method,
                    "Where the mesh is cut:\n"
                    "auto = rig if the mesh has one, else skeleton\n"
                    "skeleton = at the joints of a curve skeleton\n"
                    "diameter = where the thickness changes (shape diameter function)\n"
                    "rig = by the joint with the largest weight of each face")
        ->check(CLI::IsMember({"auto", "skeleton", "diameter", "rig"}));
    verb.add_option("--hierarchy", options->hierarchy, "Also write the hierarchy of parts")
        ->type_name("SKEL");
    verb.add_option("--stages", options->stages,
                    "Also draw parts, openings, boxes and skeletons: one sheet as .png, or a folder")
        ->type_name("PICTURE");
    verb.add_flag(
        "--connected", options->connected,
        "Every part in one piece, as --close-gaps needs it; otherwise a part of a mesh with several\n"
        "shells (clothes, plates) may have pieces in many of them");
    verb.add_option("--least-area", s.min_area,
                    "Smallest area of a part, as a fraction of the surface; smaller ones join a neighbour")
        ->check(CLI::Range(0.0, 0.5));
    verb.add_option("--band", s.band, "How far cuts may move to a better position, in radii; 0 leaves them")
        ->check(CLI::Range(0.0, 2.0));
    verb.add_option("--levels", s.levels, "Diameter: levels of thickness")->check(CLI::Range(2, 12));
    verb.add_option("--rays", s.rays, "Diameter: rays per face")->check(CLI::Range(5, 400));
    add_read_options(verb, options->read);
}

}  // namespace sinew::cli
