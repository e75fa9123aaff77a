// SPDX-License-Identifier: MIT
// sinew-bench: measures this build and prints the tables of docs/results.md.

#include <fstream>
#include <map>

#include "suites.h"
#include <CLI/CLI.hpp>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/parallel.h"
#include "sinew/base/text.h"

namespace sinew::bench {

void show(const Run& run, const Table& table) {
    std::vector<std::size_t> widths;
    for (const std::string& column : table.columns) widths.push_back(column.size());
    for (const auto& row : table.rows) {
        for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].text.size());
    }
    const auto line = [&](const auto& text_of) {
        std::string result = "|";
        for (std::size_t c = 0; c < widths.size(); ++c) {
            result += c == 0 ? fmt::format(" {:<{}} |", text_of(c), widths[c])
                             : fmt::format(" {:>{}} |", text_of(c), widths[c]);
        }
        return result;
    };
    run.say("\n{}\n", table.title);
    run.say("{}", line([&](std::size_t c) { return table.columns[c]; }));
    run.say("{}", line([&](std::size_t c) {
                return c == 0 ? std::string(widths[c], '-') : std::string(widths[c] - 1, '-') + ":";
            }));
    for (const auto& row : table.rows) run.say("{}", line([&](std::size_t c) { return row[c].text; }));
    for (const auto& row : table.rows) {
        Json json{{"table", table.title}};
        for (std::size_t c = 0; c < row.size(); ++c) json[table.columns[c]] = row[c].value;
        run.report.extra["rows"].push_back(std::move(json));
    }
}

namespace {

using Suite = void (*)(Run&, const SuiteOptions&);

const std::map<std::string, Suite>& suites() {
    static const std::map<std::string, Suite> table = {{"artifacts", bench_artifacts},
                                                       {"blending", bench_blending},
                                                       {"fit", bench_fit},
                                                       {"skinning", bench_skinning}};
    return table;
}

std::string machine() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("model name"))
            return std::string(trim(std::string_view(line).substr(line.find(':') + 1)));
    }
    return "unknown processor";
}

struct Arguments {
    std::string suite;
    SuiteOptions how;
    std::filesystem::path report;
    bool quiet = false;
    int threads = 0;
};

void add_options(CLI::App& app, Arguments& arguments) {
    std::vector<std::string> names;
    for (const auto& [name, suite] : suites()) names.push_back(name);
    app.add_option("suite", arguments.suite, "Which tables; all when left out")->check(CLI::IsMember(names));
    app.add_option("-o,--output", arguments.how.folder, "Folder for plots and pictures; none without it")
        ->type_name("DIR");
    if (const char* const data = std::getenv("SINEW_DATA"))
        arguments.how.data = data;
    else
        arguments.how.data = SINEW_SOURCE_DIR "/../shared/data";
    app.add_option("--data", arguments.how.data,
                   "Folder with real characters in rigs/ and gltf/; SINEW_DATA without it")
        ->type_name("DIR");
    app.add_flag("--quick", arguments.how.quick, "Small sizes, seconds instead of minutes");
    app.add_option("--report", arguments.report, "Write a JSON report of what was measured")
        ->type_name("FILE.json");
    app.add_flag("--quiet", arguments.quiet, "Print errors only");
    app.add_option("--threads", arguments.threads, "Threads to use; 0 takes all cores")
        ->check(CLI::Range(0, 1024));
    app.footer(
        "Example:\n  sinew-bench skinning\n  sinew-bench blending -o plots\n  sinew-bench --quick --report "
        "figures.json");
}

void run_suites(const Arguments& arguments) {
    set_thread_count(arguments.threads);
    if (!arguments.how.folder.empty()) std::filesystem::create_directories(arguments.how.folder);
    Report report;
    report.verb = "bench";
    Collector warnings(silent());
    Run run{report, warnings, arguments.quiet};
    report.extra["machine"] = machine();
    report.extra["rows"] = Json::array();
    run.say("{}", machine());
    for (const auto& [name, suite] : suites()) {
        if (arguments.suite.empty() || arguments.suite == name) suite(run, arguments.how);
    }
    report.warnings = warnings.warnings();
    if (!arguments.report.empty()) write_file(arguments.report, report.to_json().dump(2) + "\n");
}

}  // namespace
}  // namespace sinew::bench

int main(int argc, char** argv) {
    using namespace sinew::bench;
    CLI::App app("Measures this build and prints the tables of docs/results.md.", "sinew-bench");
    Arguments arguments;
    add_options(app, arguments);
    try {
        app.parse(argc, argv);
        run_suites(arguments);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    } catch (const std::exception& error) {
        fmt::print(stderr, "sinew-bench: error: {}\n", error.what());
        return 1;
    }
    return 0;
}
