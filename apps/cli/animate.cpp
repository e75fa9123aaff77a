// sinew animate: a rig and a motion become an animated character.

#include "picture.h"

#include "sinew/base/error.h"
#include "sinew/motion/retarget.h"

namespace sinew::cli {
namespace {

struct Options {
    std::filesystem::path rig;
    std::filesystem::path motion;
    std::filesystem::path output;
    io::ReadOptions read;
    io::WriteOptions write;
    Instant instant;
    deform::Method method = deform::Method::dqs;
    PictureOptions picture;
};

/// Moves the chosen clip of a motion file onto the rig.
void transfer(const Options& options, model::Character& rig, Run& run) {
    const io::Asset source = load(run, options.motion, options.read);
    const model::Clip* clip = model::find_clip(source.character, options.instant.clip);
    if (clip == nullptr) fail(options.motion.string(), "holds no motion");
    const StageTimer timer(run.report, "retarget");
    motion::RetargetOptions retarget_options;
    retarget_options.rate = options.write.rate;
    motion::RetargetResult result =
        motion::retarget(source.character.skeleton, *clip, rig.skeleton, retarget_options, run.monitor);
    if (result.clip.name.empty()) result.clip.name = options.motion.stem().string();
    run.report.extra["mapped"] = Json::object();
    for (const auto& [from, to] : result.mapped) run.report.extra["mapped"][to] = from;
    run.report.extra["unmapped"] = result.unmapped;
    run.report.extra["scale"] = result.scale;
    run.say("{} of {} follow the motion{}", result.mapped.size(), count_of(rig.skeleton.size(), "joint"),
            result.unmapped.empty() ? "" : fmt::format("; {} keep their rest pose", result.unmapped.size()));
    rig.clips = {std::move(result.clip)};
}

void execute(const Options& options, Run& run) {
    io::Asset asset = load(run, options.rig, options.read);
    model::Character& rig = asset.character;
    if (!rig.has_mesh()) fail(options.rig.string(), "holds no mesh to animate");
    if (!rig.has_skin())
        fail(options.rig.string(), "has no skeleton with skin weights; animate needs a rigged character");
    if (!options.motion.empty()) {
        transfer(options, rig, run);
    } else if (rig.clips.empty()) {
        fail(options.rig.string(), "has no clip of its own: name a motion file as well");
    } else if (!options.instant.clip.empty()) {
        rig.clips = {model::Clip(*model::find_clip(rig, options.instant.clip))};
    }
    Instant instant = options.instant;
    instant.clip.clear();
    run.report.extra["vertices"] = rig.mesh.vertex_count();
    run.report.extra["joints"] = rig.skeleton.size();
    run.report.extra["frames"] = model::frame_count(rig.clips[0]);
    if (is_picture(options.output)) {
        write_picture(run, asset, instant, options.method, options.picture, options.output);
    } else if (instant.given()) {
        io::Asset frame;
        frame.character.mesh =
            posed_mesh(rig, &rig.clips[0], seconds_of(instant, &rig.clips[0]), options.method);
        save(run, options.output, frame, options.write);
    } else {
        save(run, options.output, asset, options.write);
    }
    run.say("wrote {}", options.output.string());
}

}  // namespace

void add_animate(Program& program) {
    auto options = std::make_shared<Options>();
    CLI::App& verb = program.verb(
        "animate", "Put a motion on a rigged character and write it as a model, a picture or a film",
        "  sinew animate character.glb walk.bvh -o walking.glb\n"
        "  sinew animate character.glb -o dance.mp4 --clip dance     (a clip the character brings)",
        [options](Run& run) { execute(*options, run); });
    verb.add_option("rig", options->rig, "Rigged character")->required()->type_name("RIG");
    verb.add_option("motion", options->motion, "Motion; left out, the character's own clip is used")
        ->type_name("MOTION");
    verb.add_option("-o,--output", options->output, "glb, gltf, bvh, png, mp4; or a mesh with --frame")
        ->required()
        ->type_name("OUT");
    add_read_options(verb, options->read);
    add_instant_options(verb, options->instant);
    add_method_option(verb, options->method);
    add_picture_options(verb, options->picture);
}

}  // namespace sinew::cli
