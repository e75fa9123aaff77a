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
    std::size_t slots = 1;    ///< jobs at the same time
    int threads = 1;          ///< threads of each job, unless its options state them
    bool thumbnails = false;  ///< draw the results
    bool retry = false;       ///< run failed jobs again
};

/// Path of the complete report of a job.
std::filesystem::path report_path(const std::filesystem::path& output, const std::string& job);
/// Path of its picture, which may not exist.
std::filesystem::path picture_path(const std::filesystem::path& output, const std::string& job);

/// True when a job needs no run: it is done, or failed before, with the same inputs, options and version, and
/// its outputs still exist.
bool settled(const Job& job, const Digest& digest, const Record* before, const RunnerOptions& options);

/// Removes partial files of killed processes for these jobs; none of the jobs may be running.
void remove_partial_files(const std::vector<std::string>& jobs, const std::filesystem::path& output);

/// Runs a job to its end; outputs appear completely or not at all.
/// \return its line for the ledger.
Record run_job(const Job& job, Digest digest, const RunnerOptions& options, Monitor& monitor);

/// The progress; other threads may read it during the run.
struct Progress {
    std::atomic<std::size_t> done = 0, failed = 0, settled = 0, failed_before = 0;
    std::size_t finished() const { return done + failed + settled + failed_before; }
};

/// Runs all unfinished jobs on all slots, and appends a line for each job that ended.
/// \param records the records of the ledgers; results are added.
/// \param ended called after every job, one call at a time.
/// \param show called a few times per second.
/// \throws Error when the ledger cannot be written; Cancelled.
void run_jobs(const std::vector<Job>& jobs, const RunnerOptions& options, Records& records, Ledger& ledger,
              Progress& progress, const std::function<void(const Record&)>& ended,
              const std::function<void()>& show, Monitor& monitor);

}  // namespace sinew::cli::batch
