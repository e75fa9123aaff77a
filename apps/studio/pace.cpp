// SPDX-License-Identifier: MIT
#include "pace.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <random>

#include <SDL_events.h>
#include <SDL_timer.h>
#include <fmt/format.h>

namespace sinew::studio {
namespace {

std::string line_of(const char* name, std::vector<double> seconds) {
    if (seconds.empty()) return fmt::format("{:<10} none\n", name);
    std::ranges::sort(seconds);
    const auto at = [&](double part) {
        return 1e3 * seconds[static_cast<std::size_t>(part * static_cast<double>(seconds.size() - 1))];
    };
    return fmt::format("{:<10} {:7.2f} {:7.2f} {:7.2f}\n", name, at(0.5), at(0.95), at(1));
}

SDL_Event wheel_event(int notches) {
    SDL_Event event{};
    event.type = SDL_MOUSEWHEEL;
    event.wheel.y = notches;
    return event;
}

SDL_Event button_event(int x, int y, bool down) {
    SDL_Event event{};
    event.type = down ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP;
    event.button.button = SDL_BUTTON_LEFT;
    event.button.clicks = 1;
    event.button.x = x;
    event.button.y = y;
    return event;
}

SDL_Event motion_event(int x, int y) {
    SDL_Event event{};
    event.type = SDL_MOUSEMOTION;
    event.motion.x = x;
    event.motion.y = y;
    return event;
}

constexpr int stroke_events = 20;

/// A press, movements back and forth, a release.
SDL_Event stroke_event(int index, int x, int y) {
    const int at = index % stroke_events;
    if (at == 0 || at == stroke_events - 1) return button_event(x, y, at == 0);
    const int half = stroke_events / 2, along = at < half ? at : stroke_events - at;
    return motion_event(x + 5 * along, y + 3 * along);
}

/// The picture changes with every wheel event: alternately nearer and farther.
SDL_Event wheel_or_motion(int index, int x, int y) {
    return index % 3 == 0 ? motion_event(x + index % 7, y) : wheel_event(index % 3 == 1 ? 1 : -1);
}

}  // namespace

std::string text_of(const Pace& pace) {
    std::string text =
        fmt::format("{} frames, {} of {} events answered\n{:<10} {:>7} {:>7} {:>7}\n", pace.frames.size(),
                    pace.answers.size(), pace.events, "ms", "median", "95 %", "largest");
    text += line_of("interface", pace.interface);
    text += line_of("processor", pace.processor);
    text += line_of("frame", pace.frames);
    text += line_of("answer", pace.answers);
    return text;
}

double thread_seconds() {
#ifdef CLOCK_THREAD_CPUTIME_ID
    timespec now{};
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0)
        return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
#endif
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double process_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

EventSender::EventSender(double seconds, double rate, int x, int y, bool strokes) {
    thread_ = std::thread([this, seconds, rate, x, y, strokes] {
        std::mt19937 random(1);
        std::uniform_real_distribution<double> pause(0.5 / rate, 1.5 / rate);
        // An unfinished stroke is ended.
        for (double time = 0; (time < seconds || (strokes && sent_ % stroke_events != 0)) && !stopped_;) {
            const double wait = pause(random);
            time += wait;
            SDL_Delay(static_cast<Uint32>(1e3 * wait));
            const int index = sent_;
            SDL_Event event = strokes ? stroke_event(index, x, y) : wheel_or_motion(index, x, y);
            if (SDL_PushEvent(&event) == 1) ++sent_;
        }
        done_ = true;
    });
}

EventSender::~EventSender() {
    stopped_ = true;
    thread_.join();
}

}  // namespace sinew::studio
