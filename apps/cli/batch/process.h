// SPDX-License-Identifier: MIT
#pragma once
// A program run to its end within limits. It dies with the process that started it.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sinew/base/monitor.h"

namespace sinew::cli::batch {

struct Limits {
    double seconds = 0;        ///< by the clock; 0 means no limit
    std::uint64_t memory = 0;  ///< bytes of its own data; 0 means no limit
};

struct ProcessEnd {
    int id = 0;              ///< that it had
    int code = -1;           ///< what it returned; -1 when it did not end by itself
    int signal = 0;          ///< that ended it
    bool timed_out = false;  ///< and was killed with all that it had started
    double seconds = 0;
    std::uint64_t peak_memory = 0;  ///< bytes
    std::string errors;             ///< the start of what it wrote to standard error
};

/// Without a shell; standard input is empty, standard output thrown away.
/// \param folder where it runs.
/// \throws Error when it cannot be started; Cancelled, when it is killed too.
ProcessEnd run_process(const std::vector<std::string>& command, const std::filesystem::path& folder,
                       const Limits& limits, Monitor& monitor);

/// This process is killed when the one that started it ends.
void die_with_parent();

/// Bytes of memory of this machine.
std::uint64_t machine_memory();

}  // namespace sinew::cli::batch
