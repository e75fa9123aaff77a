// SPDX-License-Identifier: MIT
#pragma once
// A folder, as the dialogs show it: sorted, filtered by kind and by what is typed, with places to go to.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "sinew/io/io.h"

namespace sinew::studio {

struct FolderEntry {
    std::string name;
    bool folder = false;
    std::uintmax_t size = 0;
    std::filesystem::file_time_type written;
};

enum class SortBy { name, date, size };

struct Bookmark {
    std::string name;
    std::filesystem::path folder;
};

struct Browser {
    std::filesystem::path folder;
    std::vector<FolderEntry> all;      ///< folders and files that can be opened
    std::vector<FolderEntry> entries;  ///< of them what is shown: folders first
    std::string path;                  ///< as typed
    std::string error;
    SortBy sort = SortBy::name;
    int kind = 0;        ///< of file_kinds()
    std::string chosen;  ///< name of the file that is selected; empty for none
};

/// What a list can be limited to; the first is everything that can be read.
struct FileKind {
    const char* name;
    std::vector<io::Family> families;  ///< empty for all
};
std::span<const FileKind> file_kinds();

/// Goes to a folder; one that cannot be read shows why and has no entries.
void enter(Browser& browser, const std::filesystem::path& folder);
/// Sorts and filters again. Names that begin as the typed one does come alone, when there are any.
void arrange(Browser& browser);
/// What was typed leads to another folder, or is the beginning of a name here.
void follow_typing(Browser& browser);
/// True when a suffix belongs to a format that is read.
bool can_open(const std::filesystem::path& path);

/// Day and time, as lists show them.
std::string date_text(const std::filesystem::file_time_type& time);

/// Home, here, drives, and the folders of recent files.
std::vector<Bookmark> bookmarks(std::span<const std::filesystem::path> recent);

/// Says of a file what is in it, in the background; the last one that was asked for counts.
class Preview {
  public:
    Preview() = default;
    ~Preview();
    Preview(const Preview&) = delete;
    Preview& operator=(const Preview&) = delete;
    /// Lines for a person, as far as they are known.
    std::vector<std::string> lines(const std::filesystem::path& path, const io::ReadOptions& options);

  private:
    struct Answer;
    std::shared_ptr<Answer> answer_;
    std::filesystem::path path_;
    std::thread thread_;
};

}  // namespace sinew::studio
