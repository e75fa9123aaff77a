#pragma once
/// \file
/// .skel: a hierarchy of parts with the angles that each joint may turn.
///
///     Name xmin xmax ymin ymax zmin zmax
///     {
///         Child -30 30 0 150 -10 10
///         {
///             End Site
///         }
///     }

#include "sinew/io/io.h"

namespace sinew::io {

/// Degrees, relative to rest. `End Site` may have braces of its own or none; a leaf may have no braces at
/// all; white space is free, and # or // start a comment. Joints stand at the origin: the format has no
/// places. Warnings: `skel-rest-outside-limits`, `skel-limits-order` (turned round), `skel-several-roots`,
/// `skel-name` (doubled).
/// \throws Error with the line.
Asset read_skel(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);

/// Numbers are the shortest that read back as the same limits; an axis without limits is -inf inf. Warnings:
/// `skel-lost-places` (the skeleton has offsets or rest rotations), `skel-name` (a name had to change).
std::string write_skel(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                       Monitor& monitor);

}  // namespace sinew::io
