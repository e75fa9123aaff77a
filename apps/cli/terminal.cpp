#include "terminal.h"

#include <algorithm>
#include <csignal>

#include <fmt/format.h>
#include <unistd.h>

namespace sinew::cli {
namespace {

constexpr int shown_per_code = 3;
volatile std::sig_atomic_t interrupted = 0;

void on_interrupt(int) {
    interrupted = 1;
}

}  // namespace

TerminalMonitor::TerminalMonitor(bool quiet)
    : quiet_(quiet), terminal_(::isatty(STDERR_FILENO) != 0), start_(std::chrono::steady_clock::now()) {
    std::signal(SIGINT, on_interrupt);
}

TerminalMonitor::~TerminalMonitor() {
    clear();
    std::signal(SIGINT, SIG_DFL);
}

void TerminalMonitor::progress(std::string_view stage, double fraction) {
    if (quiet_ || !terminal_) return;
    const std::lock_guard lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    using namespace std::chrono_literals;
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
    return interrupted != 0;
}

}  // namespace sinew::cli
