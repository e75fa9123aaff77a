#pragma once
/// \file
/// Files that are mapped into memory, at once or piece by piece.

#include "sinew/base/file.h"

namespace sinew {

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
