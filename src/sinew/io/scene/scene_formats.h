// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Readers of scenes: DirectX, and all formats of the importer.

#include <filesystem>
#include <span>

#include "sinew/io/io.h"

namespace sinew::io {

/// DirectX .x files.
///
/// Text files are read here: frames, meshes with normals, texture coordinates, colours, materials, skin
/// weights and animation sets (each a clip). Binary and compressed ones go to the importer.
///
/// The format is left-handed and multiplies row vectors from the left. With S = diag(1, 1, -1):
///
///     p = S p_file     M = S M_file^T S     q = (w; -x, -y, z) of the conjugate of the stored (w; x y z)
///
/// and faces are reversed. Animation keys replace the matrix of a frame. Invalid content is repaired:
/// `x-bad-faces` (corners out of range or fewer than three: dropped), `x-normals` (unfit for the faces: left
/// out), `x-materials` (indices out of range or too few), `x-unknown-bone` (weights for a missing frame: a
/// joint is added), `x-weights` (counts or vertices out of range), `x-unknown-frame` (an animation of
/// nothing), `x-reference` (to something missing), `x-key-order` (sorted; of several keys at one time the
/// last stays), `x-keys` (of a type or length that is not known), `x-duplicate-frame` (the first is meant),
/// `x-shear`.
/// \throws Error with the line.
Asset read_x(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);

/// Resource limits of the importer.
struct ImportLimits {
    std::uint64_t memory_bytes = std::uint64_t{4} << 30;  ///< address space
    double cpu_seconds = 120;
    double seconds = 180;           ///< wall time
    std::filesystem::path program;  ///< path of the importer; empty searches for it
    bool allow_outside = false;     ///< see ReadOptions
};

/// Runs `sinew-import IN OUT.glb [--allow-outside]` and reads its output with our own reader. If the importer
/// crashes, hangs or exhausts its memory on an invalid file, this is only an Error. Its warnings are sent to
/// the monitor.
/// \throws Error as above, and when the importer is not installed
Asset import_file(const std::filesystem::path& path, const ImportLimits& limits, Monitor& monitor);

/// The same as a reader. If the file at `path` does not have these bytes, they are written to a temporary
/// file. The environment variable SINEW_IMPORT_SECONDS sets the time limits.
Asset read_imported(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options,
                    Monitor& monitor);

/// The importer: $SINEW_IMPORT, or `sinew-import` beside the running program or in the installation folders;
/// empty when there is none.
std::filesystem::path find_importer();

}  // namespace sinew::io
