// sinew deform: the skin of a rig at a frame, or at all frames; all methods side by side.

#include <chrono>

#include "picture.h"

#include "sinew/base/error.h"
#include "sinew/deform/compare.h"
#include "sinew/deform/optimized_centers.h"
#include "sinew/deform/reference.h"
#include "sinew/render/contact_sheet.h"

namespace sinew::cli {
namespace {

struct Options {
    std::filesystem::path input;
    std::filesystem::path output;
    io::ReadOptions read;
    Instant instant;
    std::string method = "dqs";
    std::string against = "dqs";
    render::View view = render::View::three_quarter;
};

/// A path without suffix is a folder of frames, .pc2 a point cache: both take all frames.
bool wants_all_frames(const Options& options) {
    const std::string kind = suffix(options.output);
    return !options.instant.given() && (kind.empty() || kind == "pc2");
}

std::vector<double> times_of(const Options& options, const model::Clip* clip) {
    if (!wants_all_frames(options) || clip == nullptr) return {seconds_of(options.instant, clip)};
    std::vector<double> times(model::frame_count(*clip));
    for (std::size_t f = 0; f < times.size(); ++f) times[f] = model::frame_time(*clip, f);
    return times;
}

/// One method: a mesh, or a sequence of all frames.
void deform_one(const Options& options, const model::Character& character, const model::Clip* clip,
                Run& run) {
    const deform::Method method = deform::parse_method(options.method);
    const std::vector<double> times = times_of(options, clip);
    std::vector<std::vector<geometry::Vec3f>> frames;
    {
        const std::vector<geometry::Vec3f> centers =
            deform::centers_for(method, character.mesh, character.skin);
        deform::DeformOptions how;
        how.centers = centers;
        const StageTimer timer(run.report, "deform");
        for (std::size_t f = 0; f < times.size(); ++f) {
            frames.push_back(deform::deform<float>(character, clip, times[f], method, how).positions);
            step(run.monitor, "deforming", static_cast<double>(f + 1) / static_cast<double>(times.size()));
        }
    }
    const double seconds = run.report.seconds.back().second;
    const auto vertices = static_cast<double>(character.mesh.vertex_count());
    const double rest_volume = geometry::signed_volume(character.mesh.positions, character.mesh.triangles);
    run.report.extra["method"] = deform::name(method);
    run.report.extra["vertices"] = character.mesh.vertex_count();
    run.report.extra["frames"] = times.size();
    run.report.extra["ns_per_vertex"] = 1e9 * seconds / (vertices * static_cast<double>(times.size()));
    run.report.extra["volume_ratio"] =
        geometry::signed_volume(frames.back(), character.mesh.triangles) / rest_volume;

    io::Asset result;
    if (wants_all_frames(options)) {
        result.sequence.rest = character.mesh;
        result.sequence.rest.morphs.clear();
        result.sequence.rate = clip == nullptr ? 30 : model::frame_rate(*clip);
        result.sequence.frames = std::move(frames);
    } else {
        result.character.mesh = posed_mesh(character, clip, times[0], method);
    }
    save(run, options.output, result);
    run.say("wrote {}: {}, {}, {}", options.output.string(),
            count_of(character.mesh.vertex_count(), "vertex"), count_of(times.size(), "frame"),
            deform::name(method));
}

/// One picture for each method, tiled; the same camera for all.
render::Picture picture_of(const model::Character& character,
                           const std::vector<deform::MethodMeasure>& measures, render::View view) {
    geometry::Box box;
    for (const deform::MethodMeasure& measure : measures) {
        for (const auto& point : measure.positions) box.include(point);
    }
    render::RenderOptions options;
    options.width = options.height = 360;
    options.camera = render::fit(view, box, 1, options.fit);
    options.ground = false;
    render::Renderer renderer;
    std::vector<render::Picture> pictures;
    for (const deform::MethodMeasure& measure : measures) {
        model::Character posed;
        posed.mesh = character.mesh;
        posed.mesh.positions = measure.positions;
        posed.mesh.normals = measure.normals;
        posed.mesh.morphs.clear();
        pictures.push_back(render::render_character(renderer, posed, nullptr, 0, options));
    }
    return render::contact_sheet(pictures);
}

/// All methods: a table, and a picture when one is asked for.
void deform_all(const Options& options, const model::Character& character, const model::Clip* clip,
                Run& run) {
    deform::CompareOptions compare_options;
    compare_options.reference = deform::parse_method(options.against);
    std::vector<deform::MethodMeasure> measures;
    {
        const StageTimer timer(run.report, "deform");
        measures =
            deform::compare_methods(character, clip, seconds_of(options.instant, clip), compare_options);
    }
    run.say("{:<13} {:>10} {:>8} {:>9} {:>9} {:>18}", "method", "ns/vertex", "volume", "longest", "shortest",
            "from " + options.against + " (max)");
    Json rows = Json::array();
    for (const deform::MethodMeasure& m : measures) {
        run.say("{:<13} {:>10.2f} {:>8.4f} {:>9.3f} {:>9.3f} {:>16.4f} %", deform::name(m.method),
                m.nanoseconds, m.volume_ratio, m.longest_edge, m.shortest_edge, m.max_difference);
        rows.push_back({{"method", deform::name(m.method)},
                        {"ns_per_vertex", m.nanoseconds},
                        {"volume_ratio", m.volume_ratio},
                        {"longest_edge", m.longest_edge},
                        {"shortest_edge", m.shortest_edge},
                        {"max_difference_percent", m.max_difference},
                        {"rms_difference_percent", m.rms_difference}});
    }
    run.report.extra["method"] = "all";
    run.report.extra["against"] = options.against;
    run.report.extra["vertices"] = character.mesh.vertex_count();
    run.report.extra["frames"] = 1;
    run.report.extra["methods"] = rows;
    if (options.output.empty()) return;
    if (suffix(options.output) != "png")
        fail(options.output.string(), "all methods side by side are a picture: use .png");
    render::save_png(options.output, picture_of(character, measures, options.view));
    run.report.output = options.output.string();
    run.say("wrote {}, from the upper left in the order of the table", options.output.string());
}

void execute(const Options& options, Run& run) {
    const io::Asset asset = load(run, options.input, options.read);
    const model::Character& character = asset.character;
    if (!character.has_mesh()) fail(options.input.string(), "holds no mesh to deform");
    if (!character.has_skin())
        fail(options.input.string(), "has no skin weights: bind it to a skeleton first");
    const model::Clip* clip = model::find_clip(character, options.instant.clip);
    if (options.method == "all") return deform_all(options, character, clip, run);
    if (options.output.empty()) fail("", "give a file to write to: -o FILE");
    deform_one(options, character, clip, run);
}

}  // namespace

void add_deform(Program& program) {
    auto options = std::make_shared<Options>();
    CLI::App& verb = program.verb(
        "deform",
        "Write the deformed skin of a rig: one frame as a mesh, all frames, or all methods side by side",
        "  sinew deform character.glb -o frame.obj --method dqs --frame 10\n"
        "  sinew deform character.glb -o frames.pc2 --method lbs      (all frames; a folder works too)\n"
        "  sinew deform character.glb -o methods.png --method all --frame 10",
        [options](Run& run) { execute(*options, run); });
    verb.add_option("rig", options->input, "Rigged character")->required()->type_name("RIG");
    verb.add_option("-o,--output", options->output,
                    "Mesh file for one frame; .pc2 or a folder for all; .png with --method all")
        ->type_name("OUT");
    add_read_options(verb, options->read);
    add_instant_options(verb, options->instant);
    std::vector<std::string> names{"all"};
    std::string help = "How the skin follows the joints:";
    for (const deform::MethodInfo& info : deform::methods()) {
        names.emplace_back(info.name);
        help += fmt::format("\n{} = {}", info.name, info.text);
    }
    verb.add_option("--method", options->method, help + "\nall = compare them in a table")
        ->check(CLI::IsMember(names).description(""));
    names.erase(names.begin());
    add_camera_option(verb, options->view);
    verb.add_option("--against", options->against,
                    "With --method all: the method that differences are taken from")
        ->check(CLI::IsMember(names).description(""));
}

}  // namespace sinew::cli
