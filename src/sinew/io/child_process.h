#pragma once
/// \file
/// A program run to its end, within limits.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sinew/base/monitor.h"

namespace sinew::io {

struct ProcessLimits {
    std::uint64_t memory_bytes = 0;  ///< address space; 0 means no limit
    double cpu_seconds = 0;
    double seconds = 0;
};

struct ProcessEnd {
    int code = -1;           ///< what it returned; -1 when it did not end by itself
    int signal = 0;          ///< that ended it
    bool timed_out = false;  ///< by either clock
    bool started = true;     ///< false when there is no such program
    std::string errors;      ///< what it wrote to standard error, the first 64 KiB
};

/// Runs a program without a shell; standard input is empty, standard output thrown away, standard error goes
/// to the file `errors` first. Its whole process group is killed when time is up or the monitor cancels.
ProcessEnd run_process(const std::vector<std::string>& command, const ProcessLimits& limits,
                       const std::filesystem::path& errors, Monitor& monitor);

}  // namespace sinew::io
