// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Files in, whole; files out, whole or not at all.
///
/// \code
/// const FileView file("man.obj");                     // mapped, not copied
/// parse(file.text());
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

/// The content of a file, mapped into memory for as long as this lives.
class FileView {
  public:
    /// \throws Error when the file cannot be opened or is a folder.
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

/// Writes beside the target, then renames: a failure leaves the old file, or none, never half a file.
/// \throws Error when the folder is missing or cannot be written.
void write_file(const std::filesystem::path& path, Bytes content);
inline void write_file(const std::filesystem::path& path, std::string_view content) {
    write_file(path, as_bytes(content));
}

/// A path beside `target` for a program that insists on writing the file itself; `commit` renames it into
/// place, the destructor removes it when that did not happen.
class PendingFile {
  public:
    explicit PendingFile(std::filesystem::path target);
    PendingFile(const PendingFile&) = delete;
    PendingFile& operator=(const PendingFile&) = delete;
    ~PendingFile();
    const std::filesystem::path& path() const { return temporary_; }
    void commit();

  private:
    std::filesystem::path target_;
    std::filesystem::path temporary_;
    bool committed_ = false;
};

/// Ends the process at once, without waiting for work that runs: no file that is being written by a
/// PendingFile appears or is left half written.
/// \param exit_code what the process returns
[[noreturn]] void quit_without_pending_files(int exit_code);

/// The suffix in lower case without the dot: "Walk.BVH" gives "bvh".
std::string suffix(const std::filesystem::path& path);

/// When the content of a mapped file comes into memory.
enum class MapAccess {
    whole,     ///< at once, for what is read from end to end anyway
    in_parts,  ///< where it is looked at
};

/// The content of a file, read-only; `unmap_file` ends it.
/// \throws Error when the file cannot be opened or is a folder.
Bytes map_file(const std::filesystem::path& path, MapAccess access);
void unmap_file(Bytes bytes);

/// A file that may be larger than memory: pages come where they are looked at, and `release` gives them back.
class PartView {
  public:
    /// \throws Error when the file cannot be opened or is a folder.
    explicit PartView(const std::filesystem::path& path) : bytes_(map_file(path, MapAccess::in_parts)) {}
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
