// SPDX-License-Identifier: MIT
// The machine, and the locations of files on it.

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include <unistd.h>

#include "sinew/base/report.h"
#include "sinew/base/system.h"

namespace sinew {
namespace fs = std::filesystem;
namespace {

/// The folder in an environment variable, or a default folder in the user's home.
fs::path user_folder(const char* variable, const char* usual) {
    if (const auto named = environment(variable)) return fs::path(*named) / "sinew";
    const fs::path home = home_folder();
    return home.empty() ? home : home / usual / "sinew";
}

}  // namespace

std::optional<std::string> environment(const char* name) {
    const char* const value = std::getenv(name);
    if (value == nullptr || *value == '\0') return std::nullopt;
    return value;
}

std::string host_name() {
    char name[256] = "";
    ::gethostname(name, sizeof(name) - 1);
    return name;
}

std::uint64_t machine_memory() {
    return static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
           static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::size_t peak_memory() {
    // The peak memory of this program only: getrusage also includes the process before exec.
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        std::size_t kilobytes = 0;
        if (word == "VmHWM:" && status >> kilobytes) return 1024 * kilobytes;
    }
    return 0;
}

fs::path home_folder() {
    return environment("HOME").value_or("");
}

fs::path settings_folder() {
    return user_folder("XDG_CONFIG_HOME", ".config");
}

fs::path state_folder() {
    return user_folder("XDG_STATE_HOME", ".local/state");
}

std::vector<fs::path> drives() {
    std::vector<fs::path> found;
    std::error_code code;
    for (const char* root : {"/media", "/mnt", "/run/media"})
        for (fs::directory_iterator entry(root, code), end; !code && entry != end; entry.increment(code))
            if (entry->is_directory(code) && !fs::is_empty(entry->path(), code))
                found.push_back(entry->path());
    found.emplace_back("/");
    return found;
}

fs::path interface_font() {
    std::error_code code;
    fs::path font = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";
    return fs::is_regular_file(font, code) ? font : fs::path();
}

std::FILE* open_null_file() {
    return std::fopen("/dev/null", "w");
}

}  // namespace sinew
