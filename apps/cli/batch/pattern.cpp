// SPDX-License-Identifier: MIT
#include "pattern.h"

#include <algorithm>

#include <fmt/format.h>
#include <fnmatch.h>

#include "sinew/base/error.h"
#include "sinew/base/text.h"

namespace sinew::cli::batch {
namespace fs = std::filesystem;
namespace {

struct Walk {
    std::vector<std::string> names;  ///< names of the pattern, one per level
    fs::path start;                  ///< base of relative patterns
    bool folders_only = false;
    std::vector<Match> found;
};

std::vector<std::string> sorted_names(const fs::path& folder) {
    std::vector<std::string> names;
    std::error_code code;
    for (const auto& entry : fs::directory_iterator(folder, code))
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

std::string join(const std::string& folder, const std::string& name) {
    return folder.empty() || folder.back() == '/' ? folder + name : folder + "/" + name;
}

/// \param path the path so far, in the form of the pattern.
/// \param below the part of it after the first wildcard.
/// \param deep whether ** was passed.
void walk(Walk& search, std::size_t level, const std::string& path, const std::string& below, bool deep) {
    std::error_code code;
    const fs::path here = search.start / path;
    const bool last = level + 1 == search.names.size();
    const std::string& name = search.names[level];
    if (name == "**") {
        if (!last) walk(search, level + 1, path, below, true);
        for (const std::string& child : sorted_names(here)) {
            if (child.starts_with('.') || fs::is_symlink(here / child, code)) continue;
            if (fs::is_directory(here / child, code))
                walk(search, level, join(path, child), join(below, child), true);
            else if (last)
                search.found.push_back({join(path, child), below});
        }
        return;
    }
    for (const std::string& child : sorted_names(here)) {
        if (::fnmatch(name.c_str(), child.c_str(), FNM_PERIOD) != 0) continue;
        const bool folder = fs::is_directory(here / child, code);
        if (!last) {
            if (folder) walk(search, level + 1, join(path, child), join(below, child), deep);
        } else if (folder ? !deep || search.folders_only : !search.folders_only) {
            search.found.push_back({join(path, child), below});
        }
    }
}

}  // namespace

bool has_wildcards(const std::string& pattern) {
    return pattern.find_first_of("*?[") != std::string::npos;
}

std::vector<Match> files_of(const std::string& pattern, const fs::path& folder) {
    if (!has_wildcards(pattern)) return {{pattern, ""}};
    Walk search;
    search.start = folder;
    const std::size_t wild = pattern.find_first_of("*?[");
    const std::size_t slash = pattern.rfind('/', wild);
    const std::string fixed = slash == std::string::npos ? "" : pattern.substr(0, slash + 1);
    for (std::size_t at = fixed.size(); at < pattern.size();) {
        const std::size_t end = std::min(pattern.find('/', at), pattern.size());
        if (end > at) search.names.push_back(pattern.substr(at, end - at));
        at = end + 1;
    }
    search.folders_only = pattern.back() == '/';
    walk(search, 0, fixed, "", false);
    // ** can find the same file twice.
    std::sort(search.found.begin(), search.found.end(),
              [](const Match& a, const Match& b) { return a.path < b.path; });
    const auto twice = std::unique(search.found.begin(), search.found.end(),
                                   [](const Match& a, const Match& b) { return a.path == b.path; });
    search.found.erase(twice, search.found.end());
    return std::move(search.found);
}

namespace {

std::string field_of(std::string field, const std::string& verb, const std::vector<Match>& inputs,
                     std::size_t number, const std::string& pattern) {
    if (field == "verb") return verb;
    if (field == "number") return fmt::format("{:05}", number);
    const std::string asked = field;
    std::size_t input = 0;
    if (!field.empty() && field.back() >= '2' && field.back() <= '9') {
        input = static_cast<std::size_t>(field.back() - '1');
        field.pop_back();
    }
    if (input < inputs.size()) {
        fs::path path(inputs[input].path);
        if (!path.has_filename()) path = path.parent_path();  // frames/
        if (field == "name") return path.filename().string();
        if (field == "stem") return path.stem().string();
        if (field == "suffix") return path.extension().string();
        if (field == "folder") return inputs[input].folder;
    }
    fail(pattern,
         "there is no {{{}}} here: write {{folder}}, {{stem}}, {{name}}, {{suffix}} ({{stem2}} for the "
         "second input), {{verb}} or {{number}}",
         asked);
}

}  // namespace

std::string filled(const std::string& pattern, const std::string& verb, const std::vector<Match>& inputs,
                   std::size_t number) {
    std::string text;
    for (std::size_t at = 0; at < pattern.size();) {
        const std::size_t open = std::min(pattern.find('{', at), pattern.size());
        text += pattern.substr(at, open - at);
        if (open == pattern.size()) break;
        const std::size_t close = pattern.find('}', open);
        if (close == std::string::npos) fail(pattern, "a {{ is not closed");
        text += field_of(pattern.substr(open + 1, close - open - 1), verb, inputs, number, pattern);
        at = close + 1;
    }
    return fs::path(text).relative_path().lexically_normal().string();
}

}  // namespace sinew::cli::batch
