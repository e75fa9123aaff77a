// SPDX-License-Identifier: MIT
#pragma once
// A folder, as the dialogs show it.

#include <filesystem>
#include <string>
#include <vector>

namespace sinew::studio {

struct FolderEntry {
    std::string name;
    bool folder = false;
};

struct Browser {
    std::filesystem::path folder;
    std::vector<FolderEntry> entries;  ///< folders first, then files that can be opened, each by name
    std::string path;                  ///< as typed
    std::string error;
};

/// Goes to a folder; one that cannot be read shows why and has no entries.
void enter(Browser& browser, const std::filesystem::path& folder);
/// True when a suffix belongs to a format that is read.
bool can_open(const std::filesystem::path& path);

}  // namespace sinew::studio
