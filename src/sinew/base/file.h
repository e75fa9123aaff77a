// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Reading whole files by memory mapping; writing files atomically, complete or not at all.
///
/// \code
/// const FileView file("man.obj");                     // mapped, not copied
/// parse(file.text());
/// check_mapped_files();                               // throws if another program truncated it
/// write_file("copy.obj", file.bytes());               // writes a temporary file, then renames it
/// \endcode

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

using Bytes = std::span<const std::byte>;

/// The content of a file, mapped into memory during the lifetime of this object; pages are loaded when they
/// are read. If another program truncates the file meanwhile, the missing part reads as zeros and
/// `check_mapped_files` reports it.
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

/// Checks the files that are mapped now.
/// \throws Error naming a file that became shorter while it was mapped; each file is reported once.
void check_mapped_files();

/// True for "-", for "-.bvh" (standard output in the format of that suffix) and for the system's names of
/// standard output, such as /dev/stdout.
bool is_standard_output(const std::filesystem::path& path);

/// When the content must have reached the disk: before the call returns, or later.
enum class Sync { at_once, later };

/// Writes a temporary file beside the target, then renames it: a failure leaves the old file or none, never a
/// half-written one. Symbolic links are followed and kept. A replaced file keeps its permissions. A target
/// that is not a regular file (a device, a pipe, standard output) is written directly.
///
/// \param path the target
/// \param content all bytes of the new file
/// \param sync `at_once` returns after file and folder have reached the disk; `later` skips this wait, for
/// files of a folder that is committed as a whole
/// \throws Error when the folder is missing or not writable
void write_file(const std::filesystem::path& path, Bytes content, Sync sync = Sync::at_once);
inline void write_file(const std::filesystem::path& path, std::string_view content,
                       Sync sync = Sync::at_once) {
    write_file(path, as_bytes(content), sync);
}

/// A temporary path beside `target`, for content that is written in pieces or by another program: a file or a
/// folder. `commit` renames it to the target by the rules of write_file; without `commit` the destructor
/// deletes it. If the target exists and is not a regular file, the path is the target itself.
class PendingFile {
  public:
    /// \throws Error when the target is a cycle of symbolic links or is write-protected
    explicit PendingFile(const std::filesystem::path& target);
    PendingFile(const PendingFile&) = delete;
    PendingFile& operator=(const PendingFile&) = delete;
    ~PendingFile();
    const std::filesystem::path& path() const { return temporary_; }
    bool writes_through() const { return through_; }
    /// Renames the temporary file to the target.
    /// \throws Error when nothing was written or renaming fails
    void commit(Sync sync = Sync::at_once);

  private:
    std::filesystem::path target_;
    std::filesystem::path temporary_;
    bool through_ = false;
    bool committed_ = false;
};

/// Writes a file from beginning to end in pieces, by the rules of write_file.
class FileWriter {
  public:
    /// \throws Error when the file cannot be written
    explicit FileWriter(const std::filesystem::path& path);
    ~FileWriter();
    FileWriter(const FileWriter&) = delete;
    FileWriter& operator=(const FileWriter&) = delete;
    /// \throws Error when writing fails, for example because the disk is full
    void append(Bytes content);
    /// Makes the file appear under its name; before this call nothing is visible there.
    void commit(Sync sync = Sync::at_once);

  private:
    std::string name_;
    PendingFile pending_;
    int file_ = -1;
};

/// Ends the process immediately, without waiting for running work. Files that a PendingFile is writing do not
/// appear, and no half-written file is left.
/// \param exit_code the exit code of the process
[[noreturn]] void quit_without_pending_files(int exit_code);

/// The file suffix in lower case without the dot: "Walk.BVH" gives "bvh".
std::string suffix(const std::filesystem::path& path);

/// Maps the content of a file read-only; release it with `unmap_file`. See FileView.
Bytes map_file(const std::filesystem::path& path);
void unmap_file(Bytes bytes);

/// Mapped view of a file that may be larger than memory: `release` frees the pages that were read.
class PartView {
  public:
    /// \throws Error when the file cannot be opened or is a folder.
    explicit PartView(const std::filesystem::path& path) : bytes_(map_file(path)) {}
    PartView(const PartView&) = delete;
    PartView& operator=(const PartView&) = delete;
    ~PartView() { unmap_file(bytes_); }

    Bytes bytes() const { return bytes_; }
    /// Frees the memory of the pages that were read; they are read from the file again when needed.
    void release() const;

  private:
    Bytes bytes_;
};

}  // namespace sinew
