// SPDX-License-Identifier: MIT
#pragma once
// The common part of all verbs: common options, progress, errors, exit codes and reports.

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "sinew/base/error.h"
#include "sinew/base/report.h"

namespace sinew::cli {

/// The data of a verb while it runs.
struct Run {
    Report& report;
    Monitor& monitor;
    bool quiet = false;
    std::FILE* lines = stdout;                  ///< output of messages for the user
    std::function<void()> before_line = [] {};  ///< removes the progress bar from the screen
    std::vector<std::filesystem::path> named;   ///< files that the command line names as inputs
    bool force = false;                         ///< these may be overwritten

    /// Stages of a pipeline that were executed.
    void add_seconds(const std::vector<std::pair<std::string, double>>& seconds) const {
        report.seconds.insert(report.seconds.end(), seconds.begin(), seconds.end());
    }

    /// Prints a line for the user; nothing with --quiet.
    template <class... Args>
    void say(fmt::format_string<Args...> text, Args&&... args) const {
        if (quiet) return;
        before_line();
        fmt::print(lines, "{}\n", fmt::format(text, std::forward<Args>(args)...));
        std::fflush(lines);
    }
};

/// The arguments themselves are wrong, not the files that they name.
struct UsageError : Error {
    using Error::Error;
};

/// A description of the exit codes.
inline constexpr std::string_view exit_codes =
    "0 done, 1 bad input or failed work, 2 wrong usage, 130 cancelled (Ctrl-C), 143 ended by SIGTERM";

/// Options shared by all verbs.
struct CommonOptions {
    std::filesystem::path report;
    std::filesystem::path settings;  ///< listed here for the help; read before all other options
    bool quiet = false;
    int threads = 0;
    unsigned seed = 1;
};

/// An option that a settings file sets.
struct Setting {
    std::string option;    ///< with its dashes
    std::string location;  ///< file and line
};

class Program {
  public:
    Program();
    /// Adds a verb. The common options come after its own. `run` is called when the user chose the verb.
    /// `example` is at the end of its help.
    CLI::App& verb(const std::string& name, const std::string& summary, const std::string& example,
                   std::function<void(Run&)> run);
    /// Parses and runs. 0 done, 1 bad input or failed work, 2 wrong usage, 130 cancelled.
    int main(int argc, char** argv);
    const CommonOptions& common() const { return common_; }

  private:
    void add_common_options(CLI::App& verb);
    void shorten_help();
    Json options_used() const;
    std::vector<std::filesystem::path> named_inputs() const;
    bool writes_to_standard_output() const;
    int execute();

    CLI::App app_;
    CommonOptions common_;
    std::vector<Setting> settings_;
    std::string chosen_;
    std::function<void(Run&)> run_;
};

// One function per verb, each in its own file.
void add_animate(Program& program);
void add_batch(Program& program);
void add_segment(Program& program);
void add_skeletonize(Program& program);
void add_bind(Program& program);
void add_blend(Program& program);
void add_clean(Program& program);
void add_collide(Program& program);
void add_completion(Program& program);
void add_help(Program& program);
void add_convert(Program& program);
void add_deform(Program& program);
void add_demo(Program& program);
void add_edit(Program& program);
void add_gait(Program& program);
void add_fit(Program& program);
void add_info(Program& program);
void add_measure(Program& program);
void add_publish(Program& program);
void add_render(Program& program);
void add_retarget(Program& program);
void add_rig(Program& program);
void add_sample(Program& program);
void add_solve(Program& program);
void add_studio(Program& program);
void add_study(Program& program);

}  // namespace sinew::cli
