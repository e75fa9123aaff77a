// sinew bench: the tables of docs/results.md.

#include <fstream>
#include <map>

#include "bench/suites.h"
#include "common.h"

#include "sinew/base/text.h"

namespace sinew::cli {
namespace {

struct BenchArguments {
    std::string suite;
    SuiteOptions how;
};

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

}  // namespace

void add_bench(Program& program) {
    auto options = std::make_shared<BenchArguments>();
    CLI::App& verb = program.verb("bench", "Measure this build and print the tables of docs/results.md",
                                  "  sinew bench skinning\n  sinew bench blending -o plots\n  sinew bench "
                                  "--quick --report figures.json",
                                  [options](Run& run) {
                                      check_output(run, options->how.folder, {output::folder});
                                      run.report.extra["machine"] = machine();
                                      run.report.extra["rows"] = Json::array();
                                      run.say("{}", machine());
                                      for (const auto& [name, suite] : suites()) {
                                          if (options->suite.empty() || options->suite == name)
                                              suite(run, options->how);
                                      }
                                  });
    std::vector<std::string> names;
    for (const auto& [name, suite] : suites()) names.push_back(name);
    verb.add_option("suite", options->suite, "Which tables; all when left out")->check(CLI::IsMember(names));
    verb.add_option("-o,--output", options->how.folder, "Folder for plots and pictures; none without it")
        ->type_name("DIR");
    verb.add_flag("--quick", options->how.quick, "Small sizes, seconds instead of minutes");
}

}  // namespace sinew::cli
