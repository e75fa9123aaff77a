// SPDX-License-Identifier: MIT
#include "export.h"

#include <algorithm>
#include <array>

#include "actions.h"
#include "page_shell.h"
#include "project.h"

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/pipeline/publish.h"
#include "sinew/render/film.h"

namespace sinew::studio {
namespace {

constexpr std::array film_suffixes = {"mp4", "webm", "mov", "mkv", "gif"};

std::string words_of(io::Content content) {
    using io::Content;
    std::string words;
    const auto add = [&](Content what, const char* word) {
        if (io::holds(content, what)) words += (words.empty() ? "" : ", ") + std::string(word);
    };
    add(Content::mesh, "mesh");
    add(Content::skeleton, "skeleton");
    add(Content::skin, "weights");
    add(Content::motion, "motion");
    add(Content::sequence, "frames");
    add(Content::trial, "markers");
    add(Content::cycle, "gait curves");
    return words;
}

/// The kind of the open document, in the terms of the formats.
io::Content content_of(const State& state) {
    using io::Content;
    const model::Character& character = state.character();
    Content content = Content::nothing;
    if (character.has_mesh()) content = content | Content::mesh;
    if (character.has_skeleton()) content = content | Content::skeleton;
    if (character.has_skin()) content = content | Content::skin;
    if (!character.clips.empty() || !state.pose.empty()) content = content | Content::motion;
    if (state.document.sequence) content = content | Content::sequence;
    if (state.document.trial) content = content | Content::trial;
    return content;
}

render::RenderOptions film_options(const State& state) {
    render::RenderOptions options;
    options.camera = to_camera(state.camera);
    options.method = state.skin.method;
    options.film_camera = state.camera_mode.follow ? render::FilmCamera::follow : render::FilmCamera::whole;
    options.skeleton = state.view.skeleton == SkeletonMode::hidden ? render::SkeletonView::none
                       : state.view.skeleton == SkeletonMode::over ? render::SkeletonView::over
                                                                   : render::SkeletonView::xray;
    options.ground = state.view.floor;
    // A camera that follows is moved by the program; one that the user placed does not move.
    if (state.camera_mode.follow) options.camera.reset();
    return options;
}

Job::Apply say_written(const std::filesystem::path& path) {
    return [path](State& state) { state.messages.add(Severity::note, "wrote " + path.string()); };
}

}  // namespace

std::vector<ExportFormat> export_formats(const State& state) {
    std::vector<ExportFormat> list;
    const io::Content open = content_of(state);
    for (const io::Format& format : io::formats())
        if (format.can_write() && io::holds(format.writes, open) && format.suffix != "csv")
            list.push_back({std::string(format.suffix), std::string(format.name), words_of(format.writes)});
    constexpr std::array usual = {"bvh", "fbx", "glb"};
    std::ranges::stable_sort(list, std::greater{}, [&](const ExportFormat& format) {
        return std::ranges::find(usual, format.suffix) == usual.end()
                   ? -1
                   : std::ranges::find(usual, format.suffix) - usual.begin();
    });
    if (state.character().has_skeleton())
        list.push_back({"csv", "table of joint angles", "angles of the clip in degrees"});
    const std::string film = state.playing_clip() == nullptr ? "needs a clip: choose one below"
                             : !render::has_ffmpeg()         ? "needs the program ffmpeg"
                                                             : "";
    for (const char* suffix : {"mp4", "webm", "gif"})
        list.push_back(
            {suffix, "film", film.empty() ? "the clip as the camera sees it" : film, film.empty()});
    if (!web::page_shell().empty()) list.push_back({"html", "page", "a web page that plays the clip"});
    list.push_back({"png", "picture", "the current view"});
    list.push_back({project_suffix, "project", "everything, to continue later"});
    if (state.document.checklist) list.push_back({"txt", "checklist", "what was seen of the walk"});
    if (state.document.motion) list.push_back({map_suffix, "joint map", "of the last motion"});
    return list;
}

bool is_film(const std::filesystem::path& path) {
    return std::ranges::count(film_suffixes, suffix(path)) > 0;
}

bool is_page(const std::filesystem::path& path) {
    return suffix(path) == "html" || suffix(path) == "htm";
}

bool keeps_work(const std::filesystem::path& path) {
    const io::Format* format = io::find_format(path);
    return suffix(path) == project_suffix || (format != nullptr && format->family == io::Family::scene);
}

void export_in_background(State& state, const std::filesystem::path& path) {
    const model::Clip* clip = state.playing_clip();
    if (is_film(path) && clip == nullptr) {
        state.messages.add(Severity::error, path.string() + ": a film needs a clip: choose one below");
        return;
    }
    auto asset = std::make_shared<io::Asset>(asset_to_write(state));
    if (state.document.trial) asset->trial = *state.document.trial;
    const auto film = [asset, path, options = film_options(state), clip_index = state.clip,
                       rate = std::min(state.timeline.rate, 60.0)](Monitor& monitor) -> Job::Apply {
        render::Renderer renderer;
        const model::Clip& moving = asset->character.clips[static_cast<std::size_t>(clip_index)];
        render::render_character_film(renderer, path, asset->character, moving, options, {.rate = rate},
                                      monitor);
        return say_written(path);
    };
    const auto page = [asset, path, method = state.skin.method,
                       name = state.character().name](Monitor& monitor) -> Job::Apply {
        pipeline::PublishOptions options;
        options.title = path.stem().string();
        options.source = name;
        options.method = method == deform::Method::lbs ? method : deform::Method::dqs;
        options.anonymous = !asset->trial.empty();
        options.shell = web::page_shell();
        write_file(path, pipeline::publish(*asset, options, monitor).page);
        return say_written(path);
    };
    if (!state.cast.actors.empty())
        state.messages.add(Severity::note, path.filename().string() + " shows " + state.character().name +
                                               " alone, not the whole scene");
    if (state.skin.correction != deform::Corrective::none)
        state.messages.add(Severity::note,
                           path.filename().string() + " shows the skin without its correction");
    const std::string what = "Writing " + path.filename().string();
    const bool started = is_film(path) ? state.job.start(what, film) : state.job.start(what, page);
    if (!started) state.messages.add(Severity::note, "busy: wait for the running task, or cancel it");
}

std::filesystem::path export_target(const State& state, const std::string& typed, const std::string& wanted) {
    std::filesystem::path path = typed;
    if (path.empty() || typed.back() == '/')
        path /= state.character().name.empty() ? "character" : state.character().name;
    return path.replace_extension(wanted);
}

}  // namespace sinew::studio
