// SPDX-License-Identifier: MIT
#include "program.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common.h"
#include "shared/help.h"
#include "shared/plain_error.h"
#include "shared/plural.h"
#include "terminal.h"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/parallel.h"
#include "sinew/base/system.h"
#include "sinew/base/text.h"

namespace sinew::cli {
namespace {

/// Removes `--settings FILE` or `--settings=FILE` from the arguments; empty when there is none.
std::string take_settings(std::vector<std::string>& arguments) {
    for (auto argument = arguments.begin(); argument != arguments.end(); ++argument) {
        constexpr std::string_view name = "--settings";
        if (argument->starts_with("--settings=")) {
            const std::string file = argument->substr(name.size() + 1);
            arguments.erase(argument);
            return file;
        }
        if (*argument != name) continue;
        if (argument + 1 == arguments.end()) fail("", "--settings needs a file");
        const std::string file = *(argument + 1);
        arguments.erase(argument, argument + 2);
        return file;
    }
    return {};
}

bool says(const std::vector<std::string>& arguments, const std::string& option) {
    return std::any_of(arguments.begin(), arguments.end(), [&](const std::string& argument) {
        return argument == option || argument.starts_with(option + "=");
    });
}

/// Replaces `--settings FILE` by the options in the file, one per line: `max-influences = 8`; a switch is
/// `name` or `name = true`; `#` starts a comment. Options on the command line have precedence.
/// \param settings gets the options of the file, with their lines.
/// \throws Error with the line.
std::vector<std::string> with_settings(std::vector<std::string> arguments, std::vector<Setting>& settings) {
    const std::string path = take_settings(arguments);
    if (path.empty()) return arguments;
    const FileView file(path);
    TextCursor cursor(file.text(), path);
    const std::vector<std::string> said = arguments;
    while (cursor.skip_space()) {
        const std::string location = cursor.location();
        std::string_view line = cursor.rest_of_line();
        line = trim(line.substr(0, line.find('#')));
        if (line.empty()) continue;
        const std::size_t equals = line.find('=');
        const std::string option = "--" + std::string(trim(line.substr(0, equals)));
        if (option.size() < 3 || option.find(' ') != std::string::npos)
            fail(location, "write `name = value`, not \"{}\"", line);
        const std::string value(equals == std::string_view::npos ? "true" : trim(line.substr(equals + 1)));
        if (says(said, option) || value == "false") continue;
        arguments.push_back(value == "true" ? option : option + "=" + value);
        settings.push_back({option, location});
    }
    return arguments;
}

/// "FILE:LINE: " when a message concerns an option of a settings file.
std::string setting_location(const std::vector<Setting>& settings, std::string_view said) {
    for (const Setting& setting : settings) {
        const std::size_t at = said.find(setting.option), end = at + setting.option.size();
        if (at == std::string_view::npos) continue;
        if (end == said.size() || std::string_view(":=; ").find(said[end]) != std::string_view::npos)
            return setting.location + ": ";
    }
    return {};
}

std::vector<std::string> options_of(const CLI::App& verb) {
    std::vector<std::string> names;
    for (const CLI::Option* option : verb.get_options())
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    return names;
}

std::vector<std::string> verbs_of(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(verb->get_name());
    return names;
}

std::string not_known(const std::string& what, const std::string& word,
                      const std::vector<std::string>& known) {
    const std::string name = word.substr(0, word.find('='));
    const std::string near = name == "--json" ? "--report -" : app::nearest_word(name, known);
    return fmt::format("there is no {} {}{}", what, name,
                       near.empty() ? "" : fmt::format("; did you mean {}?", near));
}

/// Reports unknown arguments before missing ones, with the nearest known word and a reference to the help.
std::string usage_error(const CLI::App& app, const CLI::ParseError& error,
                        const std::vector<Setting>& settings) {
    const std::vector<CLI::App*> chosen = app.get_subcommands();
    const CLI::App* verb = chosen.empty() ? nullptr : chosen.front();
    std::string said = verb == nullptr ? "a verb is missing" : app::plain_error(*verb, error.what());
    const std::vector<std::string> extra = app.remaining(true);
    const bool missing = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
    if (!extra.empty() && (missing || dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr)) {
        const auto flag =
            std::ranges::find_if(extra, [](const std::string& word) { return word.starts_with("-"); });
        if (verb == nullptr) {
            said =
                std::filesystem::path(extra.front()).has_extension()
                    ? fmt::format("{0} is not a verb: write first what to do with it, such as sinew info {0}",
                                  extra.front())
                    : not_known("verb", extra.front(), verbs_of(app));
        } else if (flag != extra.end()) {
            said = not_known("option", *flag, options_of(*verb));
        } else if (!missing) {
            said = fmt::format("unexpected argument \"{}\"", extra.front());
        }
    }
    return fmt::format("{}{}\n`sinew {}--help` lists the options.", setting_location(settings, said), said,
                       verb == nullptr ? "" : verb->get_name() + " ");
}

struct OptionHint {
    std::string_view message;  ///< a part of the error message
    std::string_view option;
};

constexpr OptionHint option_hints[] = {
    {"an AMC motion needs its ASF skeleton", "--skeleton-file FILE.asf"},
    {"raw joint text does not say how many joints a frame has", "--joints N"},
    {"lies outside the folder of the file", "--allow-outside reads it"},
    {"has no skeleton to move", "sinew animate MESH MOTION finds one first"},
};

/// The message of an error, followed by the option that solves the problem, if there is one.
std::string with_option_hint(std::string_view message) {
    for (const OptionHint& hint : option_hints) {
        if (message.find(hint.message) != std::string_view::npos)
            return std::string(message) + " (" + std::string(hint.option) + ")";
    }
    return std::string(message);
}

/// Files in inputs and options, in the order in which they were read.
std::vector<std::string> read_besides(std::vector<std::string> names,
                                      const std::vector<std::string>& inputs) {
    std::erase_if(names,
                  [&](const std::string& name) { return std::ranges::find(inputs, name) != inputs.end(); });
    return names;
}

}  // namespace

Program::Program() : app_("Sinew turns a mesh and a motion into a moving character.", "sinew") {
    app_.formatter(app::help_formatter());
    app_.require_subcommand(1);
    app_.set_version_flag("--version", "sinew " SINEW_VERSION);
    app_.footer(
        "Examples:\n"
        "  sinew demo                                     (the built-in man walks)\n"
        "  sinew info character.glb                       (what is in the file?)\n"
        "  sinew animate scan.obj walk.bvh -o walk.html   (rig a mesh, move it, make a page)\n"
        "`sinew VERB --help` shows usage and examples, `sinew help` lists topics.");
}

CLI::App& Program::verb(const std::string& name, const std::string& summary, const std::string& example,
                        std::function<void(Run&)> run) {
    CLI::App& verb = *app_.add_subcommand(name, summary);
    verb.footer("Examples:\n" + example);
    verb.callback([this, name, run = std::move(run)] {
        chosen_ = name;
        run_ = run;
    });
    return verb;
}

void Program::add_common_options(CLI::App& verb) {
    const app::OptionHeading heading(verb, app::headings::for_all_verbs);
    verb.add_option("--report", common_.report,
                    "Write a JSON report of what was done; - writes it to standard output")
        ->type_name("FILE.json");
    if (verb.get_name() == "info" || verb.get_name() == "measure")
        verb.add_flag_callback(
            "--json",
            [this] {
                common_.report = "-";
                common_.quiet = true;
            },
            "Print the report as JSON, and nothing else, on standard output");
    verb.add_flag("--quiet", common_.quiet, "Print errors only");
    verb.add_flag_callback("--progress", print_progress_as_lines,
                           "Print progress as lines on standard error, for programs that call this one");
    // If a verb has its own --force with a further meaning, it is used for this too.
    if (verb.get_option_no_throw("--force") == nullptr)
        verb.add_flag_callback("--force", [] {}, "Allow overwriting an input file");
    verb.add_option("--threads", common_.threads, "Threads to use; 0 takes all cores")
        ->check(CLI::Range(0, 1024));
    verb.add_option("--seed", common_.seed, "Seed for anything random");
    verb.add_option("--settings", common_.settings,
                    "Read options from a file of lines such as `max-influences = 8`")
        ->type_name("FILE");
}

int Program::main(int argc, char** argv) {
    // After the verb's own options, also in the help.
    for (CLI::App* verb : app_.get_subcommands([](CLI::App*) { return true; })) add_common_options(*verb);
    try {
        std::vector<std::string> arguments = with_settings({argv + 1, argv + argc}, settings_);
        if (std::erase(arguments, "--help-all") > 0)
            arguments.push_back("--help");
        else
            shorten_help();
        std::reverse(arguments.begin(), arguments.end());  // the order that CLI11 expects
        app_.parse(arguments);
    } catch (const Error& error) {
        print_error(error.what());
        return 2;
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app_.exit(error);  // help and version
        print_error(usage_error(app_, error, settings_));
        return 2;
    }
    return execute();
}

void Program::shorten_help() {
    app_.formatter(app::short_help_formatter());
    for (CLI::App* verb : app_.get_subcommands([](CLI::App*) { return true; }))
        verb->formatter(app::short_help_formatter());
}

Json Program::options_used() const {
    Json used = Json::object();
    for (const CLI::Option* option : app_.get_subcommand(chosen_)->get_options()) {
        if (option->count() == 0 || option->get_lnames().empty()) continue;
        const std::string& name = option->get_lnames()[0];
        if (name == "output" || name == "report" || name == "json" || name == "quiet" || name == "progress")
            continue;
        const std::vector<std::string>& values = option->results();
        if (option->get_type_size() == 0)
            used[name] = values.empty() || values[0] != "false";
        else if (values.size() == 1)
            used[name] = values[0];
        else
            used[name] = values;
    }
    return used;
}

std::vector<std::filesystem::path> Program::named_inputs() const {
    // Files of these options are written. A checkpoint may be the file from which the fit continues.
    static constexpr std::string_view written[] = {"output",  "report",         "hierarchy",
                                                   "stages",  "export-palette", "export-transforms",
                                                   "compare", "save-map",       "checkpoint"};
    std::vector<std::filesystem::path> named;
    for (const CLI::Option* option : app_.get_subcommand(chosen_)->get_options()) {
        const std::string name = option->get_lnames().empty() ? "" : option->get_lnames()[0];
        if (std::ranges::count(written, name) > 0) continue;
        for (const std::string& value : option->results()) {
            named.emplace_back(value);
            if (const std::size_t at = value.rfind('@'); at != std::string::npos)
                named.emplace_back(value.substr(0, at));  // an example and its time
        }
    }
    return named;
}

bool Program::writes_to_standard_output() const {
    const CLI::Option* const option = app_.get_subcommand(chosen_)->get_option_no_throw("--output");
    if (option == nullptr || option->count() == 0) return false;
    return is_standard_output(option->results().front());
}

int Program::execute() {
    Report report;
    report.verb = chosen_;
    report.options = options_used();
    const bool to_output = !common_.report.empty() && is_standard_output(common_.report);
    const bool has_output = writes_to_standard_output();
    TerminalMonitor terminal(common_.quiet);
    Collector collector(terminal);
    set_thread_count(common_.threads);
    const InterruptWatch watch;
    std::optional<ReadLog> log;
    if (chosen_ != "batch") log.emplace();  // a batch gets the files from the reports of its jobs
    Run run{report,
            collector,
            common_.quiet,
            to_output || has_output ? stderr : stdout,
            [&] { terminal.clear(); },
            named_inputs(),
            app_.get_subcommand(chosen_)->get_option("--force")->count() > 0};
    std::string error;
    try {
        check_not_input(run, common_.report);
        if (to_output && has_output)
            throw UsageError(
                "",
                "standard output cannot take both the report and the result; write one of them to a file");
        if (!to_output) check_location(common_.report);
    } catch (const Error& caught) {
        print_error(caught.what());
        return dynamic_cast<const UsageError*>(&caught) == nullptr ? 1 : 2;
    }
    bool usage = false;
    try {
        run_(run);
    } catch (const Cancelled&) {
        terminal.clear();
        fmt::print(stderr, "sinew: cancelled\n");
        return InterruptWatch::exit_code();
    } catch (const std::bad_alloc&) {
        error = "out of memory";
    } catch (const std::exception& caught) {
        const auto* const located = dynamic_cast<const Error*>(&caught);
        error = with_option_hint(located == nullptr ? caught.what() : explained(*located));
        // Errors of option values become errors of usage only here.
        usage = error.starts_with("--") || dynamic_cast<const UsageError*>(&caught) != nullptr ||
                (located != nullptr && located->reason().starts_with("no clip \""));
    }
    if (usage) error = setting_location(settings_, error) + error;
    terminal.clear();
    terminal.summarize();
    if (!common_.quiet && collector.has("outside-folder"))
        fmt::print(stderr, "--allow-outside also reads files outside the folder of the input\n");
    report.warnings = collector.warnings();
    if (log) {
        const std::vector<std::string> more = read_besides(log->names(), report.inputs);
        if (!more.empty()) report.extra["also_read"] = more;
    }
    if (!error.empty()) {
        print_error(error);
        report.extra["error"] = error;
    }
    if (to_output) {
        fmt::print("{}\n", json_text(report.to_json()));
    } else if (!common_.report.empty()) {
        try {
            write_file(common_.report, json_text(report.to_json()) + "\n");
        } catch (const Error& caught) {
            print_error(caught.what());
            return 1;
        }
    }
    return error.empty() ? 0 : usage ? 2 : 1;
}

}  // namespace sinew::cli
