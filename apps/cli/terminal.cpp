// SPDX-License-Identifier: MIT
#include "terminal.h"

#include <algorithm>

#include <fmt/format.h>

#include "sinew/base/system.h"

namespace sinew::cli {
namespace {

constexpr int shown_per_code = 3;
bool progress_as_lines = false;

/// A highlighted word. https://no-color.org
std::string colored(std::string_view word, int color) {
    const bool plain = !has_terminal() || environment("NO_COLOR") || environment("TERM") == "dumb";
    return plain ? std::string(word) : fmt::format("\x1b[1;{}m{}\x1b[0m", color, word);
}
constexpr int red = 31, yellow = 33;

}  // namespace

void print_error(std::string_view text) {
    fmt::print(stderr, "sinew: {} {}\n", colored("error:", red), text);
}

std::string clock_text(double seconds) {
    const auto whole = static_cast<long>(seconds + 0.5);
    return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

TerminalMonitor::TerminalMonitor(bool quiet)
    : quiet_(quiet), terminal_(has_terminal()), start_(std::chrono::steady_clock::now()) {}

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
    if (stage != stage_) {
        stage_ = stage;
        stage_start_ = now;
    }
    if (now - start_ < 500ms || now - drawn_ < 50ms) return;
    drawn_ = now;
    draw(std::clamp(fraction, 0.0, 1.0), std::chrono::duration<double>(now - stage_start_).count());
}

void TerminalMonitor::draw(double fraction, double seconds) {
    constexpr int width = 30;
    const int full = static_cast<int>(fraction * width);
    // No estimate from the first moments.
    const bool known = seconds > 0.5 && fraction > 0.02;
    fmt::print(stderr, "\r\x1b[K{:<24} [{:=<{}}{: <{}}] {:3.0f}%{}", stage_, "", full, "", width - full,
               fraction * 100,
               known ? fmt::format(" {} left", clock_text(seconds * (1 - fraction) / fraction)) : "");
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
    fmt::print(stderr, "{} [{}]: {}\n", colored("warning", yellow), warning.code, warning.text);
}

void TerminalMonitor::summarize() {
    if (quiet_) return;
    for (const auto& [text, count] : repetitions_) {
        if (count > 1) fmt::print(stderr, "{} {} ({} times)\n", colored("warning", yellow), text, count);
    }
    for (const auto& [code, count] : shown_) {
        if (count > shown_per_code)
            fmt::print(stderr, "{} [{}]: and {} more\n", colored("warning", yellow), code,
                       count - shown_per_code);
    }
}

bool TerminalMonitor::cancelled() const {
    return InterruptWatch::interrupted();
}

}  // namespace sinew::cli
