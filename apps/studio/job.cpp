// SPDX-License-Identifier: MIT
#include "job.h"

#include "state.h"

#include "sinew/base/error.h"

namespace sinew::studio {

/// Receives messages from any thread.
class Job::Listener : public Monitor {
  public:
    explicit Listener(Job& job) : job_(job) {}
    void progress(std::string_view stage, double fraction) override {
        const std::scoped_lock lock(job_.mutex_);
        job_.progress_ = {std::string(stage), fraction};
    }
    void warn(Warning warning) override {
        const std::scoped_lock lock(job_.mutex_);
        job_.heard_.add(Severity::warning, std::move(warning.text), std::move(warning.code));
    }
    bool cancelled() const override { return job_.cancelled_; }

  private:
    Job& job_;
};

Job::~Job() {
    cancelled_ = true;
    if (thread_.joinable()) thread_.join();
}

void Job::run(const Work& work) {
    Listener listener(*this);
    Severity severity = Severity::error;
    std::string error;
    try {
        apply_ = work(listener);
    } catch (const Cancelled&) {
        severity = Severity::note;
        error = what_ + ": cancelled";
    } catch (const std::bad_alloc&) {
        error = what_ + ": out of memory";
    } catch (const std::exception& caught) {
        error = caught.what();
    }
    if (!error.empty()) {
        const std::scoped_lock lock(mutex_);
        heard_.add(severity, error);
    }
    ended_ = true;
}

bool Job::start(std::string what, Work work) {
    if (running_) return false;
    what_ = std::move(what);
    started_ = seconds_now();
    running_ = true;
    ended_ = cancelled_ = false;
    progress_ = {};
    heard_.clear();
    apply_ = nullptr;
    thread_ = std::thread([this, work = std::move(work)] { run(work); });
    return true;
}

double Job::seconds() const {
    return seconds_now() - started_;
}

Job::Progress Job::progress() const {
    const std::scoped_lock lock(mutex_);
    return progress_;
}

bool Job::poll(State& state) {
    return running_ && ended_ && finish(state);
}

bool Job::finish(State& state) {
    if (!running_) return false;
    thread_.join();
    running_ = false;
    for (const Message& message : heard_.list())
        state.messages.add(message.severity, message.text, message.code);
    // Cancelled at the last moment: the cancellation has priority.
    if (apply_ && !cancelled_) {
        try {
            apply_(state);
        } catch (const std::exception& caught) {
            state.messages.add(Severity::error, caught.what());
        }
    }
    apply_ = nullptr;
    return true;
}

}  // namespace sinew::studio
