#pragma once
/// \file
/// Skin weights as a table: one line for each influence, `vertex,joint,weight`, vertices counted from 0 and
/// joints by name.

#include "sinew/io/io.h"

namespace sinew::io {

/// \throws Error when the asset has no skin.
std::string write_weights_csv(const Asset& asset, const std::filesystem::path& path,
                              const WriteOptions& options, Monitor& monitor);

/// Skin of a mesh with `vertex_count` vertices, bound at the rest pose of the skeleton. Fields are separated
/// by commas, semicolons or tabs; a first line of words is skipped. Vertices without a line are given to
/// the first joint, with the warning that `clean` gives.
/// \throws Error with the line of an unknown joint or vertex, or of a weight that is no number.
model::Skin read_weights_csv(Bytes bytes, std::string_view place, const model::Skeleton& skeleton,
                             std::size_t vertex_count, Monitor& monitor = silent());

}  // namespace sinew::io
