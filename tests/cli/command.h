// SPDX-License-Identifier: MIT
#pragma once
// Runs the built `sinew` program as a user would.

#include <filesystem>
#include <string>
#include <vector>

#include "support/data.h"

#include "sinew/base/report.h"

namespace sinew::test {

struct CommandResult {
    int exit_code = -1;
    std::string out;
    std::string err;
};

/// Runs `sinew ARGS...` with standard output and error in pipes.
CommandResult sinew(const std::vector<std::string>& arguments);

/// The schema that docs/reference has for reports.
const Json& report_schema_file();

/// The same with --report; fails the test when the command fails, and when the report is not as its schema
/// says.
Json sinew_report(std::vector<std::string> arguments);

/// What tools/page-check says after it did the steps; null with a reason when there is no browser.
Json in_browser(const std::filesystem::path& page, const Json& steps, const TemporaryFolder& folder,
                std::string& reason);

}  // namespace sinew::test
