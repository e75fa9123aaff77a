#pragma once
/// \file
/// How long the stages of a work took. Inside the room only.

#include <chrono>

namespace sinew::rig {

class Stopwatch {
  public:
    /// Seconds since the last call.
    double lap() {
        const auto now = std::chrono::steady_clock::now();
        const std::chrono::duration<double> spent = now - last_;
        last_ = now;
        return spent.count();
    }

  private:
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace sinew::rig
