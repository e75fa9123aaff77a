#pragma once
/// \file
/// PC2 point caches: positions of every vertex in every frame, without triangles.

#include <vector>

#include "sinew/io/asset.h"

namespace sinew::io {

/// The frames of a point cache.
struct PointCache {
    std::size_t points = 0;
    double rate = 30;  ///< frames a second
    std::vector<std::vector<geometry::Vec3f>> frames;
};

/// A cache counts time in frames of a scene whose speed it does not state; 30 a second are assumed.
inline constexpr double scene_rate = 30;

PointCache read_point_cache(Bytes bytes, const std::filesystem::path& path, Monitor& monitor);

/// The rest mesh is the one of the options, or a `rest` mesh file beside the cache.
Asset read_pc2(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);
std::string write_pc2(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor& monitor);

}  // namespace sinew::io
