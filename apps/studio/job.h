// SPDX-License-Identifier: MIT
#pragma once
// Work in the background: one job at a time, with progress and cancel. The thread of the interface applies
// the result to the state.

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "messages.h"

namespace sinew::studio {

struct State;

class Job {
  public:
    using Apply = std::function<void(State&)>;
    using Work = std::function<Apply(Monitor&)>;

    Job() = default;
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;
    ~Job();

    /// False when another job runs.
    bool start(std::string what, Work work);
    bool running() const { return running_; }
    void cancel() { cancelled_ = true; }
    bool cancelling() const { return running_ && cancelled_; }
    const std::string& what() const { return what_; }
    /// Seconds since the start.
    double seconds() const;

    struct Progress {
        std::string stage;
        double fraction = 0;
    };
    Progress progress() const;

    /// After the end of the work: applies its result, warnings and errors to the state. True when it did.
    bool poll(State& state);
    /// Waits for the end of the running job first.
    bool finish(State& state);

  private:
    class Listener;
    void run(const Work& work);

    std::string what_;
    double started_ = 0;
    std::thread thread_;
    bool running_ = false;  ///< state known to the thread of the interface
    std::atomic<bool> ended_ = false;
    std::atomic<bool> cancelled_ = false;
    mutable std::mutex mutex_;
    Progress progress_;
    Messages heard_;
    Apply apply_;
};

}  // namespace sinew::studio
