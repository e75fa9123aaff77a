// SPDX-License-Identifier: MIT
#include "recent.h"

#include <algorithm>
#include <sstream>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/system.h"

namespace sinew::studio {
namespace {

constexpr std::size_t max_recent = 12;

}  // namespace

Recent::Recent(std::filesystem::path file) : file_(std::move(file)) {
    std::error_code code;
    if (file_.empty() || !std::filesystem::is_regular_file(file_, code)) return;
    try {
        const FileView view(file_);
        std::istringstream text{std::string(view.text())};
        for (std::string line; std::getline(text, line) && list_.size() < max_recent;)
            if (!line.empty()) list_.emplace_back(line);
    } catch (const Error&) {
        list_.clear();
    }
}

void Recent::add(const std::filesystem::path& path) {
    std::error_code code;
    std::filesystem::path whole = std::filesystem::absolute(path, code).lexically_normal();
    if (code) whole = path;
    std::erase(list_, whole);
    list_.insert(list_.begin(), whole);
    if (list_.size() > max_recent) list_.resize(max_recent);
    if (file_.empty()) return;
    std::string text;
    for (const std::filesystem::path& entry : list_) text += entry.string() + "\n";
    try {
        std::filesystem::create_directories(file_.parent_path(), code);
        write_file(file_, text);
    } catch (const Error&) {
        file_.clear();  // a read-only home: no more attempts
    }
}

std::filesystem::path recent_file() {
    const std::filesystem::path folder = settings_folder();
    return folder.empty() ? folder : folder / "recent";
}

}  // namespace sinew::studio
