// SPDX-License-Identifier: MIT
#pragma once
// Files that were open before.

#include <filesystem>
#include <vector>

namespace sinew::studio {

class Recent {
  public:
    /// Without a file nothing is kept beyond this run.
    Recent() = default;
    /// One path a line, the newest first. A file that cannot be read is an empty list.
    explicit Recent(std::filesystem::path file);

    /// To the front, once. What cannot be written is only lost.
    void add(const std::filesystem::path& path);
    const std::vector<std::filesystem::path>& list() const { return list_; }

  private:
    std::filesystem::path file_;
    std::vector<std::filesystem::path> list_;
};

/// Where a person's list is: $XDG_CONFIG_HOME/sinew/recent, or ~/.config/sinew/recent; empty without a home.
std::filesystem::path recent_file();

}  // namespace sinew::studio
