// SPDX-License-Identifier: MIT
// sinew deform: the skin of a rig at a frame, or at all frames; all methods side by side.

#include <cmath>

#include "close_gaps.h"
#include "deform_options.h"
#include "exports.h"
#include "picture.h"

#include "sinew/base/error.h"
#include "sinew/deform/deformer.h"
#include "sinew/io/interchange.h"
#include "sinew/render/figures.h"

namespace sinew::cli {
namespace {

struct DeformArguments {
    std::filesystem::path input;
    std::filesystem::path output;
    io::ReadOptions read;
    Instant instant;
    std::string method = "dqs";
    std::string against = "dqs";
    bool heat = false;
    render::View view = render::View::three_quarter;
    ExportOptions exports;
    GapSettings gaps;
    deform::CorrectiveOptions refine;
    ExampleOptions examples;
    bool refined() const { return refine.kind != deform::Corrective::none; }
    bool changed() const { return refined() || examples.any(); }  ///< more than blending
};

/// A path without suffix is a folder of frames; .pc2 and .mdd are point caches. These contain all frames.
bool wants_all_frames(const DeformArguments& options) {
    return !options.instant.given() &&
           (suffix(options.output).empty() || is_of(output::caches, options.output));
}

/// The frames of the clip, or only the requested instant.
std::vector<double> times_of(const DeformArguments& options, const model::Clip* clip, bool all) {
    if (!all || clip == nullptr) return {seconds_of(options.instant, clip)};
    std::vector<double> times(model::frame_count(*clip));
    for (std::size_t f = 0; f < times.size(); ++f) times[f] = model::frame_time(*clip, f);
    return times;
}

/// One method: a mesh, or a sequence of all frames.
void deform_one(const DeformArguments& options, const model::Character& character, const model::Clip* clip,
                Run& run) {
    const deform::Method method = deform::parse_method(options.method);
    const std::vector<double> times = times_of(options, clip, wants_all_frames(options));
    const bool all = wants_all_frames(options);
    const double rate = clip == nullptr ? 30 : model::frame_rate(*clip);
    std::vector<std::vector<geometry::Vec3f>> frames;
    deform::Deformer deformer(
        character, deformer_options(run, character, clip, method, options.refine, options.examples));
    std::optional<io::CacheWriter> cache;  // frame by frame, because all may exceed the memory
    if (all && is_of(output::caches, options.output))
        cache.emplace(options.output, character.mesh.vertex_count(), times.size(), rate);
    double seconds = HUGE_VAL;  // of the fastest frame, as in the comparison of methods
    {
        const StageTimer timer(run.report, "deform");
        for (std::size_t f = 0; f < times.size(); ++f) {
            const std::vector<geometry::Vec3f>& positions = deformer.at(clip, times[f]).positions;
            if (cache) {
                cache->append(positions);
                frames.clear();
            }
            frames.push_back(positions);
            seconds = std::min(seconds, deformer.skin().seconds);
            step(run.monitor, "deforming", static_cast<double>(f + 1) / static_cast<double>(times.size()));
        }
        for (std::size_t f = times.size(); f < 5; ++f)
            seconds = std::min(seconds, deformer.at(clip, times.back()).seconds);
    }
    const auto vertices = static_cast<double>(character.mesh.vertex_count());
    const double rest_volume = geometry::signed_volume(character.mesh.positions, character.mesh.triangles);
    run.report.extra["method"] = deform::name(method);
    if (options.refined()) run.report.extra["refine"] = deform::name(options.refine.kind);
    run.report.extra["vertices"] = character.mesh.vertex_count();
    run.report.extra["frames"] = times.size();
    run.report.extra["ns_per_vertex"] = 1e9 * seconds / vertices;
    run.report.extra["volume_ratio"] =
        geometry::signed_volume(frames.back(), character.mesh.triangles) / rest_volume;

    io::Asset result;
    if (cache) {
        cache->commit();
        run.report.output = options.output.string();
    } else if (all) {
        result.sequence.rest = character.mesh;
        result.sequence.rest.morphs.clear();
        result.sequence.rate = rate;
        result.sequence.frames = std::move(frames);
    } else {
        geometry::Mesh& mesh = result.character.mesh = deformer.mesh_at(clip, times[0]);
        if (options.changed()) mesh.normals = geometry::vertex_normals(mesh.positions, mesh.triangles);
    }
    if (!cache) save(run, options.output, result);
    run.say("wrote {}: {}, {}, {}", options.output.string(),
            count_of(character.mesh.vertex_count(), "vertex"), count_of(times.size(), "frame"),
            options.refined() ? deform::name(options.refine.kind) : deform::name(method));
}

/// Distances of every method from the reference in percent of the diagonal, and their common range.
struct HeatValues {
    std::vector<std::vector<float>> distances;
    render::ValueRange range{0, 1e-6f};
};

HeatValues heat_values(const model::Character& character, const std::vector<deform::MethodMeasure>& measures,
                       deform::Method reference) {
    HeatValues heat;
    const auto from = std::ranges::find(measures, reference, &deform::MethodMeasure::method);
    const float diagonal = std::max(1e-30f, geometry::bounds(character.mesh.positions).diagonal());
    for (const deform::MethodMeasure& measure : measures) {
        heat.distances.push_back(deform::vertex_distances(measure.positions, from->positions));
        for (float& value : heat.distances.back())
            heat.range.high = std::max(heat.range.high, value *= 100 / diagonal);
    }
    return heat;
}

/// One picture per method, as tiles with the same camera. With --heat the colours are distances.
render::Picture picture_of(const model::Character& character,
                           const std::vector<deform::MethodMeasure>& measures,
                           const DeformArguments& options) {
    geometry::Box box;
    for (const deform::MethodMeasure& measure : measures) {
        for (const auto& point : measure.positions) box.include(point);
    }
    render::RenderOptions settings;
    settings.width = settings.height = 360;
    settings.camera = render::fit(options.view, box, 1, settings.fit);
    settings.ground = false;
    const HeatValues heat =
        options.heat ? heat_values(character, measures, deform::parse_method(options.against)) : HeatValues{};
    render::Renderer renderer;
    std::vector<render::Picture> pictures;
    for (std::size_t m = 0; m < measures.size(); ++m) {
        model::Character posed;
        posed.mesh = character.mesh;
        posed.mesh.positions = measures[m].positions;
        posed.mesh.normals = measures[m].normals;
        posed.mesh.morphs.clear();
        if (options.heat) {
            settings.coloring = render::Coloring::values;
            settings.values = heat.distances[m];
            settings.range = heat.range;
        }
        pictures.push_back(
            render::with_caption(render::render_character(renderer, posed, nullptr, 0, settings),
                                 deform::name(measures[m].method)));
    }
    const render::Picture sheet = render::contact_sheet(pictures);
    if (!options.heat) return sheet;
    return render::with_color_bar(sheet, heat.range,
                                  "distance from " + options.against + ", percent of the diagonal");
}

Json row_of(const deform::MethodMeasure& m) {
    return {{"method", deform::name(m.method)},
            {"ns_per_vertex", m.nanoseconds},
            {"volume_ratio", m.volume_ratio},
            {"longest_edge", m.longest_edge},
            {"shortest_edge", m.shortest_edge},
            {"smallest_area", m.smallest_area},
            {"max_difference_percent", m.max_difference},
            {"rms_difference_percent", m.rms_difference},
            {"normal_difference_degrees", math::degrees(m.normal_difference)},
            {"degenerate_blends", m.counts.degenerate_blends},
            {"nonrigid_joints", m.counts.nonrigid_joints}};
}

/// The result of each method in the pose.
void print(const Run& run, const std::vector<deform::MethodMeasure>& measures, const std::string& against) {
    run.say("{:<13} {:>10} {:>8} {:>9} {:>9} {:>9} {:>18} {:>9}", "method", "ns/vertex", "volume", "longest",
            "shortest", "area", "from " + against + " (max)", "normals");
    for (const deform::MethodMeasure& m : measures)
        run.say("{:<13} {:>10.2f} {:>8.4f} {:>9.3f} {:>9.3f} {:>9.3f} {:>16.4f} % {:>7.2f} °",
                deform::name(m.method), m.nanoseconds, m.volume_ratio, m.longest_edge, m.shortest_edge,
                m.smallest_area, m.max_difference, math::degrees(m.normal_difference));
}

/// All methods: a table, and a picture if requested.
void deform_all(const DeformArguments& options, const model::Character& character, const model::Clip* clip,
                Run& run) {
    std::vector<deform::MethodMeasure> measures;
    {
        const StageTimer timer(run.report, "deform");
        measures = deform::compare_methods(character, clip, seconds_of(options.instant, clip),
                                           deform::parse_method(options.against));
    }
    Json rows = Json::array();
    for (const deform::MethodMeasure& m : measures) rows.push_back(row_of(m));
    print(run, measures, options.against);
    run.report.extra["method"] = "all";
    run.report.extra["against"] = options.against;
    run.report.extra["vertices"] = character.mesh.vertex_count();
    run.report.extra["frames"] = 1;
    run.report.extra["methods"] = rows;
    if (options.output.empty()) return;
    render::save_png(options.output, picture_of(character, measures, options));
    run.report.output = options.output.string();
    run.say("wrote {}", options.output.string());
}

/// All methods side by side are a picture.
void check_outputs(const DeformArguments& options, const Run& run) {
    OutputFamilies families = {output::scenes, output::meshes, output::caches, output::pictures,
                               output::folder};
    if (options.method == "all") families = {"png"};
    check_output(run, options.output, families);
    check_output(run, options.gaps.stages, {"png"});
    check_output(run, options.exports.palette, {"npy csv"});
    check_output(run, options.exports.transforms, {"npy csv"});
}

void execute(const DeformArguments& options, Run& run) {
    check_outputs(options, run);
    if (options.changed() && (options.method == "all" || options.gaps.close || options.exports.any()))
        fail("",
             "--refine, --example and --shape work on one method: not with --method all, --close-gaps or "
             "exports");
    const io::Asset asset = load(run, options.input, options.read);
    const model::Character& character = asset.character;
    if (!character.has_mesh()) fail(options.input.string(), "holds no mesh to deform");
    if (options.gaps.close) {
        if (options.method != "rigid") fail("", "--close-gaps needs --method rigid");
        if (options.output.empty() && options.gaps.stages.empty())
            fail("", "give a file to write to: -o FILE");
        return close_gaps(run, asset, {options.input, options.output, options.instant, options.read},
                          options.gaps);
    }
    if (!character.has_skin())
        fail(options.input.string(), "has no skin weights: bind it to a skeleton first");
    const model::Clip* clip = clip_named(character, options.instant.clip);
    if (options.method == "all") return deform_all(options, character, clip, run);
    write_exports(run, character, clip, times_of(options, clip, !options.instant.given()),
                  deform::parse_method(options.method), options.exports);
    if (options.output.empty() && options.exports.any()) return;
    if (options.output.empty()) fail("", "give a file to write to: -o FILE");
    deform_one(options, character, clip, run);
}

}  // namespace

void add_deform(Program& program) {
    auto options = std::make_shared<DeformArguments>();
    CLI::App& verb = program.verb(
        "deform", "Write the deformed mesh of a rig: one frame, all frames, or all methods side by side",
        "  sinew deform character.glb -o frame.obj --method dqs --frame 10\n"
        "  sinew deform character.glb -o frames.pc2 --method lbs      (all frames; a folder works too)\n"
        "  sinew deform character.glb -o methods.png --method all --frame 10\n"
        "  sinew deform character.glb -o heat.png --method all --heat --against dqs --frame 10\n"
        "  sinew deform character.glb -o soft.obj --refine mush --frame 10   (coarse weights bend softly)\n"
        "  sinew deform arm.glb -o arm.pc2 --example elbow.obj@0.6      (sculpted from the frame at 0.6 s)\n"
        "  sinew deform character.glb --export-transforms vertices.npy --method dqs\n"
        "  sinew deform character.glb -o closed.glb --method rigid --close-gaps      (or a folder)\n"
        "  sinew deform parts.obj --clip walk.clip -o frame.ply --method rigid --close-gaps --frame 10",
        [options](Run& run) { execute(*options, run); });
    verb.add_option("rig", options->input, "Rigged character")->required()->type_name("RIG");
    verb.add_option("-o,--output", options->output,
                    "Mesh file for one frame; .pc2, .mdd or a folder for all; .png with --method all")
        ->type_name("OUT");
    add_read_options(verb, options->read);
    add_instant_options(verb, options->instant);
    std::vector<std::string> names{"all"};
    std::string help = "How the skin follows the joints:";
    for (const deform::MethodInfo& info : deform::methods()) {
        names.emplace_back(info.name);
        help += fmt::format("\n{} = {}", info.name, info.text);
    }
    verb.add_option("--method", options->method,
                    help +
                        "\n"
                        "all = compare all methods in a table")
        ->check(CLI::IsMember(names).description(""));
    names.erase(names.begin());
    add_export_options(verb, options->exports);
    add_gap_options(verb, options->gaps);
    add_refine_options(verb, options->refine);
    add_example_options(verb, options->examples);
    verb.add_flag("--heat", options->heat,
                  "With --method all: colour the vertices by their distance from the --against method");
    add_camera_option(verb, options->view);
    verb.add_option("--against", options->against, "With --method all: the method to compare with")
        ->check(CLI::IsMember(names).description(""));
}

}  // namespace sinew::cli
