// SPDX-License-Identifier: MIT
#pragma once
// The ledger: one line of JSON for every job that ended, appended and brought to the disk before the job
// counts. A process that dies at any moment leaves at most a torn last line, which is not read.

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
    std::string digits;  ///< of what it depended on
    std::string state;   ///< done, failed, crashed, timeout, or killed by somebody else
    std::string verb;
    std::string error;
    double ended = 0;  ///< seconds since 1970
    double seconds = 0;
    std::vector<Stamp> stamps;
    std::string line;  ///< all of it

    bool done() const { return state == "done"; }
    /// Ended by itself: the same again would end alike.
    bool final() const { return state != "killed"; }
};

/// The last word on every job.
using Records = std::map<std::string, Record>;

/// \return how many lines could not be read.
std::size_t read_ledger(const std::filesystem::path& path, Records& records);
/// Those of a folder: `ledger.jsonl` and those of shards and workers, `ledger.NAME.jsonl`.
std::vector<std::filesystem::path> ledgers_in(const std::filesystem::path& folder);

class Ledger {
  public:
    /// Who else appends to it.
    enum class Others { refused, waited_for };
    /// Opens a ledger to append to it, and keeps others from it while this lives. \throws Error when somebody
    /// else appends to it and is not waited for.
    explicit Ledger(const std::filesystem::path& path, Others others = Others::refused);
    Ledger(const Ledger&) = delete;
    Ledger& operator=(const Ledger&) = delete;
    ~Ledger();
    /// Returns at once, or when few lines wait: whoever ran a job goes on with the next while the disk works.
    /// Lines that wait go to the disk together.
    /// \param written called on the ledger's own thread once the line is on the disk.
    /// \throws Error when a line before could not be written.
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

/// Appends what other ledgers know and this one does not, and removes those of them that lie beside it.
/// \return how many jobs were new or newer.
std::size_t merge(const std::vector<std::filesystem::path>& others, const std::filesystem::path& into);

}  // namespace sinew::cli::batch
