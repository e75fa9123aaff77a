// SPDX-License-Identifier: MIT
#include "options.h"

#include <sstream>

#include "actions.h"
#include "shared/asset_options.h"
#include "shared/help.h"
#include "shared/plain_error.h"
#include "ui_script.h"
#include "view_names.h"
#include <CLI/CLI.hpp>

#include "sinew/base/error.h"
#include "sinew/base/file.h"

namespace sinew::studio {
namespace {

template <class Value>
void add_choice(CLI::App& app, const std::string& name, Value& value, const std::string& help,
                const Names<Value>& names) {
    app.add_option(name, value, help)
        ->transform(CLI::CheckedTransformer(names, CLI::ignore_case).description(""));
}

void add_view_options(CLI::App& app, Options& options) {
    ViewSettings& view = options.view;
    add_choice(app, "--show", view.mode, "points, wire, solid or edges (solid with wire)",
               render_mode_names());
    add_choice(app, "--skeleton", view.skeleton, "hidden, over the mesh, or inside it",
               skeleton_mode_names());
    add_choice(app, "--colour", view.coloring, "materials, clay, parts, weights or joint-weights",
               coloring_names());
    app.add_flag("--transparent", view.transparent, "Draw the mesh transparent");
    app.add_flag("--boxes", view.all_boxes, "Show the boxes of all parts");
    app.add_flag("--names", view.names, "Show the names of the joints");
}

void add_run_options(CLI::App& app, Options& options) {
    constexpr const char* group = "Automation";
    app.add_option("--width", options.width, "Width of the window in pixels")->check(CLI::Range(640, 7680));
    app.add_option("--height", options.height, "Height of the window in pixels")
        ->check(CLI::Range(400, 4320));
    app.add_option("--screenshot", options.screenshot,
                   "Write a picture of the window and quit; needs no display")
        ->type_name("FILE.png")
        ->group(group);
    app.add_option("--frames", options.frames, "Quit after this many frames")
        ->check(CLI::Range(1, 1000000))
        ->group(group);
    app.add_option("--script", options.script,
                   "Run the steps of a file, one per line:\n" + std::string(script_help()))
        ->type_name("FILE")
        ->group(group);
    app.add_option("--recovery", options.recovery,
                   "Folder for copies of unsaved work, which are offered after a crash")
        ->type_name("FOLDER")
        ->group(group);
}

void set_up(CLI::App& app, Options& options, const std::string& version) {
    app.formatter(sinew::app::help_formatter());
    app.set_version_flag("--version", "sinew-studio " + version);
    app.footer(
        "Examples:\n"
        "  sinew-studio character.glb                      open it; drop more files on the window\n"
        "  sinew-studio character.glb walk.bvh             a character, then a motion for it\n"
        "  sinew-studio --sample man --play\n"
        "  sinew-studio scan.obj --rig --skeleton-method principal-axis --skeleton inside --transparent\n"
        "  sinew-studio character.glb --screenshot window.png\n"
        "Help > Keys and mouse in the window lists all shortcuts.");
    app.add_option("files", options.files, "What to open: characters, meshes, motions, trials, sequences")
        ->type_name("FILE...");
    app.add_option("--sample", options.sample,
                   "Open a built-in character: man, horse, cat, ostrich, hand, tube");
    app.add_flag("--play", options.play, "Start playing");
    app.add_option("--clip", options.clip, "Clip by name or number")->type_name("CLIP");
    app.add_option("--frame", options.frame, "First frame to show");
    add_view_options(app, options);
    app::add_method_option(app, options.method);
    app.add_flag("--close-gaps", options.close_gaps, "Rigid parts with closed gaps at the joints");
    app.add_flag("--rig", options.rig, "Find a skeleton with the options below");
    app.add_flag("--no-bind", options.no_bind, "Do not bind the skin to it");
    app::add_skeleton_options(app, options.skeleton, "--skeleton-method");
    app::add_bind_options(app, options.bind, "--bind-method");
    app::add_read_options(app, options.read, false);
    add_run_options(app, options);
}

void choose_named_clip(State& state, const std::string& name) {
    const model::Clip* clip = model::find_clip(state.character(), name);
    if (clip == nullptr) fail("", "--clip {}: there are no clips", name);
    choose_clip(state, static_cast<int>(clip - state.character().clips.data()));
}

}  // namespace

Parsed parse_options(int argc, char** argv, const std::string& version) {
    Parsed parsed;
    CLI::App app("Sinew Studio shows characters and motions, finds skeletons and binds skins.",
                 "sinew-studio");
    set_up(app, parsed.options, version);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) {
            parsed.exit_code = app.exit(error);  // help and version
        } else {
            fmt::print(stderr, "sinew-studio: error: {}\n`sinew-studio --help` lists the options.\n",
                       sinew::app::plain_error(app, error.what()));
            parsed.exit_code = 2;
        }
    }
    return parsed;
}

void start(const Options& options, State& state, UiScript& script) {
    state.view = options.view;
    state.skin = {options.close_gaps ? deform::Method::rigid : options.method, options.close_gaps};
    state.skeleton_choice = options.skeleton;
    state.bind = options.bind;
    state.bind_after = !options.no_bind;
    state.read = options.read;
    if (!options.sample.empty()) script.add_line("sample " + options.sample);
    for (const std::filesystem::path& file : options.files) script.add_line("open " + file.string());
    if (options.rig) {
        script.then([](State& s) { find_skeleton(s); });
        script.wait_for_job();
    }
    if (!options.clip.empty()) script.then([name = options.clip](State& s) { choose_named_clip(s, name); });
    if (options.frame >= 0) script.then([frame = options.frame](State& s) { seek_frame(s.timeline, frame); });
    if (options.play) script.then([](State& s) { s.timeline.playing = !s.timeline.empty(); });
    if (options.script.empty()) return;
    const FileView file(options.script);
    std::istringstream text{std::string(file.text())};
    for (std::string line; std::getline(text, line);) script.add_line(line);
}

}  // namespace sinew::studio
