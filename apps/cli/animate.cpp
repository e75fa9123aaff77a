// sinew animate: a mesh or a rig and a motion become an animated character.

#include "animate_beside.h"
#include "picture.h"
#include "publish.h"
#include "retargeting.h"
#include "rig_options.h"

#include "sinew/base/error.h"
#include "sinew/gait/gait.h"

namespace sinew::cli {
namespace {

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
    gait::Unmeasured unmeasured = gait::Unmeasured::ghost;
    std::string aid;
    BesideOptions beside;
    deform::Method method = deform::Method::dqs;
    PictureOptions picture;
};

/// Gives a bare mesh the motion's own skeleton, placed inside it, so that nothing is lost to retargeting;
/// without a motion, or where it does not fit, a skeleton is found in the mesh itself.
void rig_mesh(Run& run, AnimateArguments& options, const io::Asset* motion, io::Asset& asset) {
    model::Character& character = asset.character;
    character.mesh = rest_mesh(asset, options.rig);
    const bool own = motion != nullptr && options.skeleton.pattern.empty();
    if (own) options.skeleton.options.pattern = &motion->character.skeleton;
    character.skeleton = find_skeleton(run, character.mesh, options.skeleton).skeleton;
    const Json found = run.report.extra;
    character.skin = bind_skin(run, character.mesh, character.skeleton, options.bind).skin;
    run.report.extra["skeleton_method"] = found.value("method", "");
    run.report.extra["skeleton_reason"] = found.value("reason", "");
    character.clips.clear();
}

/// Parts that no marker measured are not to look as if they had stood still.
void show_measured(Run& run, const AnimateArguments& options, const Motion& motion,
                   const std::vector<std::pair<std::string, std::string>>& mapped, model::Character& rig) {
    const std::vector<bool> measured =
        gait::measured_joints(rig.skeleton, motion.asset.character.skeleton, motion.measured, mapped);
    Json names = Json::array();
    for (std::size_t j = 0; j < measured.size(); ++j)
        if (!measured[j]) names.push_back(rig.skeleton.joints[j].name);
    run.report.extra["unmeasured"] = names;
    if (names.empty()) return;
    gait::show_unmeasured(rig, measured, options.unmeasured);
    static constexpr const char* words[] = {"a ghost", "hidden", "held"};
    run.say("{} not measured: {}", count_of(names.size(), "joint"),
            words[static_cast<std::size_t>(options.unmeasured)]);
}

void execute(AnimateArguments& options, Run& run) {
    check_output(run, options.output, {output::models, output::pictures, output::pages});
    io::Asset asset = load(run, options.rig, options.read);
    model::Character& rig = asset.character;
    if (!rig.has_mesh()) fail(options.rig.string(), "holds no mesh to animate");
    if (options.beside.any() && (!is_picture(options.output) || suffix(options.output) == "png"))
        fail(options.output.string(), "a video stands beside a film only: use mp4, mov, mkv or webm");
    if (!options.motion.empty()) {
        const Motion motion = load_motion(run, options.motion, options.read, options.retarget.solve);
        if (!rig.has_skin()) rig_mesh(run, options, &motion.asset, asset);
        motion::RetargetResult result =
            retarget_onto(run, motion, options.motion, options.instant.clip, rig.skeleton, options.retarget);
        rig.clips = {std::move(result.clip)};
        show_measured(run, options, motion, result.mapped, rig);
    } else if (!rig.has_skin()) {
        fail(options.rig.string(), "has no skin weights and no clip of its own: name a motion file as well");
    } else if (rig.clips.empty()) {
        fail(options.rig.string(), "has no clip of its own: name a motion file as well");
    } else if (!options.instant.clip.empty()) {
        rig.clips = {model::Clip(*model::find_clip(rig, options.instant.clip))};
    }
    std::vector<gait::WalkingAid> aids;
    if (!options.aid.empty()) aids = gait::parse_walking_aids(options.aid).value();
    for (const gait::WalkingAid& aid : aids) gait::add_walking_aid(rig, aid);
    Instant instant = options.instant;
    instant.clip.clear();
    run.report.extra["vertices"] = rig.mesh.vertex_count();
    run.report.extra["joints"] = rig.skeleton.size();
    run.report.extra["frames"] = model::frame_count(rig.clips[0]);
    if (is_picture(options.output)) {
        write_picture(run, asset, instant, options.method, options.picture, options.output);
        if (options.beside.any())
            set_beside(run, options.beside, run.report.extra["height"].get<int>(), options.output);
    } else if (is_page(options.output)) {
        write_page(run, std::move(asset), {.title = {}, .clip = {}, .method = options.method},
                   options.rig.filename().string(), options.output);
        return;
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
    auto options = std::make_shared<AnimateArguments>();
    CLI::App& verb = program.verb(
        "animate", "Put a motion on a mesh or a rigged character: a model, a picture, a film or a page",
        "  sinew animate mesh.obj walk.bvh -o walking.glb             (the mesh needs no rig)\n"
        "  sinew animate mesh.obj trial.c3d -o walking.glb            (markers are solved)\n"
        "  sinew animate character.glb walk.bvh -o walking.glb\n"
        "  sinew animate character.glb walk.bvh -o walking.html       (a page to share)\n"
        "  sinew animate character.glb -o dance.mp4 --clip dance     (a clip the character brings)",
        [options](Run& run) { execute(*options, run); });
    verb.add_option("rig", options->rig, "Mesh or rigged character")->required()->type_name("MESH_OR_RIG");
    verb.add_option("motion", options->motion, "Motion; left out, the character's own clip is used")
        ->type_name("MOTION");
    verb.add_option("-o,--output", options->output, "glb, gltf, bvh, png, mp4, html; or a mesh with --frame")
        ->required()
        ->type_name("OUT");
    add_unmeasured_option(verb, options->unmeasured);
    verb.add_option("--aid", options->aid, "Walking aid that the character holds")
        ->check(CLI::IsMember(
            {"cane-left", "cane-right", "canes", "crutch-left", "crutch-right", "crutches", "walker"}));
    add_beside_options(verb, options->beside);
    add_read_options(verb, options->read);
    add_instant_options(verb, options->instant);
    add_method_option(verb, options->method);
    add_picture_options(verb, options->picture);
    add_retarget_options(verb, options->retarget);
    add_skeleton_options(verb, options->skeleton, "--skeleton-method");
    add_bind_options(verb, options->bind, "--bind-method");
}

}  // namespace sinew::cli
