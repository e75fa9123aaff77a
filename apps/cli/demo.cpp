// SPDX-License-Identifier: MIT
// sinew demo: the main job on the built-in character and walk.

#include "picture.h"
#include "publish.h"

#include "sinew/sample/samples.h"

namespace sinew::cli {
namespace {

void execute(const std::filesystem::path& folder, Run& run) {
    check_output(run, folder, {output::folder});
    std::filesystem::create_directories(folder);
    io::Asset asset;
    {
        const StageTimer timer(run.report, "make");
        step(run.monitor, "making the man", 0);
        asset.character = sample::make("man");
    }
    Json files = Json::array();
    const auto done = [&](const std::filesystem::path& file, std::string_view what) {
        files.push_back(file.string());
        run.say("wrote {:<20} {}", file.string(), what);
    };
    const std::filesystem::path model = folder / "walk.glb", picture = folder / "walk.png",
                                film = folder / "walk.mp4";
    save(run, model, asset);
    done(model, "the man and his walk, as glTF 2.0: for Blender, three.js, game engines");

    const std::filesystem::path page = folder / "walk.html";
    if (can_publish()) {
        pipeline::PublishOptions about;
        about.title = "A man walks";
        about.source = "walk.glb";
        write_page(run, asset, about, page);
        files.push_back(page.string());
    } else {
        run.say("no page: build with node and npm to get {}", page.string());
    }

    PictureOptions options;
    Instant instant;
    instant.clip = "walk";
    instant.time = 1.0;
    write_picture(run, asset, instant, deform::Method::dqs, options, picture);
    done(picture, "a picture");
    if (render::has_ffmpeg()) {
        options.size = "960x540";
        options.render.film_camera = render::FilmCamera::follow;
        write_picture(run, asset, {"walk", {}, {}}, deform::Method::dqs, options, film);
        done(film, "a film");
    } else {
        run.say("no film: install ffmpeg to get {}", film.string());
    }
    run.report.output = folder.string();
    run.report.extra["files"] = files;
}

}  // namespace

void add_demo(Program& program) {
    auto folder = std::make_shared<std::filesystem::path>(".");
    CLI::App& verb =
        program.verb("demo", "Make the built-in man walk: writes walk.glb, walk.html, walk.png and walk.mp4",
                     "  sinew demo -o out", [folder](Run& run) { execute(*folder, run); });
    verb.add_option("-o,--output", *folder, "Folder to write to")->type_name("DIR");
}

}  // namespace sinew::cli
