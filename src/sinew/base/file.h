// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Files in, whole; files out, whole or not at all.
///
/// \code
/// const FileView file("man.obj");                     // mapped, not copied
/// parse(file.text());
/// check_mapped_files();                               // nobody cut it meanwhile
/// write_file("copy.obj", file.bytes());              // beside the target, then renamed
/// \endcode

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

using Bytes = std::span<const std::byte>;

/// The content of a file, mapped into memory for as long as this lives: pages come where they are looked at.
/// A file that another program cuts meanwhile reads as zeros from there on; `check_mapped_files` reports it.
class FileView {
  public:
    /// \throws Error when the file cannot be opened, or is a folder, a device or a pipe.
    explicit FileView(const std::filesystem::path& path);
    FileView(FileView&& other) noexcept;
    FileView& operator=(FileView&&) = delete;
    ~FileView();

    Bytes bytes() const { return {data_, size_}; }
    std::string_view text() const { return {reinterpret_cast<const char*>(data_), size_}; }

  private:
    const std::byte* data_ = nullptr;
    std::size_t size_ = 0;
};

inline Bytes as_bytes(std::string_view text) {
    return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}
inline std::string_view as_text(Bytes bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// \throws Error naming a file that became shorter while it was mapped, once for each.
void check_mapped_files();

/// True for "-", and for "-.bvh", whose suffix is the format; also for the names that the system has for
/// standard output, such as /dev/stdout.
bool is_standard_output(const std::filesystem::path& path);

/// When content must have reached the disk.
enum class Sync { at_once, later };

/// Writes beside the target, then renames: a failure leaves the old file, or none, never half a file. A
/// symbolic link is followed and stays; a file that is replaced keeps its mode; what is no regular file
/// (a device, a pipe, standard output) is written through. File and folder have reached the disk at the end,
/// unless `sync` leaves that to the folder that they are a part of.
/// \throws Error when the folder is missing or cannot be written.
void write_file(const std::filesystem::path& path, Bytes content, Sync sync = Sync::at_once);
inline void write_file(const std::filesystem::path& path, std::string_view content,
                       Sync sync = Sync::at_once) {
    write_file(path, as_bytes(content), sync);
}

/// A path beside `target` for content that is written piece by piece, or by another program: a file or a
/// folder. `commit` renames it into place by the rules of write_file, the destructor removes it when that did
/// not happen. The path is the target itself when that is no regular file.
class PendingFile {
  public:
    /// \throws Error when the target is a loop of symbolic links, or closed for writing.
    explicit PendingFile(const std::filesystem::path& target);
    PendingFile(const PendingFile&) = delete;
    PendingFile& operator=(const PendingFile&) = delete;
    ~PendingFile();
    const std::filesystem::path& path() const { return temporary_; }
    bool writes_through() const { return through_; }
    /// \throws Error when nothing was written, or it cannot be renamed.
    void commit(Sync sync = Sync::at_once);

  private:
    std::filesystem::path target_;
    std::filesystem::path temporary_;
    bool through_ = false;
    bool committed_ = false;
};

/// A file that is written from its beginning to its end, a piece at a time, by the rules of write_file.
class FileWriter {
  public:
    /// \throws Error when it cannot be written.
    explicit FileWriter(const std::filesystem::path& path);
    ~FileWriter();
    FileWriter(const FileWriter&) = delete;
    FileWriter& operator=(const FileWriter&) = delete;
    /// \throws Error when there is no space left, for example.
    void append(Bytes content);
    /// Nothing appears before this.
    void commit(Sync sync = Sync::at_once);

  private:
    std::string name_;
    PendingFile pending_;
    int file_ = -1;
};

/// Ends the process at once, without waiting for work that runs: nothing that is being written by a
/// PendingFile appears or is left half written.
/// \param exit_code what the process returns
[[noreturn]] void quit_without_pending_files(int exit_code);

/// The suffix in lower case without the dot: "Walk.BVH" gives "bvh".
std::string suffix(const std::filesystem::path& path);

/// The content of a file, read-only; `unmap_file` ends it. See FileView.
Bytes map_file(const std::filesystem::path& path);
void unmap_file(Bytes bytes);

/// A file that may be larger than memory: `release` gives back the pages that were looked at.
class PartView {
  public:
    /// \throws Error when the file cannot be opened or is a folder.
    explicit PartView(const std::filesystem::path& path) : bytes_(map_file(path)) {}
    PartView(const PartView&) = delete;
    PartView& operator=(const PartView&) = delete;
    ~PartView() { unmap_file(bytes_); }

    Bytes bytes() const { return bytes_; }
    /// Gives back the memory of what was looked at; it comes again from the file when it is needed.
    void release() const;

  private:
    Bytes bytes_;
};

}  // namespace sinew
