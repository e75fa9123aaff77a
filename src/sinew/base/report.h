// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// What a piece of work did, as JSON: the contract between the command line and scripts.
///
/// \code
/// Report report;
/// {
///     const StageTimer timer(report, "read");        // adds the seconds of this block
/// }
/// write_file("report.json", json_text(report.to_json()));
/// \endcode

#include <chrono>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "sinew/base/monitor.h"

namespace sinew {

using Json = nlohmann::ordered_json;

/// JSON as text that anyone can read: bytes that are not UTF-8, of a file name for example, become U+FFFD.
/// \param json whatever it holds; nothing in it makes this fail
/// \param indent spaces of each level; -1 writes one line
std::string json_text(const Json& json, int indent = 2);

/// The version of this library, such as "0.1.0".
std::string_view version();

/// Version of the keys of reports: it grows when a key changes its meaning or goes away.
inline constexpr int report_schema = 1;

/// Common keys of every verb's report (`sinew` is the version, `schema` that of the keys), plus what the verb
/// adds to `extra`.
struct Report {
    std::string verb;
    std::vector<std::string> inputs;
    std::string output;
    Json options = Json::object();  ///< that the user set, by name, as they were written
    std::vector<std::pair<std::string, double>> seconds;  ///< stage and its wall time, in order
    std::vector<Warning> warnings;
    Json extra = Json::object();

    Json to_json() const;
};

/// Adds the time from construction to destruction to a report under a stage name.
class StageTimer {
  public:
    StageTimer(Report& report, std::string_view stage);
    StageTimer(const StageTimer&) = delete;
    StageTimer& operator=(const StageTimer&) = delete;
    ~StageTimer();

  private:
    Report& report_;
    std::string stage_;
    std::chrono::steady_clock::time_point start_;
};

/// Collects the names of all files that are opened while it lives, each once, in their order: inputs, and
/// what inputs name (materials, buffers, textures). One at a time.
class ReadLog {
  public:
    ReadLog();
    ReadLog(const ReadLog&) = delete;
    ReadLog& operator=(const ReadLog&) = delete;
    ~ReadLog();
    /// Names as they were given; also those of files that were not there.
    std::vector<std::string> names() const;

  private:
    std::vector<std::string> names_;
};

/// The most bytes that this process had in memory at once, its libraries and mapped files included; 0 where
/// the system does not say.
std::size_t peak_memory();

}  // namespace sinew
