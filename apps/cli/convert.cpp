// SPDX-License-Identifier: MIT
// sinew convert: formats, units, axes, frame rate, trimming, one frame as a mesh.

#include "common.h"

#include "sinew/base/error.h"
#include "sinew/gait/report.h"
#include "sinew/model/character.h"

namespace sinew::cli {
namespace {

struct ConvertArguments {
    std::filesystem::path input;
    std::filesystem::path output;
    io::ReadOptions read;
    io::WriteOptions write;
    Instant instant;
    double scale = 1;
    std::optional<double> start;
    std::optional<double> end;
    bool bare = false;
    bool text = false;
    bool anonymous = false;
    deform::Method method = deform::Method::lbs;
    std::optional<rig::JointNames> names;
};

void change_clips(model::Character& character, const ConvertArguments& options) {
    if (!options.instant.clip.empty()) {
        const model::Clip chosen = *clip_named(character, options.instant.clip);
        character.clips = {chosen};
    }
    for (model::Clip& clip : character.clips) {
        const model::TimeRange range = model::time_range(clip);
        if (options.start || options.end) {
            clip = model::trimmed(clip, options.start.value_or(range.start), options.end.value_or(range.end));
        }
        if (options.write.rate > 0) clip = model::resampled(clip, options.write.rate);
    }
}

/// One frame of a character or a sequence as a bare mesh.
void bake(io::Asset& asset, const ConvertArguments& options) {
    if (!asset.sequence.empty()) {
        if (options.instant.time) fail("", "--time needs a clip; a sequence has frames: use --frame");
        const std::size_t frame = *options.instant.frame;
        if (frame >= asset.sequence.frames.size()) {
            fail("", "--frame {} is outside the sequence of {} frames", frame, asset.sequence.frames.size());
        }
        asset.character.mesh = asset.sequence.rest;
        asset.character.mesh.positions = asset.sequence.frames[frame];
        asset.character.mesh.normals =
            geometry::vertex_normals(asset.character.mesh.positions, asset.character.mesh.triangles);
        asset.sequence = {};
        return;
    }
    model::Character& character = asset.character;
    const model::Clip* clip = clip_named(character, options.instant.clip);
    geometry::Mesh mesh = posed_mesh(character, clip, seconds_of(options.instant, clip), options.method);
    character = {character.name, std::move(mesh), {}, {}, {}, character.unit};
}

/// True when the output motion differs from the input motion.
bool edits(const ConvertArguments& options) {
    return options.scale != 1 || options.start || options.end || options.write.rate > 0 ||
           !options.read.units.empty() || !options.read.up.empty();
}

/// Channels are not edited, so a changed motion is written from its clip.
void drop_channels(io::Asset& asset) {
    if (!asset.channels.empty() && asset.character.clips.empty()) {
        fail("", "changing channels needs their skeleton: --skeleton-file FILE");
    }
    asset.channels = {};
}

}  // namespace

void add_convert(Program& program) {
    auto options = std::make_shared<ConvertArguments>();
    CLI::App& verb = program.verb(
        "convert", "Convert formats, units, axes or frame rate; trim; export one frame as a mesh",
        "  sinew convert walk.bvh walk.glb --units cm\n"
        "  sinew convert scan.ply scan.glb --units mm --up z\n"
        "  sinew convert character.glb frame.obj --clip run --frame 12",
        [options](Run& run) {
            check_output(run, options->output,
                         {output::models, output::caches, output::trials, output::cycles, output::pictures,
                          output::folder});
            options->read.rate = options->write.rate;
            io::Asset asset = load(run, options->input, options->read);
            if (options->anonymous) {
                gait::anonymise(asset.trial);
                gait::anonymise(asset.cycle);
                gait::anonymise(asset.character);
            }
            const io::Format* const format = io::find_format(options->output);
            if (format == nullptr || !io::holds(format->writes, io::Content::trial | io::Content::cycle)) {
                make_playable(asset, run.monitor);
            }
            if (options->scale != 1) {
                model::apply(asset.character, {.scale = options->scale});
                model::apply(asset.sequence, {.scale = options->scale});
            }
            if (options->instant.given()) {
                bake(asset, *options);
            } else {
                change_clips(asset.character, *options);
            }
            if (edits(*options)) drop_channels(asset);
            if (options->bare) {
                // The mesh in the rest pose, which can differ from the mesh in the file.
                if (asset.character.has_skin()) {
                    asset.character.mesh = posed_mesh(asset.character, nullptr, 0, options->method);
                }
                asset.character.skeleton = {};
                asset.character.skin = {};
                asset.character.clips.clear();
            }
            use_names(run, options->names, asset.character);
            options->write.binary = !options->text;
            save(run, options->output, asset, options->write);
            const model::Character& character = asset.character;
            const bool sequence = !asset.sequence.empty();
            const std::size_t frames = sequence                  ? asset.sequence.frames.size()
                                       : character.clips.empty() ? 0
                                                                 : model::frame_count(character.clips[0]);
            run.report.extra["vertices"] =
                sequence ? asset.sequence.rest.vertex_count() : character.mesh.vertex_count();
            run.report.extra["frames"] = asset.trial.empty() ? frames : asset.trial.frames;
            run.say("wrote {}", options->output.string());
        });
    verb.add_option("input", options->input, "File or folder of frames to read")->required()->type_name("IN");
    verb.add_option("output,-o,--output", options->output, "File to write; the suffix chooses the format")
        ->required()
        ->type_name("OUT");
    add_read_options(verb, options->read, false);
    add_names_option(verb, options->names);
    add_instant_options(verb, options->instant);
    add_method_option(verb, options->method);
    verb.add_option("--write-units", options->write.units,
                    "Units of a BVH, ASF or AMC file to write; those of the source by default")
        ->check(CLI::IsMember({"m", "cm", "mm", "in", "ft"}));
    verb.add_option("--scale", options->scale, "Multiply all lengths")->check(CLI::PositiveNumber);
    verb.add_option("--fps", options->write.rate,
                    "Resample the motion at this rate; also the rate of a file that states none")
        ->check(CLI::PositiveNumber);
    verb.add_option("--start", options->start, "Keep the motion from this time on (seconds)");
    verb.add_option("--end", options->end, "Keep the motion up to this time (seconds)");
    verb.add_option("--order", options->write.euler_order, "Rotation order of a BVH file, such as zxy");
    verb.add_flag("--bare", options->bare, "Keep the mesh only: no skeleton, weights or clips");
    verb.add_flag("--anonymous", options->anonymous,
                  "Remove names of persons, dates, paths and label prefixes");
    verb.add_flag("--text", options->text, "Write PLY and STL as text");
}

}  // namespace sinew::cli
