#include "common.h"

#include "sinew/base/error.h"
#include "sinew/deform/reference.h"
#include "sinew/model/marker_joints.h"
#include "sinew/motion/cycle_playback.h"

namespace sinew::cli {

io::Asset load(Run& run, const std::filesystem::path& path, const io::ReadOptions& options) {
    run.report.inputs.push_back(path.string());
    const StageTimer timer(run.report, "read");
    io::Asset asset = io::read(path, options, run.monitor);
    if (asset.character.name.empty()) asset.character.name = path.stem().string();
    return asset;
}

void save(Run& run, const std::filesystem::path& path, const io::Asset& asset,
          const io::WriteOptions& options) {
    const StageTimer timer(run.report, "write");
    io::write(path, asset, options, run.monitor);
    run.report.output = path.string();
}

void make_playable(io::Asset& asset, Monitor& monitor) {
    if (asset.character.has_mesh() || asset.character.has_skeleton()) return;
    const std::string name = asset.character.name;
    if (!asset.trial.markers.empty()) {
        asset.character = model::markers_as_joints(asset.trial);
    } else if (!asset.cycle.empty()) {
        asset.character = motion::play_cycle(asset.cycle, {}, monitor);
    }
    asset.character.name = name;
}

void add_read_options(CLI::App& verb, io::ReadOptions& options, bool with_rate) {
    static const std::map<std::string, io::PositionConvention> conventions = {
        {"auto", io::PositionConvention::automatic},
        {"replace", io::PositionConvention::replace},
        {"add", io::PositionConvention::add}};
    verb.add_flag("--strict", options.strict, "Treat warnings about the input as errors");
    verb.add_option("--convention", options.convention,
                    "BVH position channels: auto, replace the OFFSET, or add to it")
        ->transform(CLI::CheckedTransformer(conventions).description("auto|replace|add"));
    verb.add_option("--units", options.units,
                    "Units of the input, which become metres; \"file\" keeps the numbers")
        ->check(CLI::IsMember({"m", "cm", "mm", "in", "ft", "file"}));
    verb.add_option("--up", options.up, "Axis that points up in the input; it becomes +Y")
        ->check(CLI::IsMember({"x", "y", "z"}));
    verb.add_option("--skeleton-file", options.skeleton,
                    "Skeleton of a motion without one: the .asf of an .amc, the .skel of a .clip")
        ->type_name("FILE");
    if (with_rate) {
        verb.add_option("--fps", options.rate, "Frames a second of a file that states none")
            ->check(CLI::PositiveNumber);
    }
    verb.add_flag("--legacy-tangents", options.legacy_tangents,
                  "Numbers for tangents in a .clip are the codes 0 flat, 1 linear, 2 smooth, not slopes");
    verb.add_option("--joints", options.joints, "Points in a frame of raw joint text");
    verb.add_option("--rest", options.rest, "Rest mesh of a point cache or a folder of frames")
        ->type_name("MESH");
}

void add_instant_options(CLI::App& verb, Instant& instant) {
    verb.add_option("--clip", instant.clip, "Clip by name or number; the first by default")
        ->type_name("CLIP");
    CLI::Option* frame = verb.add_option("--frame", instant.frame, "Frame of the clip, from 0");
    verb.add_option("--time", instant.time, "Time on the clip in seconds")->excludes(frame);
}

double seconds_of(const Instant& instant, const model::Clip* clip) {
    if (clip == nullptr) {
        if (instant.time || instant.frame.value_or(0) > 0) fail("", "there is no clip to take a frame from");
        return 0;
    }
    const model::TimeRange range = model::time_range(*clip);
    if (instant.time) {
        if (*instant.time < range.start - 1e-6 || *instant.time > range.end + 1e-6) {
            fail("", "--time {} is outside the clip \"{}\", which runs from {:.4g} to {:.4g} s",
                 *instant.time, clip->name, range.start, range.end);
        }
        return *instant.time;
    }
    const std::size_t frame = instant.frame.value_or(0), count = model::frame_count(*clip);
    if (frame >= count)
        fail("", "--frame {} is outside the clip \"{}\", which has {} frames", frame, clip->name, count);
    return model::frame_time(*clip, frame);
}

void add_method_option(CLI::App& verb, deform::Method& method) {
    std::map<std::string, deform::Method> names;
    std::string help = "How the skin follows the joints:";
    for (const deform::MethodInfo& info : deform::methods()) {
        names.emplace(info.name, info.method);
        help += fmt::format("\n{} = {}", info.name, info.text);
    }
    verb.add_option("--method", method, help)
        ->transform(CLI::CheckedTransformer(names, CLI::ignore_case).description(""));
}

geometry::Mesh posed_mesh(const model::Character& character, const model::Clip* clip, double time,
                          deform::Method method) {
    geometry::Mesh mesh = character.mesh;
    deform::DeformResult<float> result = deform::deform<float>(character, clip, time, method);
    mesh.positions = std::move(result.positions);
    if (!mesh.normals.empty()) mesh.normals = std::move(result.normals);
    mesh.tangents.clear();
    mesh.morphs.clear();
    return mesh;
}

std::string with_commas(std::size_t number) {
    std::string text = std::to_string(number);
    for (int i = static_cast<int>(text.size()) - 3; i > 0; i -= 3)
        text.insert(static_cast<std::size_t>(i), ",");
    return text;
}

std::string count_of(std::size_t number, std::string_view thing) {
    const bool plural = number != 1;
    const bool irregular = plural && thing == "vertex";
    return fmt::format("{} {}{}", with_commas(number), irregular ? "vertice" : thing, plural ? "s" : "");
}

}  // namespace sinew::cli
