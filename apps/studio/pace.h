// SPDX-License-Identifier: MIT
#pragma once
// Speed of the program: the processor time of its interface, and the time from an event to the picture that
// shows it.

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace sinew::studio {

/// A measurement, and its data so far. Times are in seconds.
struct Pace {
    bool on = false;
    double seconds = 0;    ///< requested duration
    double rate = 25;      ///< frames and events per second
    bool strokes = false;  ///< drags the mouse from the middle repeatedly; otherwise rotates its wheel
    std::vector<double> frames, processor, interface, answers;
    int events = 0;  ///< that were sent
};

/// Lines for the user: median, 95th percentile and maximum of each.
std::string text_of(const Pace& pace);

/// Processor time of this thread, and of the complete program, in seconds.
double thread_seconds();
double process_seconds();

/// Sends wheel and mouse events, or strokes with the left button, to the middle of the window from a separate
/// thread, at times that are independent of the frames, until the time is over.
class EventSender {
  public:
    EventSender(double seconds, double rate, int x, int y, bool strokes);
    EventSender(const EventSender&) = delete;
    EventSender& operator=(const EventSender&) = delete;
    ~EventSender();
    bool done() const { return done_; }
    int sent() const { return sent_; }

  private:
    std::atomic<bool> done_ = false, stopped_ = false;
    std::atomic<int> sent_ = 0;
    std::thread thread_;
};

}  // namespace sinew::studio
