// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The report of one command as JSON: the interface between the command line and scripts.
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

/// Serialises JSON as valid UTF-8: bytes that are not UTF-8 (in a file name, for example) become U+FFFD.
/// \param json any value; its content cannot make this fail
/// \param indent spaces per level; -1 writes one line
std::string json_text(const Json& json, int indent = 2);

/// The version of this library, such as "0.1.0".
std::string_view version();

/// Version of the keys of reports. It increases when a key changes its meaning or is removed.
inline constexpr int report_schema = 1;

/// Keys that the reports of all verbs share (`sinew` is the program version, `schema` the version of the
/// keys), and the verb's own keys in `extra`.
struct Report {
    std::string verb;
    std::vector<std::string> inputs;
    std::string output;
    Json options = Json::object();  ///< options that the user set, by name, as written
    std::vector<std::pair<std::string, double>>
        seconds;  ///< stage and its wall time in seconds, in the order of execution
    std::vector<Warning> warnings;
    Json extra = Json::object();

    Json to_json() const;
};

/// Measures the time from its construction to its destruction and adds it to a report under a stage name.
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

/// Records the names of all files that are opened during its lifetime, each once, in order: the inputs and
/// the files they refer to (materials, buffers, textures). Only one may exist at a time.
class ReadLog {
  public:
    ReadLog();
    ReadLog(const ReadLog&) = delete;
    ReadLog& operator=(const ReadLog&) = delete;
    ~ReadLog();
    /// File names as given by the caller, including files that do not exist.
    std::vector<std::string> names() const;

  private:
    std::vector<std::string> names_;
};

/// Peak memory of this process in bytes, libraries and mapped files included; 0 where the system does not
/// report it.
std::size_t peak_memory();

}  // namespace sinew
