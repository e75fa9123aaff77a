// SPDX-License-Identifier: MIT
// sinew collide: which triangles of two bodies, or of one body with itself, are in contact, frame by frame.

#include <chrono>
#include <memory>

#include "collide_between.h"
#include "picture.h"

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/collide/query.h"
#include "sinew/render/figures.h"

namespace sinew::cli {
namespace {

using collide::Body;
using collide::Contact;
using math::Vec3d;

struct CollideArguments {
    std::filesystem::path first;
    std::filesystem::path second;  ///< empty: the first body with itself
    std::filesystem::path output;
    io::ReadOptions read;
    Instant instant;
    std::string method = "lbs";
    std::string refit = "on-demand";
    std::string between;  ///< empty: at the frames only
    std::vector<double> move{0, 0, 0};
    std::optional<double> tolerance;
    std::size_t budget = 0;  ///< of sphere tests; 0: no limit
    bool first_only = false;
    bool levels = false;
    bool methods = false;
    render::ContactPictureOptions picture;
};

std::vector<double> times_of(const CollideArguments& options, const model::Clip* clip) {
    if (options.instant.given() || clip == nullptr) return {seconds_of(options.instant, clip)};
    std::vector<double> times(model::frame_count(*clip));
    for (std::size_t f = 0; f < times.size(); ++f) times[f] = model::frame_time(*clip, f);
    return times;
}

struct FrameResult {
    std::vector<Contact> contacts;
    std::optional<collide::BudgetedContacts> timed;  ///< with --budget
    std::size_t count = 0;                           ///< of contacts; 0 or 1 with --first
    collide::QueryCounts counts;
    double seconds = 0;
};

/// A query of one frame; with `b` null, the contacts of the body with itself.
FrameResult query(Body& a, Body* b, const CollideArguments& options, collide::QueryScratch& scratch,
                  collide::TouchMemory& memory) {
    FrameResult result;
    scratch.counts() = {};
    const auto start = std::chrono::steady_clock::now();
    if (options.refit == "bottom-up") {
        a.refit_bottom_up(scratch);
        if (b != nullptr) b->refit_bottom_up(scratch);
    }
    if (options.first_only) {
        result.count = collide::touching(a, *b, scratch, memory, options.tolerance.value_or(0));
    } else if (options.budget > 0) {
        collide::find_contacts_budgeted(a, *b, {.sphere_tests = options.budget}, result.timed.emplace(),
                                        scratch);
        result.contacts = result.timed->contacts;
        result.count = result.contacts.size();
    } else {
        result.contacts = contacts_of(a, b, scratch, options.tolerance.value_or(0));
        result.count = result.contacts.size();
    }
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    result.counts = scratch.counts();
    return result;
}

Json row_of(std::size_t frame, double time, const FrameResult& result) {
    Json row = {{"frame", frame},
                {"time", time},
                {"contacts", result.count},
                {"sphere_tests", result.counts.sphere_tests},
                {"refits", result.counts.refits},
                {"reused", result.counts.reused},
                {"vertices", result.counts.vertices},
                {"triangle_tests", result.counts.triangle_tests},
                {"seconds", result.seconds}};
    if (!result.timed) return row;
    row["complete"] = result.timed->complete();
    row["open_pairs"] = result.timed->open.size();
    row["precision"] = result.timed->precision;
    row["deepest"] = result.timed->deepest;
    row["distance"] = {result.timed->nearest_min, result.timed->nearest_max};
    return row;
}

/// The progress that a budget allowed.
void say_budget(Run& run, std::span<const FrameResult> frames) {
    std::size_t complete = 0, unsure = 0;
    double precision = 0;
    for (const FrameResult& frame : frames) {
        complete += frame.timed->complete();
        unsure += frame.contacts.empty() && !frame.timed->complete();
        precision = std::max(precision, frame.timed->precision);
    }
    run.say(
        "{} of {} searched completely, {} may be in contact; untested spheres have a radius of {:.4g} at "
        "most",
        complete, count_of(frames.size(), "frame"), unsure, precision);
}

std::string csv_of(std::span<const FrameResult> frames) {
    std::string text = "frame,triangle_a,triangle_b\n";
    for (std::size_t f = 0; f < frames.size(); ++f) {
        for (const Contact& c : frames[f].contacts) text += fmt::format("{},{},{}\n", f, c.a, c.b);
    }
    return text;
}

std::string json_of(std::span<const FrameResult> frames) {
    Json all = Json::array();
    for (const FrameResult& frame : frames) {
        Json pairs = Json::array();
        for (const Contact& c : frame.contacts) pairs.push_back({c.a, c.b});
        all.push_back(pairs);
    }
    return json_text({{"contacts", all}}, -1) + "\n";
}

/// Small square panels.
render::ContactPictureOptions panel_options(const CollideArguments& options) {
    render::ContactPictureOptions settings = options.picture;
    settings.render.width = settings.render.height = 640;
    settings.render.ground = false;
    return settings;
}

void write_output(const CollideArguments& options, Run& run, Body& a, Body* b,
                  std::span<const FrameResult> frames) {
    if (options.output.empty()) return;
    const std::string kind = suffix(options.output);
    if (kind == "csv") {
        write_file(options.output, csv_of(frames));
    } else if (kind == "json") {
        write_file(options.output, json_of(frames));
    } else {
        render::Renderer renderer;
        const render::ContactScene scene = render::contact_scene(a, b, frames.back().contacts);
        render::save_png(options.output, render::contact_picture(renderer, scene, panel_options(options)));
    }
    run.report.output = options.output.string();
    run.say("wrote {}", options.output.string());
}

/// Spheres at rest, then under each blending method at a time, each after its own query.
void save_methods(const CollideArguments& options, Run& run, const CollideSide& a, const CollideSide* b,
                  double time) {
    std::vector<std::unique_ptr<PlayedSide>> bodies;
    std::vector<render::SpherePanel> panels;
    const auto add = [&](std::string caption, deform::Method method, bool posed) {
        render::SpherePanel& panel = panels.emplace_back();
        panel.caption = std::move(caption);
        for (const CollideSide* side : {&a, b}) {
            if (side == nullptr) continue;
            PlayedSide& played = *bodies.emplace_back(std::make_unique<PlayedSide>(*side, method));
            panel.bodies.push_back(&played.body());
            if (posed) played.pose(time);
        }
        if (!posed) return;
        collide::QueryScratch scratch;
        collide::TouchMemory memory;
        query(*panel.bodies[0], b == nullptr ? nullptr : panel.bodies[1], options, scratch, memory);
    };
    add("at rest", deform::Method::lbs, false);
    for (const char* name : {"lbs", "sbs", "dqs"})
        add(fmt::format("{}: refitted blue, untouched red", name), deform::parse_method(name), true);
    render::Renderer renderer;
    render::save_png(options.output, render::sphere_sheet(renderer, panels, panel_options(options)));
    run.report.output = options.output.string();
    run.say("wrote {}", options.output.string());
}

/// Average radius by level: at rest, on demand, bottom-up, and the best possible.
void report_levels(Run& run, const CollideSide& side, double time, deform::Method method) {
    Json rows = Json::array();
    run.say("{:>5} {:>8} {:>10} {:>10} {:>10} {:>10} {:>7}", "level", "spheres", "rest", "on demand",
            "bottom-up", "best", "ratio");
    const auto levels = collide::level_radii(side.tree, side.palette(time), method);
    for (std::size_t l = 0; l < levels.size(); ++l) {
        const collide::LevelRadii& row = levels[l];
        run.say("{:>5} {:>8} {:>10.5f} {:>10.5f} {:>10.5f} {:>10.5f} {:>7.3f}", l + 1, row.nodes, row.rest,
                row.on_demand, row.bottom_up, row.best, row.ratio());
        rows.push_back({{"level", l + 1},
                        {"spheres", row.nodes},
                        {"unbounded", row.unbounded},
                        {"rest", row.rest},
                        {"on_demand", row.on_demand},
                        {"bottom_up", row.bottom_up},
                        {"best", row.best}});
    }
    run.report.extra["levels"] = rows;
}

/// Statistics of the tree of the first body.
void report_tree(Run& run, const collide::SphereTree& tree) {
    const collide::BuildStatistics& made = tree.statistics();
    run.report.extra["tree"] = {{"spheres", made.nodes},
                                {"leaves", made.leaves},
                                {"depth", made.depth},
                                {"max_children", made.max_children},
                                {"records", made.set_bounds},
                                {"binary_spheres", made.binary_nodes},
                                {"binary_depth", made.binary_depth},
                                {"bytes", tree.memory()},
                                {"radius_by_level", made.radius_by_level}};
}

void report_method(Run& run, const CollideArguments& options, const CollideSide& a, const CollideSide& b) {
    run.report.extra["spheres"] = a.tree.node_count() + b.tree.node_count();
    run.report.extra["method"] = options.method;
    run.report.extra["refit"] = options.refit;
}

void execute(const CollideArguments& options, Run& run) {
    check_output(run, options.output, {options.methods ? "png" : "csv json png"});
    if (options.methods && options.output.empty()) fail("", "--methods draws a picture: -o FILE.png");
    const deform::Method method = deform::parse_method(options.method);
    const bool self = options.second.empty();
    if (self && (options.first_only || options.tolerance || !options.between.empty()))
        fail("", "--first, --tolerance and --between need two bodies");
    if (options.budget > 0 && (self || options.first_only || options.tolerance || !options.between.empty()))
        fail("", "--budget is for the contacts of two bodies, without --first, --tolerance and --between");
    if (!options.between.empty() && !options.output.empty())
        fail("", "--between reports a time and a pair of triangles: -o is not used");
    const CollideSide a = load_side(run, options.first, options.read, options.instant.clip);
    CollideSide b;
    if (!self) b = load_side(run, options.second, options.read, "");
    b.offset = Vec3d(options.move[0], options.move[1], options.move[2]);

    const std::vector<double> times = times_of(options, a.clip);
    if (!options.between.empty()) {
        report_method(run, options, a, b);
        return report_first_touch(run, a, b, times,
                                  {options.between == "screws", method, options.tolerance.value_or(1e-4)});
    }
    PlayedSide played_a(a, method);
    std::optional<PlayedSide> played_b;
    if (!self) played_b.emplace(b, method);
    Body& body_a = played_a.body();
    Body* const body_b = self ? nullptr : &played_b->body();
    collide::QueryScratch scratch;
    collide::TouchMemory memory;
    std::vector<FrameResult> frames;
    Json rows = Json::array();
    std::size_t frames_touching = 0;
    {
        const StageTimer timer(run.report, "collide");
        for (std::size_t f = 0; f < times.size(); ++f) {
            played_a.pose(times[f]);
            if (played_b) played_b->pose(times[f]);
            frames.push_back(query(body_a, body_b, options, scratch, memory));
            rows.push_back(row_of(options.instant.frame.value_or(f), times[f], frames.back()));
            frames_touching += frames.back().count > 0;
            step(run.monitor, "colliding", static_cast<double>(f + 1) / static_cast<double>(times.size()));
        }
    }
    run.report.extra["frames"] = rows.size();
    run.report.extra["frame_list"] = rows;
    report_method(run, options, a, b);
    run.say("contact in {} of {} (sphere trees of {} in all)", frames_touching,
            count_of(times.size(), "frame"), count_of(a.tree.node_count() + b.tree.node_count(), "sphere"));
    if (times.size() == 1)
        run.say("{}, {}, {}", count_of(frames[0].count, "contact"),
                count_of(frames[0].counts.sphere_tests, "sphere test"),
                count_of(frames[0].counts.refits, "refit"));
    if (options.budget > 0) say_budget(run, frames);
    if (options.levels) report_levels(run, a, times.back(), method);
    report_tree(run, a.tree);
    if (options.methods) return save_methods(options, run, a, self ? nullptr : &b, times.back());
    write_output(options, run, body_a, body_b, frames);
}

}  // namespace

void add_collide(Program& program) {
    auto options = std::make_shared<CollideArguments>();
    CLI::App& verb = program.verb(
        "collide", "Find intersecting triangles of two bodies, or of one body with itself, in every frame",
        "  sinew collide walk.glb cat.glb --move 0.3,0,0 -o contacts.csv --report contacts.json\n"
        "  sinew collide walk.glb chair.obj --first --method dqs\n"
        "  sinew collide walk.glb cat.glb --frame 10 -o contacts.png --level 4\n"
        "  sinew collide walk.glb cat.glb --frame 10 -o methods.png --methods --level 3\n"
        "  sinew collide walk.glb door.glb --between screws      (when do they first touch?)\n"
        "  sinew collide hand.glb -o self.csv      (with itself)",
        [options](Run& run) { execute(*options, run); });
    verb.add_option("first", options->first, "A body: a rigged character, or a mesh")
        ->required()
        ->type_name("A");
    verb.add_option("second", options->second, "The other body; without it A is tested with itself")
        ->type_name("B");
    verb.add_option("-o,--output", options->output,
                    "Contacts as .csv or .json; .png draws those of the last frame")
        ->type_name("OUT");
    add_read_options(verb, options->read);
    add_instant_options(verb, options->instant);
    verb.add_option("--method", options->method, "How the skin follows the joints")
        ->check(CLI::IsMember({"lbs", "sbs", "dqs"}));
    verb.add_option("--refit", options->refit,
                    "Refit bounding spheres during the search, or all of them first")
        ->check(CLI::IsMember({"on-demand", "bottom-up"}));
    add_move_option(verb, options->move);
    verb.add_option("--tolerance", options->tolerance,
                    "Largest distance that counts as contact (0; with --between 0.0001)")
        ->check(CLI::NonNegativeNumber);
    verb.add_option("--between", options->between,
                    "Find the time of first contact between frames, interpolating vertices linearly "
                    "(straight) or joints along screw motions")
        ->check(CLI::IsMember({"straight", "screws"}));
    verb.add_flag("--first", options->first_only, "Stop at the first contact of each frame (faster)");
    verb.add_option(
            "--budget", options->budget,
            "Sphere tests per frame, about; then only certain contacts are listed, with bounds in the report")
        ->check(CLI::PositiveNumber);
    verb.add_flag("--levels", options->levels, "Print the mean sphere radius of each level");
    verb.add_flag("--methods", options->methods,
                  "Draw the spheres at rest and under each skinning method, side by side");
    verb.add_option("--level", options->picture.level, "Level of the spheres in a picture")
        ->check(CLI::NonNegativeNumber);
    add_camera_option(verb, options->picture.render.view);
}

}  // namespace sinew::cli
