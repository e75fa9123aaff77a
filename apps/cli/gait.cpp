// SPDX-License-Identifier: MIT
// sinew gait: a walking trial becomes a report.

#include "gait_pictures.h"
#include "motion_options.h"

#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/gait/report.h"
#include "sinew/pipeline/publish.h"

namespace sinew::cli {
namespace {

struct GaitArguments {
    std::filesystem::path trial;
    std::filesystem::path output;
    std::filesystem::path motion;  ///< the same trial, solved
    std::filesystem::path normal;
    io::ReadOptions read;
    gait::GaitOptions gait;
    bool keep_names = false;
    bool no_pictures = false;
    bool ignore_file_events = false;
    bool ignore_platforms = false;
    std::vector<std::string> add_events, remove_events, move_events;
    SolveChoice solve;
    gait::Unmeasured unmeasured = gait::Unmeasured::ghost;
};

/// Pictures are left out, with the reason, where there is no OpenGL.
std::vector<gait::PhasePicture> pictures(Run& run, const GaitArguments& options,
                                         const pipeline::GaitReport& report) {
    if (options.no_pictures) return {};
    const StageTimer timer(run.report, "pictures");
    try {
        Collector quiet;  // what the player of the mean cycle misses was said already
        std::optional<SolvedMotion> solved;
        if (report.motion) solved = SolvedMotion{report.motion->character, report.motion->measured};
        return phase_pictures(report.analysis, solved ? &*solved : nullptr, options.unmeasured, quiet);
    } catch (const Error& error) {
        warn(run.monitor, "gait-pictures", "the report has no pictures: {}", error.what());
        return {};
    }
}

void write(Run& run, const GaitArguments& options, const std::string& name,
           const pipeline::GaitReport& report) {
    const gait::GaitAnalysis& analysis = report.analysis;
    const std::string kind = suffix(options.output);
    if (kind == "json") {
        write_file(options.output, json_text(run.report.extra, 1));
    } else if (kind == "csv") {
        write_file(options.output, gait::to_csv(analysis));
    } else {
        gait::NormalBand normal = gait::published_normal();
        if (!options.normal.empty()) {
            const io::Asset band = load(run, options.normal, options.read);
            if (band.cycle.empty()) fail(options.normal.string(), "holds no gait cycle to take a band from");
            normal = gait::normal_from(
                band.cycle, options.keep_names ? options.normal.filename().string() : "the laboratory");
        }
        const std::vector<gait::PhasePicture> film = pictures(run, options, report);
        const StageTimer timer(run.report, "write");
        const gait::GaitPage page{options.keep_names ? "Gait report: " + name : "Gait report",
                                  !options.keep_names};
        write_file(options.output, gait::gait_page(page, analysis, report.fit(), normal, film));
    }
    run.report.output = options.output.string();
}

/// What the user says about events: removed, moved, added, in this order.
std::vector<gait::EventEdit> event_edits(const GaitArguments& options) {
    using Action = gait::EventEdit::Action;
    std::vector<gait::EventEdit> edits;
    for (const std::string& text : options.remove_events)
        edits.push_back({Action::remove, gait::parse_event(text), 0});
    for (const std::string& text : options.move_events) {
        const std::size_t colon = text.rfind(':');
        double to = 0;
        if (colon == std::string::npos || !parse_exact(std::string_view(text).substr(colon + 1), to))
            fail("", "\"{}\" says no new time: write \"left foot strike@1.24:1.30\"", text);
        edits.push_back({Action::move, gait::parse_event(text.substr(0, colon)), to});
    }
    for (const std::string& text : options.add_events)
        edits.push_back({Action::add, gait::parse_event(text), 0});
    return edits;
}

void execute(GaitArguments& options, Run& run) {
    check_output(run, options.output, {output::pages, "csv json"});
    options.gait.events.use_file = !options.ignore_file_events;
    options.gait.events.use_platforms = !options.ignore_platforms;
    options.gait.edits = event_edits(options);
    io::Asset asset = load(run, options.trial, options.read);
    pipeline::GaitReportOptions how;
    how.gait = options.gait;
    how.anonymous = !options.keep_names;
    how.solve = load_solve_options(run, options.solve, options.read);
    if (!options.motion.empty()) how.motion = load(run, options.motion, options.read).character;
    const std::string name = asset.character.name.empty() ? asset.trial.name : asset.character.name;
    const pipeline::GaitReport report =
        pipeline::gait_report(std::move(asset), options.trial, how, run.monitor);
    run.add_seconds(report.seconds);
    const gait::GaitAnalysis& analysis = report.analysis;
    run.report.extra.update(gait::to_json(analysis));
    if (report.motion && report.motion->fit) report_fit(run, *report.motion->fit, run.report.extra["solve"]);
    write(run, options, name, report);
    run.say("{}, {}; {}", count_of(analysis.events.events.size(), "event"),
            count_of(analysis.cycles.size(), "cycle"),
            analysis.angles.empty() && analysis.frames > 0 ? "no joint angles"
                                                           : "joint angles from " + analysis.angles.source);
    for (const gait::SpatioTemporalRow& row : gait::spatiotemporal_rows()) {
        const auto l = analysis.sides[0].*row.value, r = analysis.sides[1].*row.value;
        if (l || r)
            run.say("  {:<16} left {:>8}  right {:>8}  {}", row.title, l ? fmt::format("{:.3f}", *l) : "-",
                    r ? fmt::format("{:.3f}", *r) : "-", row.unit);
    }
    run.say("wrote {}", options.output.string());
}

void add_event_options(CLI::App& verb, GaitArguments& options) {
    std::map<std::string, gait::EventRule> rules;
    for (const gait::EventRule rule : gait::event_rules()) rules.emplace(gait::name_of(rule), rule);
    verb.add_option(
            "--event-rule", options.gait.events.rule,
            "How events are read off markers: position, foot-velocity, acceleration, landing, combined")
        ->transform(CLI::CheckedTransformer(rules, CLI::ignore_case).description(""));
    verb.add_flag("--ignore-file-events", options.ignore_file_events, "Do not trust the events in the file");
    verb.add_flag("--ignore-platforms", options.ignore_platforms, "Do not look at force platforms");
    verb.add_option("--event", options.add_events,
                    "Add an event: \"left foot strike@1.24\" or \"right foot off@1.9\"")
        ->type_name("EVENT@SECONDS")
        ->allow_extra_args(false);
    verb.add_option("--remove-event", options.remove_events, "Remove the event that is nearest to the time")
        ->type_name("EVENT@SECONDS")
        ->allow_extra_args(false);
    verb.add_option(
            "--move-event", options.move_events,
            "Move the event that is nearest to the first time to the second: \"left foot off@1.9:1.94\"")
        ->type_name("EVENT@FROM:TO")
        ->allow_extra_args(false);
    verb.add_option("--force-threshold", options.gait.events.force_threshold, "Newtons that are a contact")
        ->check(CLI::PositiveNumber);
}

}  // namespace

void add_gait(Program& program) {
    auto options = std::make_shared<GaitArguments>();
    CLI::App& verb =
        program.verb("gait", "Events, cycles, joint angles and times of a walking trial, as a report",
                     "  sinew gait trial.c3d -o report.html\n"
                     "  sinew gait trial.c3d -o curves.csv\n"
                     "  sinew gait walk.bvh -o report.html --normal adults.gcd\n"
                     "  sinew gait trial.c3d -o report.html --event \"left foot strike@1.24\" --remove-event "
                     "\"right foot off@0.8\"",
                     [options](Run& run) { execute(*options, run); });
    verb.add_option("trial", options->trial, "Trial (c3d, trc), motion (bvh, amc) or gait cycle (gcd)")
        ->required()
        ->type_name("TRIAL");
    verb.add_option("-o,--output", options->output, "html, csv or json")->required()->type_name("REPORT");
    verb.add_option("--motion", options->motion,
                    "The trial as a motion solved elsewhere, instead of solving its markers")
        ->type_name("MOTION");
    verb.add_option("--normal", options->normal, "Gait cycle whose mean and deviation are the normal band")
        ->type_name("GCD");
    verb.add_flag("--keep-names", options->keep_names,
                  "Do not take names, dates and paths out of the report");
    verb.add_flag("--no-pictures", options->no_pictures, "Leave the pictures out");
    static const std::map<std::string, gait::AngleSource> sources = {{"auto", gait::AngleSource::automatic},
                                                                     {"file", gait::AngleSource::file},
                                                                     {"solved", gait::AngleSource::solved}};
    verb.add_option("--angles", options->gait.angles,
                    "Joint angles: those that the file stores, or the solved markers")
        ->transform(CLI::CheckedTransformer(sources).description("auto|file|solved"));
    add_unmeasured_option(verb, options->unmeasured);
    add_solve_options(verb, options->solve, false);
    add_event_options(verb, *options);
    add_read_options(verb, options->read);
}

}  // namespace sinew::cli
