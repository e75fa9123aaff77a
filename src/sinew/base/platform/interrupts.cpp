// SPDX-License-Identifier: MIT
#include <csignal>

#include <semaphore.h>
#include <unistd.h>

#include "sinew/base/system.h"

namespace sinew {
namespace {

constexpr int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};
volatile std::sig_atomic_t interrupt_signal = 0;
sem_t interrupt_arrived;

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

bool has_terminal() {
    return ::isatty(STDERR_FILENO) != 0;
}

}  // namespace sinew
