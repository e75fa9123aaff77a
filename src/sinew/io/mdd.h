#pragma once
/// \file
/// MDD point caches (LightWave): positions of every vertex in every frame with their times, without
/// triangles, all big-endian.

#include "sinew/io/sequence/sequence.h"

namespace sinew::io {

/// \throws Error when the header is broken or the file too short for it.
CacheLayout mdd_layout(Bytes bytes, const std::filesystem::path& path, Monitor& monitor);
PointCache read_mdd_cache(Bytes bytes, const std::filesystem::path& path, Monitor& monitor);

/// The rest mesh is the one of the options, or a `rest` mesh file beside the cache.
Asset read_mdd(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);
std::string write_mdd(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor& monitor);

}  // namespace sinew::io
