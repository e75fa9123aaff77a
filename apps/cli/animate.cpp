// SPDX-License-Identifier: MIT
// sinew animate: a mesh or a rig and a motion become an animated character.

#include "motion_options.h"
#include "picture.h"
#include "publish.h"
#include "rig.h"

#include "sinew/base/error.h"
#include "sinew/base/system.h"

namespace sinew::cli {
namespace {

/// A video of the trial, shown beside the character in a film.
struct BesideOptions {
    std::filesystem::path video;
    double start = 0;  ///< second of the video at which the motion starts
    bool any() const { return !video.empty(); }
};

struct AnimateArguments {
    std::filesystem::path rig;
    std::filesystem::path motion;
    std::filesystem::path output;
    io::ReadOptions read;
    io::WriteOptions write;
    Instant instant;
    RetargetChoice retarget;
    SkeletonChoice skeleton;
    rig::BindOptions bind;
    std::optional<rig::JointNames> names;
    gait::Unmeasured unmeasured = gait::Unmeasured::ghost;
    bool keep_names = false;
    bool force = false;
    std::optional<double> arm_space;  ///< degrees
    std::string aid;
    BesideOptions beside;
    deform::Method method = deform::Method::dqs;
    PictureOptions picture;
};

void add_beside_options(CLI::App& verb, BesideOptions& options) {
    verb.add_option("--beside", options.video, "Video of the trial, shown beside the character in a film")
        ->type_name("VIDEO");
    verb.add_option("--beside-start", options.start, "Second of that video at which the motion begins")
        ->check(CLI::NonNegativeNumber);
}

/// Adds the video to the right of a finished film, with the same height, for the common duration. Sound and
/// metadata of the video are removed. Warns that a person may be visible.
/// \throws Error when ffmpeg is missing, or with its message.
void set_beside(Run& run, const BesideOptions& options, int height, const std::filesystem::path& film) {
    if (!std::filesystem::is_regular_file(options.video)) fail(options.video.string(), "is not a video file");
    const StageTimer timer(run.report, "beside");
    std::filesystem::path both = film;
    both.replace_filename("." + film.stem().string() + ".beside" + film.extension().string());
    const int even = height + height % 2;
    const std::string filter = fmt::format(
        "[0:v]setpts=PTS-STARTPTS[a];[1:v]setpts=PTS-STARTPTS,scale=-2:{}[b];[a][b]hstack=inputs=2:shortest="
        "1,"
        "format=yuv420p",
        even);
    const ProgramEnd end = run_attached({"ffmpeg",
                                         "-hide_banner",
                                         "-loglevel",
                                         "error",
                                         "-nostdin",
                                         "-y",
                                         "-i",
                                         film.string(),
                                         "-ss",
                                         fmt::format("{}", options.start),
                                         "-i",
                                         options.video.string(),
                                         "-filter_complex",
                                         filter,
                                         "-an",
                                         "-map_metadata",
                                         "-1",
                                         "-fflags",
                                         "+bitexact",
                                         "-threads",
                                         "2",
                                         both.string()});
    std::error_code ignored;
    if (end.code != 0) {
        std::filesystem::remove(both, ignored);
        fail(options.video.string(),
             "ffmpeg could not set it beside the film (a film is mp4, mov, mkv or webm)");
    }
    std::filesystem::rename(both, film);
    warn(run.monitor, "beside-person", "the film shows the video beside the character: it is not anonymous");
    run.report.extra["beside"] = {{"start", options.start}};
}

/// Reports which limbs were moved to avoid intersections.
void tell_space(Run& run, const pipeline::LimbSpace& space) {
    run.report.extra["space"] = pipeline::report_of(space);
    const auto say_angles = [&](fmt::format_string<double, double> text,
                                const std::array<double, 2>& angles) {
        if (angles[0] != 0 || angles[1] != 0)
            run.say(text, math::degrees(angles[0]), math::degrees(angles[1]));
    };
    if (space.step_width > 0)
        run.say("feet are {:.0f} % of a leg farther apart, so that legs do not meet", 100 * space.step_width);
    say_angles("arms are held off the body by up to {:.0f}° (left) and {:.0f}° (right)", space.arms);
    say_angles("elbows bend by up to {:.0f}° (left) and {:.0f}° (right) more, to keep hands off the floor",
               space.elbows);
}

/// The character with the clip of the motion; writes the report and the messages.
model::Character animated(Run& run, const AnimateArguments& arguments, const model::Character& character) {
    const pipeline::Motion motion =
        load_motion(run, arguments.motion, arguments.read, arguments.retarget.solve);
    pipeline::AnimateOptions options;
    options.clip = arguments.instant.clip;
    options.retarget = retarget_options(arguments.retarget);
    options.unmeasured = arguments.unmeasured;
    options.force = arguments.force;
    if (arguments.arm_space) options.arm_space = math::radians(*arguments.arm_space);
    if (!character.has_skin()) options.rig = load_rig_options(run, arguments.skeleton, arguments.bind);
    pipeline::AnimateResult made = pipeline::animate(character, motion, options, run.monitor);
    run.add_seconds(made.seconds);
    if (motion.fit && arguments.keep_names)
        made.character.clips.back().name = arguments.motion.stem().string();
    if (made.rig) {
        run.report.extra.update(pipeline::report_of(*made.rig));
        tell(run, made.rig->skeleton);
        tell(run, *made.rig->bind, made.character.skeleton);
    }
    run.report.extra.update(pipeline::report_of(made.retarget));
    run.report.extra["unmeasured"] = made.unmeasured;
    if (made.check)
        run.report.extra["check"] = {{"stretch", made.check->stretch},
                                     {"height", made.check->height},
                                     {"tilt_degrees", math::degrees(made.check->tilt)},
                                     {"off_floor", made.check->off_floor}};
    tell(run, made.retarget, made.character.skeleton.size());
    tell_space(run, made.space);
    static constexpr const char* words[] = {"drawn transparent", "hidden", "held"};
    if (!made.unmeasured.empty())
        run.say("{} without markers; their body parts are {}", count_of(made.unmeasured.size(), "joint"),
                words[static_cast<std::size_t>(arguments.unmeasured)]);
    return std::move(made.character);
}

/// The character with the chosen clip of its own.
model::Character with_own_clip(const AnimateArguments& arguments, model::Character character) {
    if (!character.has_skin())
        fail(arguments.rig.string(),
             "has no skin weights and no clip of its own: name a motion file as well");
    if (character.clips.empty())
        fail(arguments.rig.string(), "has no clip of its own: name a motion file as well");
    if (!arguments.instant.clip.empty())
        character.clips = {model::Clip(*clip_named(character, arguments.instant.clip))};
    return character;
}

void write_animated(Run& run, const AnimateArguments& options, io::Asset asset) {
    const model::Character& rig = asset.character;
    Instant instant = options.instant;
    instant.clip.clear();
    if (is_page(options.output)) {
        pipeline::PublishOptions page;
        page.method = options.method;
        page.source = options.rig.filename().string();
        return write_page(run, std::move(asset), std::move(page), options.output);
    }
    if (is_picture(options.output)) {
        const int height =
            write_picture(run, asset, instant, options.method, options.picture, options.output);
        if (options.beside.any()) set_beside(run, options.beside, height, options.output);
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

void execute(const AnimateArguments& options, Run& run) {
    check_output(run, options.output, {output::models, output::pictures, output::pages});
    io::Asset asset = load(run, options.rig, options.read);
    model::Character& rig = asset.character;
    if (!rig.has_mesh()) {
        const io::Format* const other = io::find_format(options.motion);
        const bool swapped =
            !rig.clips.empty() && other != nullptr && io::holds(other->reads, io::Content::mesh);
        fail(options.rig.string(), "holds no mesh to animate{}",
             swapped ? fmt::format(": write the mesh first, sinew animate {} {}", options.motion.string(),
                                   options.rig.string())
                     : "");
    }
    if (options.beside.any() && (!is_picture(options.output) || suffix(options.output) == "png"))
        fail(options.output.string(), "--beside needs a film as output: mp4, mov, mkv or webm");
    rig = options.motion.empty() ? with_own_clip(options, std::move(rig)) : animated(run, options, rig);
    if (!options.aid.empty()) {
        const auto aids = gait::parse_walking_aids(options.aid).value();
        for (const gait::WalkingAid& aid : aids) gait::add_walking_aid(rig, aid);
    }
    use_names(run, options.names, rig);
    run.report.extra["vertices"] = rig.mesh.vertex_count();
    run.report.extra["joints"] = rig.skeleton.size();
    run.report.extra["frames"] = model::frame_count(rig.clips[0]);
    write_animated(run, options, std::move(asset));
}

}  // namespace

void add_animate(Program& program) {
    auto options = std::make_shared<AnimateArguments>();
    CLI::App& verb = program.verb(
        "animate", "Put a motion on a mesh or a rigged character. Writes a model, picture, film or page",
        "  sinew animate mesh.obj walk.bvh -o walking.glb         (a mesh without a rig gets one)\n"
        "  sinew animate mesh.obj trial.c3d -o walking.glb        (markers are solved first)\n"
        "  sinew animate character.glb walk.bvh -o walking.html   (a page to share)\n"
        "  sinew animate character.glb walk.bvh -o walking.glb\n"
        "  sinew animate character.glb -o dance.mp4 --clip dance  (a clip of the character)",
        [options](Run& run) { execute(*options, run); });
    verb.add_option("rig", options->rig, "Mesh or rigged character")->required()->type_name("MESH_OR_RIG");
    verb.add_option("motion", options->motion, "Motion; left out, the character's own clip is used")
        ->type_name("MOTION");
    verb.add_option("-o,--output", options->output, "glb, gltf, bvh, png, mp4, html; or a mesh with --frame")
        ->required()
        ->type_name("OUT");
    verb.add_flag("--force", options->force,
                  "Write the result even if the motion belongs to another kind of body, the skin tears, or "
                  "the output is an input file");
    verb.add_option("--arm-space", options->arm_space,
                    "Degrees that the arms are held off the body; by default as many as keep them out of it")
        ->check(CLI::Range(-45.0, 90.0));
    add_unmeasured_option(verb, options->unmeasured);
    verb.add_flag("--keep-names", options->keep_names,
                  "Name the clip of a trial after its file (by default it is anonymous)");
    verb.add_option("--aid", options->aid, "Walking aid that the character holds")
        ->check(CLI::IsMember(
            {"cane-left", "cane-right", "canes", "crutch-left", "crutch-right", "crutches", "walker"}));
    add_beside_options(verb, options->beside);
    add_names_option(verb, options->names);
    add_read_options(verb, options->read);
    add_instant_options(verb, options->instant);
    add_method_option(verb, options->method);
    add_picture_options(verb, options->picture);
    add_retarget_options(verb, options->retarget);
    add_skeleton_options(verb, options->skeleton, "--skeleton-method");
    add_bind_options(verb, options->bind, "--bind-method");
}

}  // namespace sinew::cli
