// SPDX-License-Identifier: MIT
#include "picture.h"

#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/deform/deformer.h"
#include "sinew/render/figures.h"
#include "sinew/render/view.h"

namespace sinew::cli {
namespace {

bool is_film(const std::filesystem::path& path) {
    return suffix(path) != "png";
}

void parse_size(const std::string& text, render::RenderOptions& options) {
    const auto cross = text.find('x');
    std::int64_t width = 0, height = 0;
    const bool good = cross != std::string::npos &&
                      parse_exact(std::string_view(text).substr(0, cross), width) &&
                      parse_exact(std::string_view(text).substr(cross + 1), height);
    if (!good) fail("", "--size {}: write WIDTHxHEIGHT, such as 1280x720", text);
    try {
        render::check_size(static_cast<int>(std::clamp<std::int64_t>(width, -1, 1 << 20)),
                           static_cast<int>(std::clamp<std::int64_t>(height, -1, 1 << 20)));
    } catch (const Error& error) {
        fail("", "--size {}: {}", text, error.reason());
    }
    options.width = static_cast<int>(width);
    options.height = static_cast<int>(height);
}

/// Channels of camera, lights and colours: those of --direct, or the input's own.
model::ChannelSet direction_of(Run& run, const io::Asset& asset, const std::filesystem::path& file) {
    if (file.empty()) return asset.channels;
    const io::Asset found = load(run, file, {});
    if (found.channels.stage.empty())
        fail(file.string(), "holds no channel of camera, light or colour, such as \"channel {} {{ ... }}\"",
             model::name_of(model::StageValue::camera_azimuth));
    return found.channels;
}

/// A sequence is drawn frame by frame, as a mesh without a skin.
model::Character frame_of(const model::MeshSequence& sequence, std::size_t frame) {
    model::Character character;
    character.mesh = sequence.rest;
    character.mesh.positions = sequence.frames[frame];
    character.mesh.normals = geometry::vertex_normals(character.mesh.positions, character.mesh.triangles);
    return character;
}

std::size_t film_sequence(Run& run, render::Renderer& renderer, const model::MeshSequence& sequence,
                          render::RenderOptions options, const std::filesystem::path& output) {
    geometry::Box box;
    for (const auto& frame : sequence.frames) {
        for (const auto& point : frame) box.include(point);
    }
    const float aspect = static_cast<float>(options.width) / static_cast<float>(options.height);
    options.camera = render::fit(options.view, box, aspect, options.fit);
    options.ground_height = box.low.y();
    render::FilmOptions film;
    film.rate = sequence.rate;
    const model::Character character = frame_of(sequence, 0);
    render::CharacterRenderer stage(renderer, character, options, run.monitor);
    render::render_film(
        output, sequence.frames.size(), film,
        [&](std::size_t f) {
            stage.pose(sequence.frames[f]);
            stage.set_time(static_cast<double>(f) / sequence.rate);
            return stage.picture(*options.camera);
        },
        run.monitor);
    return sequence.frames.size();
}

std::size_t write_film(Run& run, render::Renderer& renderer, const io::Asset& asset, const model::Clip* clip,
                       const render::RenderOptions& options, double fps,
                       const std::filesystem::path& output) {
    if (!asset.sequence.empty()) return film_sequence(run, renderer, asset.sequence, options, output);
    if (clip == nullptr) fail(asset.character.name, "has no clip to film; write a .png");
    render::FilmOptions film;
    film.rate = fps;
    return render::render_character_film(renderer, output, asset.character, *clip, options, film,
                                         run.monitor);
}

/// A picture of a pose, with the items of --overlay.
render::Picture picture_with_overlays(Run& run, render::Renderer& renderer, const model::Character& character,
                                      const model::Clip* clip, double time,
                                      const render::RenderOptions& settings,
                                      const std::vector<std::string>& overlays) {
    if (!overlays.empty() && !character.has_skin()) fail(character.name, "has no skin to draw overlays of");
    render::CharacterRenderer stage(renderer, character, settings, run.monitor);
    stage.pose(clip, time);
    stage.set_ground(stage.bounds());
    const render::Camera camera = stage.camera();
    if (!overlays.empty()) {
        const model::InfluenceSets sets = model::group_by_influences(character.skin, &character.skeleton);
        const std::vector<math::Mat4d> palette =
            model::palette(character.skin, model::world_matrices(character, clip, time));
        const render::BlendScene scene{character.skin, character.skeleton, sets, palette,
                                       character.mesh.positions};
        for (const std::string& name : overlays)
            stage.scene().overlays.push_back(name == "centers" ? render::center_overlay(scene)
                                             : name == "screws"
                                                 ? render::screw_overlay(scene)
                                                 : render::trajectory_overlay(scene, settings.method));
    }
    return stage.picture(camera);
}

/// The weights of one joint in its own frame, with its bone inside.
void write_joint_space(Run& run, const model::Character& character, const PictureOptions& options,
                       const std::filesystem::path& output) {
    render::RenderOptions settings = picture_settings(options, character, deform::Method::lbs);
    const deform::JointSpace space = deform::joint_space(character, settings.joint);
    settings.coloring = render::Coloring::values;
    settings.values = space.weights;
    settings.range = render::ValueRange{0, 1};
    settings.skeleton = render::SkeletonView::xray;
    settings.ground_height = 0;  // the joint is at the origin of the grid
    render::Renderer renderer;
    render::CharacterRenderer stage(renderer, space.character, settings, run.monitor);
    stage.pose(nullptr, 0);
    stage.set_ground(stage.bounds());
    stage.scene().ground.shadow = false;  // the skin would be in the shadow
    render::save_png(output, render::with_color_bar(stage.picture(stage.camera()), *settings.range,
                                                    "weight of " + options.joint));
    run.report.extra["vertices"] = space.character.mesh.vertex_count();
}

}  // namespace

render::RenderOptions picture_settings(const PictureOptions& options, const model::Character& character,
                                       deform::Method method) {
    render::RenderOptions result = options.render;
    parse_size(options.size, result);
    result.ground = !options.no_ground;
    result.background.transparent = options.transparent;
    result.method = method;
    if (!options.joint.empty()) {
        result.coloring = render::Coloring::joint_weights;
        result.joint = character.skeleton.find(options.joint);
        if (result.joint < 0) fail(character.name, "no joint is named \"{}\"", options.joint);
    }
    // A motion without a mesh is shown as its skeleton.
    if (!character.has_mesh()) result.skeleton = render::SkeletonView::over;
    return result;
}

void add_camera_option(CLI::App& verb, render::View& view) {
    static const std::map<std::string, render::View> views = {{"three-quarter", render::View::three_quarter},
                                                              {"front", render::View::front},
                                                              {"back", render::View::back},
                                                              {"left", render::View::left},
                                                              {"right", render::View::right},
                                                              {"top", render::View::top}};
    verb.add_option("--camera", view, "Camera position")
        ->transform(CLI::CheckedTransformer(views).description("three-quarter|front|back|left|right|top"));
}

void add_picture_options(CLI::App& verb, PictureOptions& options) {
    const OptionHeading heading(verb, "Pictures and films");
    static const std::map<std::string, render::Coloring> colorings = {
        {"material", render::Coloring::material},
        {"clay", render::Coloring::plain},
        {"weights", render::Coloring::weights},
        {"sets", render::Coloring::sets},
        {"parts", render::Coloring::parts}};
    static const std::map<std::string, render::SkeletonView> skeletons = {
        {"none", render::SkeletonView::none},
        {"over", render::SkeletonView::over},
        {"xray", render::SkeletonView::xray}};
    static const std::map<std::string, render::FilmCamera> film_cameras = {
        {"whole", render::FilmCamera::whole}, {"follow", render::FilmCamera::follow}};
    verb.add_option("--size", options.size, "Picture size in pixels")
        ->type_name("WxH")
        ->capture_default_str();
    add_camera_option(verb, options.render.view);
    verb.add_option("--style", options.render.coloring, "What the surface shows")
        ->transform(CLI::CheckedTransformer(colorings).description("material|clay|weights|sets|parts"));
    verb.add_option("--joint", options.joint, "Show the weights of this joint as a heat map")
        ->type_name("NAME");
    verb.add_flag("--local", options.local,
                  "With --joint: draw only its part of the mesh, in the local frame of the joint");
    verb.add_option("--skeleton", options.render.skeleton,
                    "Draw the skeleton over the mesh, or inside it as an x-ray")
        ->transform(CLI::CheckedTransformer(skeletons).description("none|over|xray"));
    verb.add_option("--overlay", options.overlays,
                    "Draw over a picture: rotation centres of influence sets, screw axes of joints, paths of "
                    "vertices")
        ->check(
            CLI::IsMember({"centers", "screws", "trajectories"}).description("centers|screws|trajectories"))
        ->delimiter(',');
    verb.add_flag("--wireframe", options.render.wireframe, "Draw the edges of the triangles");
    verb.add_flag("--orthographic", options.render.fit.orthographic, "No perspective");
    verb.add_flag("--no-ground", options.no_ground, "No ground, grid or shadow");
    verb.add_flag("--transparent", options.transparent, "No background");
    verb.add_option("--film-camera", options.render.film_camera,
                    "See the whole motion, or follow the character")
        ->transform(CLI::CheckedTransformer(film_cameras).description("whole|follow"));
    verb.add_option(
            "--direct", options.direction,
            "Channels that animate the camera (camera.azimuth, camera.zoom, camera.eye.x ...), the lights\n"
            "(light.exposure ...) and the colours (color.red, background.red ...) of a film")
        ->type_name("FILE.clip");
    verb.add_option("--film-fps", options.fps, "Frame rate of a film")
        ->check(CLI::Range(1.0, 240.0))
        ->capture_default_str();
}

bool is_picture(const std::filesystem::path& path) {
    return is_of(output::pictures, path);
}

int write_picture(Run& run, const io::Asset& asset, const Instant& instant, deform::Method method,
                  const PictureOptions& options, const std::filesystem::path& output) {
    if (!is_picture(output)) fail(output.string(), "is not a picture: use .png, .mp4, .webm or .gif");
    if (options.local && (options.joint.empty() || is_film(output)))
        fail("", "--local draws a .png of the joint that --joint names");
    const StageTimer timer(run.report, "render");
    const bool sequence = !asset.sequence.empty();
    const std::size_t frame = instant.frame.value_or(0);
    if (sequence && frame >= asset.sequence.frames.size()) {
        fail("", "--frame {} is outside the sequence of {} frames", frame, asset.sequence.frames.size());
    }
    const model::Character& character = asset.character;
    const model::Clip* clip = sequence ? nullptr : clip_named(character, instant.clip);
    render::RenderOptions settings =
        picture_settings(options, sequence ? frame_of(asset.sequence, frame) : character, method);
    settings.direction = direction_of(run, asset, options.direction);
    if (!asset.trial.platforms.empty()) {
        auto forces =
            std::make_shared<const render::ForceOverlay>(asset.trial, render::ForceStyle{}, run.monitor);
        settings.beside = [forces](double time) { return forces->at(time); };
    }
    render::Renderer renderer;
    std::size_t frames = 1;
    if (options.local) {
        write_joint_space(run, character, options, output);
    } else if (is_film(output)) {
        frames = write_film(run, renderer, asset, clip, settings, options.fps, output);
    } else if (sequence) {
        render::save_png(output, render::render_character(renderer, frame_of(asset.sequence, frame), nullptr,
                                                          0, settings, run.monitor));
    } else {
        // Without an instant, a character is in its rest pose and a motion in its first frame.
        const bool rest = !instant.given() && instant.clip.empty() && character.has_mesh();
        const double time = rest ? 0 : seconds_of(instant, clip);
        render::save_png(output, picture_with_overlays(run, renderer, character, rest ? nullptr : clip, time,
                                                       settings, options.overlays));
    }
    run.report.output = output.string();
    run.report.extra["frames"] = frames;
    run.report.extra["width"] = settings.width;
    run.report.extra["height"] = settings.height;
    return settings.height;
}

void write_difference(Run& run, const model::Character& character, const Instant& instant, deform::Method a,
                      deform::Method b, const PictureOptions& options, const std::filesystem::path& output) {
    if (suffix(output) != "png") fail(output.string(), "a difference is a picture: use .png");
    const StageTimer timer(run.report, "render");
    const model::Clip* clip = clip_named(character, instant.clip);
    const render::RenderOptions settings = picture_settings(options, character, b);
    render::Renderer renderer;
    const render::DifferencePicture result = render::render_difference(
        renderer, character, clip, seconds_of(instant, clip), a, b, settings, run.monitor);
    render::save_png(output, result.picture);
    run.report.output = output.string();
    run.report.extra["frames"] = 1;
    run.report.extra["width"] = result.picture.width;
    run.report.extra["height"] = result.picture.height;
    run.report.extra["max_difference_percent"] = result.max_percent;
    run.report.extra["rms_difference_percent"] = result.rms_percent;
}

}  // namespace sinew::cli
