// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Readers of scenes: DirectX, and what the importer reads.

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
/// and faces turn round. Animation keys replace a frame's own matrix. What is broken is repaired by rule:
/// `x-bad-faces` (corners out of range or fewer than three: dropped), `x-normals` (unfit for the faces: left
/// out), `x-materials` (indices out of range or too few), `x-unknown-bone` (weights for a missing frame: a
/// joint is added), `x-weights` (counts or vertices out of range), `x-unknown-frame` (an animation of
/// nothing), `x-reference` (to something missing), `x-key-order` (sorted; of several keys at one time the
/// last stays), `x-keys` (of a type or length that is not known), `x-duplicate-frame` (the first is meant),
/// `x-shear`.
/// \throws Error with the line.
Asset read_x(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);

/// What the importer may use before it is stopped.
struct ImportLimits {
    std::uint64_t memory_bytes = std::uint64_t{4} << 30;  ///< address space
    double cpu_seconds = 120;
    double seconds = 180;           ///< by the clock on the wall
    std::filesystem::path program;  ///< the importer; empty looks for it
    bool allow_outside = false;     ///< see ReadOptions
};

/// Runs `sinew-import IN OUT.glb [--allow-outside]` and reads what it wrote with our own reader. The importer
/// may crash, hang or eat memory on a broken file: that is an Error, nothing more. Its warnings come through
/// the monitor.
/// \throws Error also when the importer is not installed.
Asset import_file(const std::filesystem::path& path, const ImportLimits& limits, Monitor& monitor);

/// The same as a reader. Without a file of these bytes at `path` they are put into a temporary one. The
/// environment variable SINEW_IMPORT_SECONDS changes the limits of time.
Asset read_imported(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options,
                    Monitor& monitor);

/// The importer: $SINEW_IMPORT, or `sinew-import` beside the running program or in a folder where it is
/// installed; empty when there is none.
std::filesystem::path find_importer();

}  // namespace sinew::io
