// SPDX-License-Identifier: MIT
#include "terminal.h"

#include <algorithm>
#include <csignal>

#include <fmt/format.h>
#include <semaphore.h>
#include <unistd.h>

#include "sinew/base/file.h"

namespace sinew::cli {
namespace {

constexpr int shown_per_code = 3;
constexpr int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};
volatile std::sig_atomic_t interrupt_signal = 0;
sem_t interrupt_arrived;
bool progress_as_lines = false;

void on_interrupt(int number) {
    interrupt_signal = number;
    ::sem_post(&interrupt_arrived);
}

}  // namespace

InterruptWatch::InterruptWatch() {
    ::sem_init(&interrupt_arrived, 0, 0);
    thread_ = std::jthread([](const std::stop_token& stop) {
        while (interrupt_signal == 0 && !stop.stop_requested()) ::sem_wait(&interrupt_arrived);
        using namespace std::chrono_literals;
        for (int i = 0; i < 15; ++i) {
            if (stop.stop_requested()) return;
            std::this_thread::sleep_for(10ms);
        }
        if (!stop.stop_requested()) quit_without_pending_files(exit_code());
    });
    for (const int number : ending_signals) std::signal(number, on_interrupt);
    std::signal(SIGXFSZ, SIG_IGN);
}

InterruptWatch::~InterruptWatch() {
    for (const int number : ending_signals) std::signal(number, SIG_DFL);
    thread_.request_stop();
    ::sem_post(&interrupt_arrived);
}

bool InterruptWatch::interrupted() {
    return interrupt_signal != 0;
}

int InterruptWatch::exit_code() {
    return 128 + interrupt_signal;
}

TerminalMonitor::TerminalMonitor(bool quiet)
    : quiet_(quiet), terminal_(::isatty(STDERR_FILENO) != 0), start_(std::chrono::steady_clock::now()) {}

TerminalMonitor::~TerminalMonitor() {
    clear();
}

void print_progress_as_lines() {
    progress_as_lines = true;
}

void TerminalMonitor::progress(std::string_view stage, double fraction) {
    if (!progress_as_lines && (quiet_ || !terminal_)) return;
    const std::lock_guard lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    using namespace std::chrono_literals;
    if (progress_as_lines) {
        if (now - drawn_ < 100ms) return;
        drawn_ = now;
        fmt::print(stderr, "progress {:.3f} {}\n", std::clamp(fraction, 0.0, 1.0), stage);
        return;
    }
    if (now - start_ < 500ms || now - drawn_ < 50ms) return;
    drawn_ = now;
    draw(stage, std::clamp(fraction, 0.0, 1.0));
}

void TerminalMonitor::draw(std::string_view stage, double fraction) {
    constexpr int width = 30;
    const int full = static_cast<int>(fraction * width);
    fmt::print(stderr, "\r\x1b[K{:<24} [{:=<{}}{: <{}}] {:3.0f}%", stage, "", full, "", width - full,
               fraction * 100);
    std::fflush(stderr);
    visible_ = true;
}

void TerminalMonitor::clear() {
    if (!visible_) return;
    fmt::print(stderr, "\r\x1b[K");
    std::fflush(stderr);
    visible_ = false;
}

void TerminalMonitor::warn(Warning warning) {
    const std::lock_guard lock(mutex_);
    if (++repetitions_[fmt::format("[{}]: {}", warning.code, warning.text)] > 1) return;
    const int count = ++shown_[warning.code];
    if (quiet_ || count > shown_per_code) return;
    clear();
    fmt::print(stderr, "warning [{}]: {}\n", warning.code, warning.text);
}

void TerminalMonitor::summarize() {
    if (quiet_) return;
    for (const auto& [text, count] : repetitions_) {
        if (count > 1) fmt::print(stderr, "warning {} ({} times)\n", text, count);
    }
    for (const auto& [code, count] : shown_) {
        if (count > shown_per_code)
            fmt::print(stderr, "warning [{}]: and {} more\n", code, count - shown_per_code);
    }
}

bool TerminalMonitor::cancelled() const {
    return InterruptWatch::interrupted();
}

}  // namespace sinew::cli
