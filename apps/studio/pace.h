// SPDX-License-Identifier: MIT
#pragma once
// How fast the program answers: the processor time of its interface, and the time from an event to the
// picture that shows it.

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace sinew::studio {

/// A measurement, and what it has heard so far. Times are in seconds.
struct Pace {
    bool on = false;
    double seconds = 0;    ///< that it is to take
    double rate = 25;      ///< frames and events a second
    bool strokes = false;  ///< the mouse is dragged from the middle, again and again; else it turns its wheel
    std::vector<double> frames, interface, answers;
    int events = 0;  ///< that were sent
};

/// Lines for a person: median, 95 of 100 and the largest of each.
std::string text_of(const Pace& pace);

/// Processor time of this thread in seconds.
double thread_seconds();

/// Sends wheel and mouse events, or strokes with the left button, to the middle of the window from a thread
/// of its own, at moments that have nothing to do with frames, until the time is over.
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
