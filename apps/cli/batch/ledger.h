// SPDX-License-Identifier: MIT
#pragma once
// The ledger: one line of JSON for every finished job, appended and written to the disk before the job counts
// as finished. If a process is killed, at most the last line is incomplete; it is not read.

#include <condition_variable>
#include <exception>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "digest.h"

#include "sinew/base/system.h"

namespace sinew::cli::batch {

/// How a job ended.
struct Record {
    std::string job;
    std::string digits;  ///< hash of its dependencies
    std::string state;   ///< done, failed, crashed, timeout, or killed by someone else
    std::string verb;
    std::string error;
    double ended = 0;  ///< seconds since 1970
    double seconds = 0;
    std::vector<Stamp> stamps;
    std::string line;  ///< the complete line

    bool done() const { return state == "done"; }
    /// True when it ended by itself: repeating it would give the same result.
    bool final() const { return state != "killed"; }
};

/// The valid record of every job.
using Records = std::map<std::string, Record>;

/// \return the number of lines that could not be read.
std::size_t read_ledger(const std::filesystem::path& path, Records& records);
/// The ledgers of a folder: `ledger.jsonl` and those of shards and workers, `ledger.NAME.jsonl`.
std::vector<std::filesystem::path> ledgers_in(const std::filesystem::path& folder);

class Ledger {
  public:
    /// The behaviour when another process appends to it.
    enum class Others { refused, waited_for };
    /// Opens a ledger for appending, and locks it for the lifetime of this object. \throws Error when another
    /// process appends to it and waiting is not wanted.
    explicit Ledger(const std::filesystem::path& path, Others others = Others::refused);
    Ledger(const Ledger&) = delete;
    Ledger& operator=(const Ledger&) = delete;
    ~Ledger();
    /// Returns at once unless many lines wait: the caller continues with the next job while the disk works.
    /// Waiting lines are written to the disk together.
    /// \param written called on the ledger's own thread once the line is on the disk.
    /// \throws Error when an earlier line could not be written.
    void append(std::string line, std::function<void()> written = {});
    /// Returns when all lines are on the disk. \throws Error when one could not be written.
    void flush();

  private:
    struct Line {
        std::string text;
        std::function<void()> written;
    };
    void write_lines();

    AppendFile file_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Line> waiting_;
    bool writing_ = false, closing_ = false;
    std::exception_ptr problem_;
    std::thread writer_;
};

/// Appends the records of other ledgers that this one lacks, and removes those of the ledgers that are in the
/// same folder.
/// \return how many jobs were new or newer.
std::size_t merge(const std::vector<std::filesystem::path>& others, const std::filesystem::path& into);

}  // namespace sinew::cli::batch
