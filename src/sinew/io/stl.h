#pragma once
/// \file
/// STL, text and binary.

#include "sinew/io/mesh/mesh_file.h"

namespace sinew::io {

/// The loose facets are joined where their corners have exactly the same position. A file whose length is
/// that of a binary one is binary even when it starts with "solid".
Asset read_stl(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);

/// Binary unless the options ask for text.
std::string write_stl(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor& monitor);

}  // namespace sinew::io
