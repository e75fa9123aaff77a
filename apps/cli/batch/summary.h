// SPDX-License-Identifier: MIT
#pragma once
// The results of a batch: a table of all reports, and a page with pictures and errors.

#include <filesystem>
#include <string>
#include <vector>

#include "ledger.h"

namespace sinew::cli::batch {

/// One row per job, one column for each number or text in any report.
std::string table_of(const std::vector<const Record*>& records);

/// A page for the output folder: statistics of each verb, failures with their reasons, and outputs with their
/// pictures, if there are any.
std::string page_of(const std::vector<const Record*>& records, const std::filesystem::path& output);

}  // namespace sinew::cli::batch
