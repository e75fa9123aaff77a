// SPDX-License-Identifier: MIT
#pragma once
// Jobs as processes: one at a time, or as many as there are cores.

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "ledger.h"

namespace sinew::cli::batch {

struct RunnerOptions {
    std::filesystem::path program;  ///< this one
    std::filesystem::path folder;   ///< where jobs run
    std::filesystem::path output;   ///< absolute
    ProgramLimits limits;
    std::size_t slots = 1;    ///< jobs at once
    int threads = 1;          ///< of each job, unless its options say it
    bool thumbnails = false;  ///< draw what was made
    bool retry = false;       ///< what failed before is tried again
};

/// Where the whole report of a job is.
std::filesystem::path report_path(const std::filesystem::path& output, const std::string& job);
/// Where its picture is, if there is one.
std::filesystem::path picture_path(const std::filesystem::path& output, const std::string& job);

/// Nothing to do for a job: it is done, or failed before, with the same inputs, options and version, and what
/// it wrote is still there.
bool settled(const Job& job, const Digest& digest, const Record* before, const RunnerOptions& options);

/// Removes what processes that were killed had begun to write for these jobs; none of them may be running.
void remove_partial_files(const std::vector<std::string>& jobs, const std::filesystem::path& output);

/// Runs a job to its end; outputs appear whole or not at all.
/// \return its line for the ledger.
Record run_job(const Job& job, Digest digest, const RunnerOptions& options, Monitor& monitor);

/// How far it is; read while it runs.
struct Progress {
    std::atomic<std::size_t> done = 0, failed = 0, settled = 0, failed_before = 0;
    std::size_t finished() const { return done + failed + settled + failed_before; }
};

/// Runs what is not settled on all slots, and appends a line for each job that ended.
/// \param records what the ledgers say; what ended is written there.
/// \param ended called with every job that was run, one at a time.
/// \param show called a few times per second.
/// \throws Error when the ledger cannot be written; Cancelled.
void run_jobs(const std::vector<Job>& jobs, const RunnerOptions& options, Records& records, Ledger& ledger,
              Progress& progress, const std::function<void(const Record&)>& ended,
              const std::function<void()>& show, Monitor& monitor);

}  // namespace sinew::cli::batch
