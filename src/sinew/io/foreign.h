#pragma once
/// \file
/// Formats that another library reads, in a process of its own: FBX, Collada, .3ds, .blend and many more.

#include <filesystem>
#include <span>

#include "sinew/io/io.h"

namespace sinew::io {

/// What the importer may use before it is stopped.
struct ForeignLimits {
    std::uint64_t memory_bytes = std::uint64_t{4} << 30;  ///< address space
    double cpu_seconds = 120;
    double seconds = 180;           ///< by the clock on the wall
    std::filesystem::path program;  ///< the importer; empty looks for it
};

/// Runs `sinew-import IN OUT.glb` and reads what it wrote with our own reader. The importer may crash, hang
/// or eat memory on a broken file: that is an Error, nothing more. Its warnings come through the monitor.
/// \throws Error also when the importer is not installed.
Asset read_foreign_file(const std::filesystem::path& path, const ForeignLimits& limits, Monitor& monitor);

/// The same as a reader. Without a file of these bytes at `path` they are put into a temporary one. The
/// environment variable SINEW_IMPORT_SECONDS changes the limits of time.
Asset read_foreign(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options,
                   Monitor& monitor);

/// The importer: $SINEW_IMPORT, or `sinew-import` beside the running program or in a folder where it is
/// installed; empty when there is none.
std::filesystem::path find_importer();

}  // namespace sinew::io
