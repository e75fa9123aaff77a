#pragma once
/// \file
/// PC2 point caches: positions of every vertex in every frame, without triangles.

#include <vector>

#include "sinew/io/io.h"

namespace sinew::io {

/// The frames of a point cache.
struct PointCache {
    std::size_t points = 0;
    double rate = 30;  ///< frames a second
    std::vector<std::vector<geometry::Vec3f>> frames;
};

/// A cache counts time in frames of a scene whose speed it does not state; 30 a second are assumed.
inline constexpr double scene_rate = 30;

/// Where the frames of a cache are, so that one can be read without the others.
struct CacheLayout {
    std::size_t points = 0;
    std::size_t frames = 0;
    std::size_t first_byte = 0;
    double rate = scene_rate;
    bool big_endian = false;
};
/// \throws Error when the header is broken or the file too short for it.
CacheLayout pc2_layout(Bytes bytes, const std::filesystem::path& path, Monitor& monitor);

/// One frame. \throws Error naming the byte, the frame and the vertex of a position that is not finite.
std::vector<geometry::Vec3f> cache_frame(Bytes bytes, const CacheLayout& layout, std::size_t frame,
                                         const std::string& name);
/// All frames.
PointCache whole_cache(Bytes bytes, const CacheLayout& layout, const std::string& name, Monitor& monitor);

PointCache read_point_cache(Bytes bytes, const std::filesystem::path& path, Monitor& monitor);

/// The rest mesh is the one of the options, or a `rest` mesh file beside the cache.
Asset read_pc2(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);
std::string write_pc2(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor& monitor);

}  // namespace sinew::io
