// SPDX-License-Identifier: MIT
#include "browser.h"

#include <algorithm>
#include <tuple>

#include "sinew/io/io.h"

namespace sinew::studio {

bool can_open(const std::filesystem::path& path) {
    const io::Format* format = io::find_format(path);
    return format != nullptr && format->can_read();
}

void enter(Browser& browser, const std::filesystem::path& folder) {
    std::error_code code;
    browser.entries.clear();
    browser.error.clear();
    const std::filesystem::path whole = std::filesystem::weakly_canonical(folder, code);
    browser.folder = code ? folder : whole;
    std::filesystem::directory_iterator entry(browser.folder, code), end;
    if (code) browser.error = code.message();
    for (; !code && entry != end; entry.increment(code)) {
        const std::string name = entry->path().filename().string();
        std::error_code ignored;
        const bool is_folder = entry->is_directory(ignored);
        if (name.starts_with('.') || (!is_folder && !can_open(entry->path()))) continue;
        browser.entries.push_back({name, is_folder});
    }
    std::ranges::sort(browser.entries, {},
                      [](const FolderEntry& e) { return std::tuple(!e.folder, e.name); });
}

}  // namespace sinew::studio
