#include "program.h"

#include <algorithm>

#include "common.h"
#include "option_hints.h"
#include "settings.h"
#include "shared/help.h"
#include "terminal.h"
#include "usage.h"

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/parallel.h"

namespace sinew::cli {

Program::Program() : app_("Sinew turns a mesh and a motion into a moving character.", "sinew") {
    app_.formatter(app::help_formatter());
    app_.require_subcommand(1);
    app_.set_version_flag("--version", "sinew " SINEW_VERSION);
    app_.footer(
        "Start here:\n"
        "  sinew demo                               the built-in man walks: walk.glb, .html, .png, .mp4\n"
        "  sinew info CHARACTER.glb                 what a file holds\n"
        "  sinew animate RIG.glb MOTION.bvh -o OUT.glb\n"
        "`sinew VERB --help` teaches each verb with an example.");
}

CLI::App& Program::verb(const std::string& name, const std::string& summary, const std::string& example,
                        std::function<void(Run&)> run) {
    CLI::App& verb = *app_.add_subcommand(name, summary);
    verb.footer("Example:\n" + example);
    verb.callback([this, name, run = std::move(run)] {
        chosen_ = name;
        run_ = run;
    });
    return verb;
}

void Program::add_common_options(CLI::App& verb) {
    const app::OptionHeading heading(verb, "For all verbs");
    verb.add_option("--report", common_.report, "Write a JSON report of what was done")
        ->type_name("FILE.json");
    verb.add_flag("--quiet", common_.quiet, "Print errors only");
    verb.add_option("--threads", common_.threads, "Threads to use; 0 takes all cores")
        ->check(CLI::Range(0, 1024));
    verb.add_option("--seed", common_.seed, "Seed for anything random");
    verb.add_option("--settings", common_.settings,
                    "Read options from a file of lines such as `max-influences = 8`")
        ->type_name("FILE");
}

int Program::main(int argc, char** argv) {
    // Behind what is the verb's own, in the help too.
    for (CLI::App* verb : app_.get_subcommands([](CLI::App*) { return true; })) add_common_options(*verb);
    try {
        std::vector<std::string> arguments = with_settings({argv + 1, argv + argc});
        std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
        app_.parse(arguments);
    } catch (const Error& error) {
        fmt::print(stderr, "sinew: error: {}\n", error.what());
        return 2;
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app_.exit(error);  // help and version
        fmt::print(stderr, "{}", usage_error(app_, error));
        return 2;
    }
    return execute();
}

int Program::execute() {
    Report report;
    report.verb = chosen_;
    TerminalMonitor terminal(common_.quiet);
    Collector collector(terminal);
    set_thread_count(common_.threads);
    std::string error;
    try {
        check_place(common_.report);
    } catch (const Error& caught) {
        fmt::print(stderr, "sinew: error: {}\n", caught.what());
        return 1;
    }
    try {
        Run run{report, collector, common_.quiet, [&] { terminal.clear(); }};
        run_(run);
    } catch (const std::bad_alloc&) {
        error = "out of memory";
    } catch (const std::exception& caught) {
        error = with_option_hint(caught.what());
    }
    terminal.clear();
    terminal.summarize();
    report.warnings = collector.warnings();
    if (!error.empty()) {
        fmt::print(stderr, "sinew: error: {}\n", error);
        report.extra["error"] = error;
    }
    if (!common_.report.empty()) {
        try {
            write_file(common_.report, report.to_json().dump(2) + "\n");
        } catch (const Error& caught) {
            fmt::print(stderr, "sinew: error: {}\n", caught.what());
            return 1;
        }
    }
    return error.empty() ? 0 : 1;
}

}  // namespace sinew::cli
