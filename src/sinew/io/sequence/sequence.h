// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Mesh sequences: folders of frames, and point caches with their rest mesh.

#include <vector>

#include "sinew/base/file.h"
#include "sinew/io/io.h"
#include "sinew/io/mesh/mesh_file.h"

namespace sinew::io {

/// The frames of a point cache.
struct PointCache {
    std::size_t points = 0;
    double rate = 30;  ///< frames per second
    std::vector<std::vector<geometry::Vec3f>> frames;
};

/// Caches count time in frames of a scene with unknown rate; 30 per second are assumed.
inline constexpr double scene_rate = 30;

/// Layout of a cache, for random access to its frames.
struct CacheLayout {
    std::size_t points = 0;
    std::size_t frames = 0;
    std::size_t first_byte = 0;
    double rate = scene_rate;
    bool big_endian = false;
};
/// \throws Error when the header is invalid or the file is too short for it
CacheLayout pc2_layout(Bytes bytes, const std::filesystem::path& path, Monitor& monitor);

/// One frame. \throws Error naming the byte, the frame and the vertex of a position that is not finite.
std::vector<geometry::Vec3f> cache_frame(Bytes bytes, const CacheLayout& layout, std::size_t frame,
                                         const std::string& name);
/// All frames.
PointCache whole_cache(Bytes bytes, const CacheLayout& layout, const std::string& name, Monitor& monitor);

PointCache read_point_cache(Bytes bytes, const std::filesystem::path& path, Monitor& monitor);

/// PC2 point caches: positions of every vertex in every frame, without triangles.
///
/// The rest mesh is the one of the options, or a `rest` mesh file beside the cache.
Asset read_pc2(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);
std::string write_pc2(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor& monitor);

/// \throws Error when the header is invalid or the file is too short for it
CacheLayout mdd_layout(Bytes bytes, const std::filesystem::path& path, Monitor& monitor);
PointCache read_mdd_cache(Bytes bytes, const std::filesystem::path& path, Monitor& monitor);

/// MDD point caches (LightWave): positions of every vertex in every frame with their times, without
/// triangles, all big-endian.
///
/// The rest mesh is the one of the options, or a `rest` mesh file beside the cache.
Asset read_mdd(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);
std::string write_mdd(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor& monitor);

/// Reads a folder as a sequence. The frames are the OBJ, OFF or PLY files in it, in natural order of their
/// names
/// ("f2" before "f10"), or in its folder `frames`, or those of its `animation.pc2` or
/// `animation.mdd`. The rest mesh is the one
/// of the options, or `rest.obj` (or .off, .ply) in the folder, or the first frame.
Asset read_sequence_folder(const std::filesystem::path& folder, const ReadOptions& options, Monitor& monitor);

/// Writes `rest.obj` and `frames/0001.obj` ... to a folder. An existing folder is replaced if it contains
/// nothing but a sequence. \throws Error when it contains anything else
void write_sequence_folder(const std::filesystem::path& folder, const Asset& asset,
                           const WriteOptions& options, Monitor& monitor);

/// The rest mesh file in a folder, or an empty path.
std::filesystem::path find_rest(const std::filesystem::path& folder);

/// The rest mesh of a point cache: the one of the options, or the one beside it. \throws Error without one.
std::filesystem::path rest_of_cache(const std::filesystem::path& path, const ReadOptions& options);

/// A rest mesh in any format of the table. Mesh formats also state which vertices are splits.
MeshFile read_rest(const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);

/// Positions of the file's vertices, followed by those of the splits of the rest mesh.
void add_splits(std::vector<geometry::Vec3f>& positions, const MeshFile& rest);

/// \throws Error when the vertex count of a cache is neither that of the rest file nor that including its
/// splits
void check_points(std::size_t points, const MeshFile& rest, const std::filesystem::path& path,
                  const std::filesystem::path& rest_path);

/// A point cache with its mesh. \throws Error when their vertex counts differ
Asset cached_sequence(PointCache cache, const std::filesystem::path& path, const ReadOptions& options,
                      Monitor& monitor);

/// Natural order of names: runs of digits compare as numbers.
bool natural_less(std::string_view a, std::string_view b);

}  // namespace sinew::io
