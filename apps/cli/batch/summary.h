// SPDX-License-Identifier: MIT
#pragma once
// What a batch came to: a table of every report, and a page with pictures and reasons.

#include <filesystem>
#include <string>
#include <vector>

#include "ledger.h"

namespace sinew::cli::batch {

/// One row for each job, one column for each number or text that any report holds.
std::string table_of(const std::vector<const Record*>& records);

/// A page that stands in the output folder: figures of each verb, failures with their reasons, and outputs
/// with their pictures, where there are any.
std::string page_of(const std::vector<const Record*>& records, const std::filesystem::path& output);

}  // namespace sinew::cli::batch
