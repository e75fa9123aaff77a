// SPDX-License-Identifier: MIT
#pragma once
// Output for the user at the terminal: a progress bar on standard error, and warnings as they occur.

#include <chrono>
#include <map>
#include <mutex>
#include <string>

#include "sinew/base/monitor.h"

namespace sinew::cli {

/// From now on, progress is lines such as "progress 0.420 binding the skin" on standard error, on a terminal
/// or not: for programs that call this one.
void print_progress_as_lines();

/// "sinew: error: TEXT" on standard error. As for warnings, the first word is in colour on a terminal, unless
/// NO_COLOR is set.
void print_error(std::string_view text);

/// Hours, minutes and seconds: "1:02:03".
std::string clock_text(double seconds);

/// Draws a bar with the remaining time when standard error is a terminal and the work takes more than half a
/// second; in a pipe only warnings are written. Cancels the work after an interrupt.
class TerminalMonitor : public Monitor {
  public:
    explicit TerminalMonitor(bool quiet);
    ~TerminalMonitor() override;
    void progress(std::string_view stage, double fraction) override;
    void warn(Warning warning) override;
    bool cancelled() const override;

    /// Removes the bar from the screen.
    void clear();
    /// Prints the number of warnings of each kind that were not shown.
    void summarize();

  private:
    void draw(double fraction, double seconds);

    const bool quiet_;
    const bool terminal_;
    const std::chrono::steady_clock::time_point start_;
    std::chrono::steady_clock::time_point drawn_;
    std::string stage_;
    std::chrono::steady_clock::time_point stage_start_;
    bool visible_ = false;
    std::mutex mutex_;
    std::map<std::string, int> shown_;        ///< by code: number of different texts
    std::map<std::string, int> repetitions_;  ///< by code and text
};

}  // namespace sinew::cli
