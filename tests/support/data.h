// SPDX-License-Identifier: MIT
#pragma once
// Where tests find real files and put their own.

#include <filesystem>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace sinew::test {

/// A file of the real-data folder (../shared/data, or $SINEW_DATA).
std::filesystem::path data(std::string_view name);
bool has_data();

/// A fresh folder that is removed with everything in it.
class TemporaryFolder {
  public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    std::filesystem::path operator/(std::string_view name) const { return path_ / name; }
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

std::string read_text(const std::filesystem::path& path);
void write_text(const std::filesystem::path& path, std::string_view text);

}  // namespace sinew::test

#define SINEW_NEEDS_DATA()        \
    if (!sinew::test::has_data()) \
    GTEST_SKIP() << "real data not found: set SINEW_DATA or put it in ../shared/data"
