// SPDX-License-Identifier: MIT
#pragma once
// List of recent files.

#include <filesystem>
#include <vector>

namespace sinew::studio {

class Recent {
  public:
    /// Without a file nothing is stored beyond this run.
    Recent() = default;
    /// One path per line, the newest first. A file that cannot be read gives an empty list.
    explicit Recent(std::filesystem::path file);

    /// Moves a path to the front, without duplicates. A write error only loses the list.
    void add(const std::filesystem::path& path);
    const std::vector<std::filesystem::path>& list() const { return list_; }

  private:
    std::filesystem::path file_;
    std::vector<std::filesystem::path> list_;
};

/// Path of the user's list: $XDG_CONFIG_HOME/sinew/recent, or  /.config/sinew/recent; empty without a home.
std::filesystem::path recent_file();

}  // namespace sinew::studio
