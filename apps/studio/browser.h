// SPDX-License-Identifier: MIT
#pragma once
// The contents of a folder for the dialogs: sorted, filtered by kind and by the typed text, with folders to
// go to.

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
    std::vector<FolderEntry> entries;  ///< those of them that are shown: folders first
    std::string path;                  ///< as typed
    std::string error;
    SortBy sort = SortBy::name;
    int kind = 0;        ///< of file_kinds()
    std::string chosen;  ///< name of the file that is selected; empty for none
};

/// Filters for a list; the first is everything that can be read.
struct FileKind {
    const char* name;
    std::vector<io::Family> families;  ///< empty for all
};
std::span<const FileKind> file_kinds();

/// Opens a folder; one that cannot be read shows the reason and has no entries.
void enter(Browser& browser, const std::filesystem::path& folder);
/// Sorts and filters again. If names begin with the typed text, only those are listed.
void arrange(Browser& browser);
/// The typed text is the path of another folder, or the beginning of a name in this one.
void follow_typing(Browser& browser);
/// True when a suffix belongs to a format that is read.
bool can_open(const std::filesystem::path& path);

/// Day and time for lists.
std::string date_text(const std::filesystem::file_time_type& time);

/// Home, current folder, drives, and the folders of recent files.
std::vector<Bookmark> bookmarks(std::span<const std::filesystem::path> recent);

/// Describes the contents of a file, in the background; only the last request is answered.
class Preview {
  public:
    Preview() = default;
    ~Preview();
    Preview(const Preview&) = delete;
    Preview& operator=(const Preview&) = delete;
    /// Lines for the user, as far as they are known.
    std::vector<std::string> lines(const std::filesystem::path& path, const io::ReadOptions& options);

  private:
    struct Answer;
    std::shared_ptr<Answer> answer_;
    std::filesystem::path path_;
    std::thread thread_;
};

}  // namespace sinew::studio
