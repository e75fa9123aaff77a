// SPDX-License-Identifier: MIT
#pragma once
// The person at the terminal: a progress bar on standard error, warnings as they come.

#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "sinew/base/monitor.h"

namespace sinew::cli {

/// Interrupt (Ctrl-C), hang-up and the request to end ask the work to stop while this lives; a limit on the
/// size of files makes writing fail, instead of ending the process. Work that has not stopped after 0.15 s,
/// because it is deep in a computation that asks nobody, ends with the process; files that it was writing do
/// not appear.
class InterruptWatch {
  public:
    InterruptWatch();
    ~InterruptWatch();
    InterruptWatch(const InterruptWatch&) = delete;
    InterruptWatch& operator=(const InterruptWatch&) = delete;
    static bool interrupted();
    /// As shells have it: 128 and the number of the signal.
    static int exit_code();

  private:
    std::jthread thread_;
};

/// From now on progress is lines such as "progress 0.420 binding the skin" on standard error, terminal or
/// not: for programs that call this one.
void print_progress_as_lines();

/// Draws a bar when standard error is a terminal and the work takes more than half a second; in a pipe it is
/// silent but for warnings. Asks the work to stop when it was interrupted.
class TerminalMonitor : public Monitor {
  public:
    explicit TerminalMonitor(bool quiet);
    ~TerminalMonitor() override;
    void progress(std::string_view stage, double fraction) override;
    void warn(Warning warning) override;
    bool cancelled() const override;

    /// Removes the bar from the screen.
    void clear();
    /// Says how many more warnings of each kind there were than were shown.
    void summarize();

  private:
    void draw(std::string_view stage, double fraction);

    const bool quiet_;
    const bool terminal_;
    const std::chrono::steady_clock::time_point start_;
    std::chrono::steady_clock::time_point drawn_;
    bool visible_ = false;
    std::mutex mutex_;
    std::map<std::string, int> shown_;        ///< by code: different texts
    std::map<std::string, int> repetitions_;  ///< by code and text
};

}  // namespace sinew::cli
