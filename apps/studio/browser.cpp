// SPDX-License-Identifier: MIT
#include "browser.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <mutex>
#include <tuple>

#include "document.h"
#include "project.h"

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/system.h"
#include "sinew/base/text.h"

namespace sinew::studio {
namespace {

namespace fs = std::filesystem;

bool is_own(const fs::path& path) {
    return suffix(path) == project_suffix || suffix(path) == map_suffix;
}

bool is_of_kind(const FolderEntry& entry, const FileKind& kind) {
    if (entry.folder || kind.families.empty()) return true;
    const io::Format* format = io::find_format(entry.name);
    return format != nullptr && std::ranges::count(kind.families, format->family) > 0;
}

bool begins_with(std::string_view name, std::string_view typed) {
    return name.size() >= typed.size() && equal_ignoring_case(name.substr(0, typed.size()), typed);
}

}  // namespace

bool can_open(const fs::path& path) {
    const io::Format* format = io::find_format(path);
    return (format != nullptr && format->can_read()) || is_own(path);
}

std::span<const FileKind> file_kinds() {
    using io::Family;
    static const std::vector<FileKind> kinds = {
        {"all readable files", {}},        {"characters and meshes", {Family::scene, Family::mesh}},
        {"motions", {Family::skeleton}},   {"trials and gait curves", {Family::trial, Family::cycle}},
        {"point caches", {Family::cache}},
    };
    return kinds;
}

void enter(Browser& browser, const fs::path& folder) {
    std::error_code code;
    browser.all.clear();
    browser.error.clear();
    browser.chosen.clear();
    const fs::path whole = fs::weakly_canonical(folder, code);
    browser.folder = code ? folder : whole;
    browser.path = browser.folder.string();
    if (!browser.path.ends_with('/')) browser.path += '/';
    fs::directory_iterator entry(browser.folder, code), end;
    if (code) browser.error = code.message();
    for (; !code && entry != end; entry.increment(code)) {
        const std::string name = entry->path().filename().string();
        std::error_code ignored;
        const bool is_folder = entry->is_directory(ignored);
        if (name.starts_with('.') || (!is_folder && !can_open(entry->path()))) continue;
        browser.all.push_back(
            {name, is_folder, is_folder ? 0 : entry->file_size(ignored), entry->last_write_time(ignored)});
    }
    arrange(browser);
}

void arrange(Browser& browser) {
    const FileKind& kind = file_kinds()[static_cast<std::size_t>(browser.kind)];
    browser.entries.clear();
    for (const FolderEntry& entry : browser.all)
        if (is_of_kind(entry, kind)) browser.entries.push_back(entry);
    const std::string typed = fs::path(browser.path).filename().string();
    if (!typed.empty()) {
        std::vector<FolderEntry> fitting;
        for (const FolderEntry& entry : browser.entries)
            if (begins_with(entry.name, typed)) fitting.push_back(entry);
        if (!fitting.empty()) browser.entries = std::move(fitting);
    }
    std::ranges::sort(browser.entries, [&](const FolderEntry& a, const FolderEntry& b) {
        if (a.folder != b.folder) return a.folder;
        if (browser.sort == SortBy::date && a.written != b.written) return a.written > b.written;
        if (browser.sort == SortBy::size && a.size != b.size) return a.size > b.size;
        return a.name < b.name;
    });
}

void follow_typing(Browser& browser) {
    std::error_code code;
    const fs::path typed = browser.path;
    const fs::path folder = browser.path.ends_with('/') ? typed : typed.parent_path();
    if (!folder.empty() && fs::is_directory(folder, code) && !fs::equivalent(folder, browser.folder, code)) {
        const std::string text = browser.path;
        enter(browser, folder);
        browser.path = text;
    }
    browser.chosen.clear();
    arrange(browser);
    const std::string name = typed.filename().string();
    for (const FolderEntry& entry : browser.entries)
        if (!entry.folder && (entry.name == name || browser.entries.size() == 1)) browser.chosen = entry.name;
}

std::string date_text(const fs::file_time_type& time) {
    const auto ago = fs::file_time_type::clock::now() - time;
    const std::time_t when = std::chrono::system_clock::to_time_t(
        std::chrono::system_clock::now() -
        std::chrono::duration_cast<std::chrono::system_clock::duration>(ago));
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", std::localtime(&when));
    return text;
}

std::vector<Bookmark> bookmarks(std::span<const fs::path> recent) {
    std::vector<Bookmark> list;
    std::error_code code;
    const auto add = [&](std::string name, const fs::path& folder) {
        if (folder.empty() || !fs::is_directory(folder, code)) return;
        for (const Bookmark& bookmark : list)
            if (fs::equivalent(bookmark.folder, folder, code)) return;
        list.push_back({std::move(name), folder});
    };
    if (const fs::path home = home_folder(); !home.empty()) {
        add("Home", home);
        for (const char* name : {"Desktop", "Documents", "Downloads"}) add(name, home / name);
    }
    add("Here", fs::current_path(code));
    for (const fs::path& path : recent)
        if (list.size() < 9) add(path.parent_path().filename().string(), path.parent_path());
    for (const fs::path& drive : drives())
        add(drive.has_filename() ? drive.filename().string() : "Computer", drive);
    return list;
}

struct Preview::Answer : Monitor {
    std::mutex mutex;
    std::vector<std::string> lines = {"reading ..."};
    std::atomic<bool> stale = false;
    bool cancelled() const override { return stale; }
};

Preview::~Preview() {
    if (answer_) answer_->stale = true;
    if (thread_.joinable()) thread_.join();
}

std::vector<std::string> Preview::lines(const fs::path& path, const io::ReadOptions& options) {
    if (path.empty()) return {};
    if (path != path_ || !answer_) {
        if (answer_) answer_->stale = true;
        if (thread_.joinable()) thread_.join();
        path_ = path;
        answer_ = std::make_shared<Answer>();
        thread_ = std::thread([answer = answer_, path, options] {
            std::vector<std::string> lines;
            try {
                if (is_own(path))
                    lines = {"studio project", source_of(path).string()};
                else
                    lines = describe(open_document(path, options, *answer));
            } catch (const Cancelled&) {
                return;
            } catch (const std::exception& error) {
                lines = {error.what()};
            }
            const std::scoped_lock lock(answer->mutex);
            answer->lines = std::move(lines);
        });
    }
    const std::scoped_lock lock(answer_->mutex);
    return answer_->lines;
}

}  // namespace sinew::studio
