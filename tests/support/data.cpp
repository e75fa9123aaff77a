// SPDX-License-Identifier: MIT
#include "support/data.h"

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <unistd.h>

namespace sinew::test {

std::filesystem::path data(std::string_view name) {
    const char* folder = std::getenv("SINEW_DATA");
    const std::filesystem::path root =
        folder != nullptr ? folder : std::filesystem::path(SINEW_SOURCE_DIR) / ".." / "shared" / "data";
    return root / name;
}

bool has_data() {
    return std::filesystem::exists(data("README.md"));
}

TemporaryFolder::TemporaryFolder() {
    static std::atomic<int> counter = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("sinew-test-" + std::to_string(::getpid()) + "-" + std::to_string(counter++));
    std::filesystem::create_directories(path_);
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::string read_text(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

void write_text(const std::filesystem::path& path, std::string_view text) {
    std::ofstream(path, std::ios::binary) << text;
}

}  // namespace sinew::test
