// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Times of the stages of a pipeline.

#include <chrono>

#include "sinew/pipeline/rig.h"

namespace sinew::pipeline {

/// Adds the time from construction to destruction to a list under the name of a stage.
class StageClock {
  public:
    StageClock(StageSeconds& seconds, std::string stage)
        : seconds_(seconds), stage_(std::move(stage)), start_(std::chrono::steady_clock::now()) {}
    StageClock(const StageClock&) = delete;
    StageClock& operator=(const StageClock&) = delete;
    ~StageClock() {
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
        seconds_.emplace_back(std::move(stage_), elapsed.count());
    }

  private:
    StageSeconds& seconds_;
    std::string stage_;
    std::chrono::steady_clock::time_point start_;
};

}  // namespace sinew::pipeline
