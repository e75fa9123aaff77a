// SPDX-License-Identifier: MIT
// sinew gait: a walking trial becomes a report.

#include "gait_pictures.h"
#include "motion_options.h"

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/text.h"
#include "sinew/gait/report.h"
#include "sinew/pipeline/publish.h"

namespace sinew::cli {
namespace {

struct GaitArguments {
    std::vector<std::filesystem::path> trials;
    std::vector<std::filesystem::path> compared;  ///< other trials, drawn with these for comparison
    std::filesystem::path output;
    std::filesystem::path motion;  ///< the same trial, solved
    std::filesystem::path normal;
    std::string norm_source;
    bool make_norm = false;
    std::vector<std::string> measures, skip_cycles;
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

/// Pictures are omitted, with the reason, without OpenGL.
std::vector<gait::PhasePicture> pictures(Run& run, const GaitArguments& options,
                                         const pipeline::GaitReport& report) {
    if (options.no_pictures) return {};
    const StageTimer timer(run.report, "pictures");
    try {
        Collector quiet;  // what the player of the mean cycle lacks was reported before
        std::optional<SolvedMotion> solved;
        if (report.motion) solved = SolvedMotion{report.motion->character, report.motion->measured};
        return phase_pictures(report.analysis, solved ? &*solved : nullptr, options.unmeasured, quiet);
    } catch (const Error& error) {
        warn(run.monitor, "gait-pictures", "the report has no pictures: {}", error.what());
        return {};
    }
}

/// The table or the gait cycle that the user names, else the published reference band.
gait::NormalBand normal_band(Run& run, const GaitArguments& options, const gait::BodyMeasures& subject) {
    if (options.normal.empty()) return gait::published_normal(subject);
    const std::string name = options.keep_names ? options.normal.filename().string() : "the laboratory";
    if (suffix(options.normal) == "csv") {
        run.report.inputs.push_back(options.normal.string());
        return gait::parse_norm(FileView(options.normal).text(), options.normal.string());
    }
    const io::Asset band = load(run, options.normal, options.read);
    if (band.cycle.empty()) fail(options.normal.string(), "holds no gait cycle to use as norm data");
    return gait::normal_from(band.cycle, name);
}

/// The analysed trials of one subject, the first in full, and the trials for comparison.
struct Analysed {
    pipeline::GaitReport first;
    gait::GaitAnalysis analysis;
    std::optional<gait::GaitAnalysis> compared;
    std::string name;
};

void write(Run& run, const GaitArguments& options, const Analysed& made) {
    const std::string kind = suffix(options.output);
    if (kind == "csv") {
        const gait::GaitScores scores =
            gait::score(made.analysis, normal_band(run, options, made.analysis.measures));
        write_file(options.output, gait::to_csv(made.analysis, &scores));
    } else if (kind == "mot") {
        write_file(options.output, gait::to_mot(made.analysis));
    } else if (kind == "c3d" || kind == "trc") {
        io::Asset asset;
        asset.trial = kind == "c3d" ? gait::with_results(made.first.trial, made.analysis)
                                    : gait::with_axes_of_mot(made.first.trial);
        save(run, options.output, asset, {});
    } else {
        gait::GaitPage page;
        if (options.keep_names) page.title = "Gait report: " + made.name;
        page.anonymous = !options.keep_names;
        page.fit = made.first.fit();
        page.normal = normal_band(run, options, made.analysis.measures);
        page.compared = made.compared ? &*made.compared : nullptr;
        run.report.extra["scores"] = gait::to_json(gait::score(made.analysis, page.normal));
        if (made.compared)
            run.report.extra["compared_scores"] = gait::to_json(gait::score(*made.compared, page.normal));
        if (kind == "svg") {
            write_file(options.output, gait::gait_svg(page, made.analysis));
        } else if (kind == "json") {
            write_file(options.output, json_text(run.report.extra, 1));
        } else {
            page.pictures = pictures(run, options, made.first);
            const StageTimer timer(run.report, "write");
            write_file(options.output, gait::gait_page(page, made.analysis));
        }
    }
    run.report.output = options.output.string();
}

/// The user's changes of events: removed, moved, added, in this order.
std::vector<gait::EventEdit> event_edits(const GaitArguments& options) {
    using Action = gait::EventEdit::Action;
    std::vector<gait::EventEdit> edits;
    for (const std::string& text : options.remove_events)
        edits.push_back({Action::remove, gait::parse_event(text), 0});
    for (const std::string& text : options.move_events) {
        const std::size_t colon = text.rfind(':');
        double to = 0;
        if (colon == std::string::npos || !parse_exact(std::string_view(text).substr(colon + 1), to))
            fail("", "\"{}\" has no new time: write \"left foot strike@1.24:1.30\"", text);
        edits.push_back({Action::move, gait::parse_event(text.substr(0, colon)), to});
    }
    for (const std::string& text : options.add_events)
        edits.push_back({Action::add, gait::parse_event(text), 0});
    return edits;
}

/// Reads "left@1.69".
gait::CycleChoice parse_cycle(const std::string& text) {
    gait::CycleChoice choice;
    const std::size_t mark = text.find('@');
    const std::string side = text.substr(0, mark);
    choice.side = side == "left"    ? model::Side::left
                  : side == "right" ? model::Side::right
                                    : model::Side::none;
    if (mark == std::string::npos || choice.side == model::Side::none ||
        !parse_exact(std::string_view(text).substr(mark + 1), choice.start))
        fail("", "\"{}\" is not a cycle: write left@1.69 or right@1.14, the time at which it begins", text);
    return choice;
}

pipeline::GaitReport analyse(Run& run, const GaitArguments& options, const std::filesystem::path& path,
                             std::string& name) {
    io::Asset asset = load(run, path, options.read);
    pipeline::GaitReportOptions how;
    how.gait = options.gait;
    how.anonymous = !options.keep_names;
    how.solve = load_solve_options(run, options.solve, options.read);
    if (!options.motion.empty()) how.motion = load(run, options.motion, options.read).character;
    name = asset.character.name.empty() ? asset.trial.name : asset.character.name;
    pipeline::GaitReport report = pipeline::gait_report(std::move(asset), path, how, run.monitor);
    run.add_seconds(report.seconds);
    return report;
}

std::vector<gait::GaitAnalysis> analyse_all(Run& run, const GaitArguments& options,
                                            const std::vector<std::filesystem::path>& paths, Analysed* made) {
    std::vector<gait::GaitAnalysis> all;
    for (std::size_t i = 0; i < paths.size(); ++i) {
        std::string name;
        pipeline::GaitReport report = analyse(run, options, paths[i], name);
        all.push_back(report.analysis);
        if (made == nullptr || i > 0) continue;
        made->name = name;
        made->first = std::move(report);
    }
    return all;
}

void tell_values(const Run& run, const gait::GaitAnalysis& analysis) {
    run.say("{}, {}; {}", count_of(analysis.events.events.size(), "event"),
            count_of(analysis.cycles.size(), "cycle"),
            analysis.traces.empty() && analysis.frames > 0 ? "no joint angles"
                                                           : "joint angles from " + analysis.traces.source);
    for (const gait::SpatioTemporalRow& row : gait::spatiotemporal_rows()) {
        const auto l = analysis.sides[0].*row.value, r = analysis.sides[1].*row.value;
        if (l || r)
            run.say("  {:<20} left {:>8}  right {:>8}  {}", row.title, l ? fmt::format("{:.3f}", *l) : "-",
                    r ? fmt::format("{:.3f}", *r) : "-", row.unit == "1" ? "" : row.unit);
    }
}

void execute(GaitArguments& options, Run& run) {
    if (options.make_norm) {
        check_output(run, options.output, {"csv"});
        const std::vector<gait::GaitAnalysis> controls = analyse_all(run, options, options.trials, nullptr);
        const gait::NormalBand norm = gait::make_norm(controls, options.norm_source);
        write_file(options.output, gait::to_csv(norm));
        run.report.output = options.output.string();
        run.report.extra["source"] = norm.citation;
        run.say("{}\nwrote {}", norm.citation, options.output.string());
        return;
    }
    check_output(run, options.output, {output::pages, "csv json svg c3d mot trc"});
    options.gait.events.use_file = !options.ignore_file_events;
    options.gait.events.use_platforms = !options.ignore_platforms;
    options.gait.edits = event_edits(options);
    for (const std::string& text : options.measures) gait::set_measure(options.gait.measures, text);
    for (const std::string& text : options.skip_cycles) options.gait.skip.push_back(parse_cycle(text));
    const std::string kind = suffix(options.output);
    if (options.trials.size() > 1 && (kind == "c3d" || kind == "mot" || kind == "trc"))
        fail(options.output.string(), "holds one trial: name one");
    Analysed made;
    std::vector<gait::GaitAnalysis> all = analyse_all(run, options, options.trials, &made);
    const bool several = all.size() > 1;
    made.analysis = several ? gait::combine(std::move(all)) : std::move(all.front());
    // Those of single trials were reported before.
    for (const std::string& note : made.analysis.notes)
        if (several && !note.starts_with("trial ")) warn(run.monitor, "gait-incomplete", "{}", note);
    if (!options.compared.empty())
        made.compared = gait::combine(analyse_all(run, options, options.compared, nullptr));
    run.report.extra.update(gait::to_json(made.analysis));
    if (made.compared) run.report.extra["compared"] = gait::to_json(*made.compared);
    if (made.first.motion && made.first.motion->fit)
        report_fit(run, *made.first.motion->fit, run.report.extra["solve"]);
    write(run, options, made);
    tell_values(run, made.analysis);
    run.say("wrote {}", options.output.string());
}

void add_event_options(CLI::App& verb, GaitArguments& options) {
    std::map<std::string, gait::EventRule> rules;
    for (const gait::EventRule rule : gait::event_rules()) rules.emplace(gait::name_of(rule), rule);
    verb.add_option(
            "--event-rule", options.gait.events.rule,
            "How events are detected from markers: position, foot-velocity, acceleration, landing, combined")
        ->transform(CLI::CheckedTransformer(rules, CLI::ignore_case).description(""));
    verb.add_flag("--ignore-file-events", options.ignore_file_events, "Ignore the events in the file");
    verb.add_flag("--ignore-platforms", options.ignore_platforms, "Ignore force platforms");
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
    verb.add_option("--force-threshold", options.gait.events.force_threshold,
                    "Force in newtons that counts as contact")
        ->check(CLI::PositiveNumber);
}

}  // namespace

void add_gait(Program& program) {
    auto options = std::make_shared<GaitArguments>();
    CLI::App& verb = program.verb(
        "gait", "Gait report of walking trials: events, cycles, joint angles, moments and parameters",
        "  sinew gait trial.c3d -o report.html\n"
        "  sinew gait a.c3d b.c3d c.c3d -o report.html          (all cycles averaged)\n"
        "  sinew gait after1.c3d after2.c3d --compare before.c3d -o report.html\n"
        "  sinew gait trial.c3d -o curves.csv\n"
        "  sinew gait trial.c3d --angles solved --model cgm --static static.c3d -o report.html\n"
        "  sinew gait --make-norm controls/*.c3d -o adults.csv --source \"adults, 20 to 40 years\"\n"
        "  sinew gait trial.c3d -o report.html --norm adults.csv\n"
        "  sinew gait trial.c3d -o with_results.c3d             (events, angles and moments in the file)\n"
        "  sinew gait trial.c3d -o report.html --event \"left foot strike@1.24\" --remove-event "
        "\"right foot off@0.8\"",
        [options](Run& run) { execute(*options, run); });
    verb.add_option("trials", options->trials,
                    "Trials (c3d, trc, mot), motions (bvh, amc) or gait cycles (gcd) of one subject")
        ->required()
        ->type_name("TRIAL");
    verb.add_option(
            "-o,--output", options->output,
            "html, svg, csv or json; c3d with results; mot of forces, trc of markers in the axes of the mot")
        ->required()
        ->type_name("REPORT");
    verb.add_option("--compare", options->compared,
                    "Trials to compare with, such as those before a treatment; drawn dashed")
        ->type_name("TRIAL");
    verb.add_option("--motion", options->motion,
                    "Use this motion, solved by another program, instead of solving the markers")
        ->type_name("MOTION");
    verb.add_option("--norm,--normal", options->normal,
                    "Norm data: a table of --make-norm, or a gait cycle (gcd) with mean and deviation")
        ->type_name("CSV|GCD");
    verb.add_flag("--make-norm", options->make_norm,
                  "Write norm data (csv) of the trials, which are controls");
    verb.add_option("--source", options->norm_source,
                    "Description of the controls of --make-norm, cited in reports");
    verb.add_flag("--keep-names", options->keep_names, "Keep names, dates and paths in the report");
    verb.add_flag("--no-pictures", options->no_pictures, "Leave out the pictures");
    static const std::map<std::string, gait::AngleSource> sources = {{"auto", gait::AngleSource::automatic},
                                                                     {"file", gait::AngleSource::file},
                                                                     {"solved", gait::AngleSource::solved}};
    verb.add_option("--angles", options->gait.angles,
                    "Joint angles stored in the file, or computed from the markers")
        ->transform(CLI::CheckedTransformer(sources).description("auto|file|solved"));
    static const std::map<std::string, gait::AngleModel> models = {{"auto", gait::AngleModel::automatic},
                                                                   {"cgm", gait::AngleModel::conventional},
                                                                   {"fit", gait::AngleModel::fit}};
    verb.add_option("--model", options->gait.model,
                    "How angles are computed:\n"
                    "auto = cgm if markers and measures allow it, else fit\n"
                    "cgm = conventional gait model\n"
                    "fit = a skeleton fitted to all markers")
        ->transform(CLI::CheckedTransformer(models).description("auto|cgm|fit"));
    verb.add_option(
            "--measure", options->measures,
            "Measure of the subject, named as in C3D files: KneeWidth=102 (mm), Bodymass=74 (kg), Age=40; "
            "Sex=female")
        ->type_name("NAME=NUMBER")
        ->allow_extra_args(false);
    verb.add_option("--skip-cycle", options->skip_cycles,
                    "Exclude the cycle that begins at this time: left@1.69")
        ->type_name("SIDE@SECONDS")
        ->allow_extra_args(false);
    verb.add_option("--emg", options->gait.emg, "Analog channels with EMG; by default those named so")
        ->type_name("LABEL")
        ->allow_extra_args(false);
    add_unmeasured_option(verb, options->unmeasured);
    add_solve_options(verb, options->solve, false);
    add_event_options(verb, *options);
    add_read_options(verb, options->read);
}

}  // namespace sinew::cli
