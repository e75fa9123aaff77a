// sinew deform: the skin of a rig at a frame, or at all frames.

#include "common.h"

#include "sinew/base/error.h"
#include "sinew/deform/reference.h"

namespace sinew::cli {
namespace {

struct Options {
    std::filesystem::path input;
    std::filesystem::path output;
    io::ReadOptions read;
    Instant instant;
    deform::Method method = deform::Method::dqs;
};

/// A path without suffix is a folder of frames, .pc2 a point cache: both take all frames.
bool wants_all(const Options& options) {
    const std::string kind = suffix(options.output);
    return !options.instant.given() && (kind.empty() || kind == "pc2");
}

std::vector<double> times_of(const Options& options, const model::Clip* clip) {
    if (!wants_all(options) || clip == nullptr) return {seconds_of(options.instant, clip)};
    std::vector<double> times(model::frame_count(*clip));
    for (std::size_t f = 0; f < times.size(); ++f) times[f] = model::frame_time(*clip, f);
    return times;
}

void execute(const Options& options, Run& run) {
    io::Asset asset = load(run, options.input, options.read);
    const model::Character& character = asset.character;
    if (!character.has_mesh()) fail(options.input.string(), "holds no mesh to deform");
    if (!character.has_skin())
        fail(options.input.string(), "has no skin weights: bind it to a skeleton first");
    const model::Clip* clip = model::find_clip(character, options.instant.clip);
    const std::vector<double> times = times_of(options, clip);

    std::vector<std::vector<geometry::Vec3f>> frames;
    {
        const StageTimer timer(run.report, "deform");
        for (std::size_t f = 0; f < times.size(); ++f) {
            frames.push_back(deform::deform<float>(character, clip, times[f], options.method).positions);
            step(run.monitor, "deforming", static_cast<double>(f + 1) / static_cast<double>(times.size()));
        }
    }
    const double seconds = run.report.seconds.back().second;
    const double vertices = static_cast<double>(character.mesh.vertex_count());
    const double rest_volume = geometry::signed_volume(character.mesh.positions, character.mesh.triangles);
    const double volume = geometry::signed_volume(frames.back(), character.mesh.triangles);
    run.report.extra["method"] = deform::name(options.method);
    run.report.extra["vertices"] = character.mesh.vertex_count();
    run.report.extra["frames"] = times.size();
    run.report.extra["ns_per_vertex"] = 1e9 * seconds / (vertices * static_cast<double>(times.size()));
    run.report.extra["volume_ratio"] = volume / rest_volume;

    io::Asset result;
    if (wants_all(options)) {
        result.sequence.rest = character.mesh;
        result.sequence.rest.morphs.clear();
        result.sequence.rate = clip == nullptr ? 30 : model::frame_rate(*clip);
        result.sequence.frames = std::move(frames);
    } else {
        result.character.mesh = posed_mesh(character, clip, times[0], options.method);
    }
    save(run, options.output, result);
    run.say("wrote {}: {}, {}, {}", options.output.string(),
            count_of(character.mesh.vertex_count(), "vertex"), count_of(times.size(), "frame"),
            deform::name(options.method));
}

}  // namespace

void add_deform(Program& program) {
    auto options = std::make_shared<Options>();
    CLI::App& verb = program.verb(
        "deform", "Write the deformed skin of a rig: one frame as a mesh, or all frames",
        "  sinew deform character.glb -o frame.obj --method dqs --frame 10\n"
        "  sinew deform character.glb -o frames.pc2 --method lbs      (all frames; a folder works too)",
        [options](Run& run) { execute(*options, run); });
    verb.add_option("rig", options->input, "Rigged character")->required()->type_name("RIG");
    verb.add_option("-o,--output", options->output, "Mesh file for one frame; .pc2 or a folder for all")
        ->required()
        ->type_name("OUT");
    add_read_options(verb, options->read);
    add_instant_options(verb, options->instant);
    add_method_option(verb, options->method);
}

}  // namespace sinew::cli
