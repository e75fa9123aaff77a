// SPDX-License-Identifier: MIT
// sinew bind: a mesh follows a skeleton.

#include "sinew/rig/bind.h"

#include <chrono>

#include "program.h"
#include "rig.h"

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/deform/deformer.h"
#include "sinew/io/interchange.h"
#include "sinew/model/character.h"
#include "sinew/render/figures.h"
#include "sinew/render/film.h"
#include "sinew/rig/measure.h"

namespace sinew::cli {
namespace {

constexpr int picture_side = 360;

struct Binding {
    std::string name;
    model::Character character;
    double seconds = 0;
    rig::WeightQuality quality;
    rig::SweepQuality sweep;
    std::optional<double> mean_l1;  ///< from the given weights
};

std::vector<Binding> bind_all(Run& run, const model::Character& body, rig::BindOptions options) {
    std::vector<Binding> bindings;
    if (body.has_skin()) bindings.push_back({"given", body, 0, {}, {}, {}});
    const auto methods = rig::bind_methods();
    for (std::size_t m = 0; m < methods.size(); ++m) {
        Binding binding{std::string(rig::name_of(methods[m])), body, 0, {}, {}, {}};
        options.method = methods[m];
        const auto start = std::chrono::steady_clock::now();
        try {
            binding.character.skin = rig::bind(body.mesh, body.skeleton, options, run.monitor).skin;
        } catch (const Error& error) {
            warn(run.monitor, "bind-failed", "{}: {}", binding.name, error.what());
            continue;
        }
        binding.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        bindings.push_back(std::move(binding));
        step(run.monitor, "bind", static_cast<double>(m + 1) / static_cast<double>(methods.size()));
    }
    for (Binding& binding : bindings) {
        binding.quality = rig::weight_quality(binding.character);
        binding.sweep = rig::sweep_joints(binding.character);
        if (body.has_skin() && binding.name != "given")
            binding.mean_l1 = rig::measure_weights(body, binding.character).mean_l1;
    }
    return bindings;
}

void write_tables(Run& run, const std::vector<Binding>& bindings, const std::filesystem::path& folder) {
    std::string csv =
        "method,seconds,leakage,most_leakage,steepest,influences,torn,unused_joints,volume_change,stretch,"
        "worst_stretch,mean_l1\n";
    std::string markdown =
        "| method | seconds | leakage | steepest | joints per vertex | volume change % | edge change % | L1 "
        "to given |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- |\n";
    Json rows = Json::array();
    for (const Binding& b : bindings) {
        const std::string l1 = b.mean_l1 ? fmt::format("{:.4f}", *b.mean_l1) : "";
        csv += fmt::format("{},{:.4f},{:.6f},{:.4f},{:.3f},{:.3f},{},{},{:.5f},{:.5f},{:.4f},{}\n", b.name,
                           b.seconds, b.quality.leakage, b.quality.max_leakage, b.quality.steepest,
                           b.quality.influences, b.quality.torn, b.quality.unused, b.sweep.volume_change,
                           b.sweep.stretch, b.sweep.worst_stretch, l1);
        markdown += fmt::format("| {} | {:.3f} | {:.4f} | {:.1f} | {:.2f} | {:.2f} | {:.2f} | {} |\n", b.name,
                                b.seconds, b.quality.leakage, b.quality.steepest, b.quality.influences,
                                100 * b.sweep.volume_change, 100 * b.sweep.stretch, l1);
        rows.push_back({{"method", b.name},
                        {"seconds", b.seconds},
                        {"leakage", b.quality.leakage},
                        {"steepest", b.quality.steepest},
                        {"influences", b.quality.influences},
                        {"volume_change", b.sweep.volume_change},
                        {"stretch", b.sweep.stretch}});
        if (b.mean_l1) rows.back()["mean_l1"] = *b.mean_l1;
    }
    run.report.extra["bindings"] = rows;
    write_file(folder / "comparison.csv", csv);
    write_file(folder / "comparison.md", markdown);
    run.say("{}", markdown);
}

render::RenderOptions picture_options(render::View view) {
    render::RenderOptions options;
    options.width = options.height = picture_side;
    options.view = view;
    options.coloring = render::Coloring::weights;
    options.ground = false;
    return options;
}

void draw_weights(render::Renderer& renderer, const std::vector<Binding>& bindings,
                  const std::filesystem::path& folder) {
    std::vector<render::Picture> pictures;
    for (const Binding& binding : bindings) {
        for (const render::View view : {render::View::front, render::View::back}) {
            const render::Picture picture =
                render::render_character(renderer, binding.character, nullptr, 0, picture_options(view));
            pictures.push_back(
                render::with_caption(picture, fmt::format("{}, {}", binding.name, render::name_of(view))));
        }
    }
    render::save_png(folder / "weights.png",
                     render::contact_sheet(pictures, {.columns = bindings.size() > 4 ? 4 : 2}));
}

/// One row per method, one column per angle.
void draw_bends(render::Renderer& renderer, const std::vector<Binding>& bindings, int joint,
                const std::filesystem::path& path) {
    std::vector<render::Picture> pictures;
    const rig::SweepOptions sweep;
    for (const Binding& binding : bindings) {
        const model::Character& character = binding.character;
        render::CharacterRenderer stage(renderer, character, picture_options(render::View::three_quarter));
        deform::Deformer deformer(character, {.method = deform::Method::lbs});
        for (const double degrees : sweep.degrees) {
            const auto pose = rig::bent_pose(character.skeleton, joint, math::radians(degrees));
            stage.pose(deformer.at(pose).positions);
            pictures.push_back(render::with_caption(
                stage.picture(stage.camera()), fmt::format("{}, {:+.0f} degrees", binding.name, degrees)));
        }
    }
    render::save_png(path, render::contact_sheet(pictures, {.columns = 4}));
}

/// A joint name as a file name.
std::string file_name(std::string name) {
    for (char& c : name)
        if (std::string_view("/\\:*?\"<>| ").find(c) != std::string_view::npos) c = '_';
    return name;
}

/// Binds the character's mesh to its skeleton by every method and writes to a folder: `comparison.csv` and
/// `comparison.md` (one row per method), `weights.png` (weights in front and back view), and for each joint
/// `bend_JOINT.png` (bent by -90, -45, 45 and 90 degrees). A skin in the input is compared too, as "given".
void compare_bindings(Run& run, const model::Character& character, const rig::BindOptions& options,
                      const std::filesystem::path& folder) {
    std::filesystem::create_directories(folder);
    const std::vector<Binding> bindings = bind_all(run, character, options);
    write_tables(run, bindings, folder);
    render::Renderer renderer;
    draw_weights(renderer, bindings, folder);
    const auto& joints = bindings.front().sweep.joints;
    for (std::size_t i = 0; i < joints.size(); ++i) {
        const std::string& name = character.skeleton.joints[static_cast<std::size_t>(joints[i].joint)].name;
        draw_bends(renderer, bindings, joints[i].joint, folder / ("bend_" + file_name(name) + ".png"));
        step(run.monitor, "pictures", static_cast<double>(i + 1) / static_cast<double>(joints.size()));
    }
    run.say("wrote {}: comparison.csv, comparison.md, weights.png and a picture of each joint's bends",
            folder.string());
}

struct BindArguments {
    std::filesystem::path mesh;
    std::filesystem::path skeleton;
    std::filesystem::path output;
    std::filesystem::path weights;   ///< a table, instead of a method
    std::filesystem::path transfer;  ///< a rig, instead of a method
    std::filesystem::path compare;
    bool symmetric = false;
    io::ReadOptions read;
    Instant instant;  ///< the time in the skeleton's clip whose pose the mesh has
    rig::BindOptions bind;
};

/// The skeleton in the pose of the mesh.
model::Skeleton posed_skeleton(const model::Character& character, const Instant& instant) {
    if (!instant.given()) return character.skeleton;
    const model::Clip* clip = clip_named(character, instant.clip);
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
    if (options.transfer.empty()) {
        const StageTimer timer(run.report, "bind");
        pipeline::BoundSkin bound = pipeline::bind_mesh(mesh, skeleton, options.bind, run.monitor);
        run.report.extra.update(pipeline::report_of(bound));
        tell(run, bound, skeleton);
        return std::move(bound.result.skin);
    }
    const io::Asset from = load(run, options.transfer, options.read);
    if (!from.character.has_skin()) fail(options.transfer.string(), "has no skin weights to copy");
    model::Character source = from.character;
    source.mesh = pipeline::rest_mesh(from.character, options.transfer.string());
    return rig::transfer_skin(source, mesh, skeleton, options.bind);
}

void execute(Run& run, const BindArguments& options) {
    check_output(run, options.output, {output::models, output::pictures});
    check_output(run, options.compare, {output::folder});
    io::Asset asset = load(run, options.mesh, options.read);
    io::Asset bones = load(run, options.skeleton, options.read);
    if (!bones.character.has_skeleton()) fail(options.skeleton.string(), "contains no skeleton");
    io::Asset out;
    out.character.name = asset.character.name;
    out.character.mesh = pipeline::rest_mesh(asset.character, options.mesh.string());
    const model::Skeleton at = posed_skeleton(bones.character, options.instant);
    model::apply(bones.character, rig::skeleton_to_mesh(out.character.mesh, at, run.monitor));
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
    if (options.symmetric)
        out.character.skin = rig::symmetric_skin(out.character.skin, out.character.mesh, pose);
    save(run, options.output, out);
    run.say("wrote {}", options.output.string());
}

}  // namespace

void add_bind(Program& program) {
    auto options = std::make_shared<BindArguments>();
    CLI::App& verb =
        program.verb("bind", "Bind a mesh to a skeleton: compute skin weights",
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
                                    "Try every method; write a table and pictures to this folder")
                        ->type_name("FOLDER");
    output->excludes(compare);
    verb.require_option(1, 0);
    add_bind_options(verb, options->bind, "--method");
    verb.add_option("--weights", options->weights, "Read the weights from a table: vertex,joint,weight")
        ->type_name("FILE.csv");
    verb.add_option("--transfer", options->transfer,
                    "Copy the weights of another mesh of the same body, by nearest point and joint name")
        ->type_name("RIG");
    verb.add_flag("--symmetric", options->symmetric, "Copy the weights of the left side to the right");
    add_instant_options(verb, options->instant);
    add_read_options(verb, options->read);
}

}  // namespace sinew::cli
