// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Common functions of the readers and writers of mesh formats.

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/geometry/mesh.h"
#include "sinew/io/io.h"

namespace sinew::io {

/// A mesh as read from its file, with data to compare it with later frames of a sequence.
struct MeshFile {
    geometry::Mesh mesh;
    std::size_t file_vertices =
        0;  ///< number of vertices in the file; vertices after them are splits at seams
    std::vector<std::uint32_t> split_source;  ///< file vertex that mesh vertex file_vertices + i repeats
    std::string_view face_text;    ///< text of the file from the first face on; empty for binary files
    std::size_t other_counts = 0;  ///< hash of the counts that the meaning of the face text depends on
    bool same_faces = false;  ///< the face text equals that of the first frame, so triangles were not parsed
};

/// Reads a mesh. With `first`, the first frame of a sequence, only data that can differ between frames is
/// read: no materials, polygons triangulated as in the first frame regardless of their present shape, and no
/// triangles if the text of the faces is equal (`same_faces` is then set).
using MeshReader = MeshFile (*)(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options,
                                Monitor& monitor, const MeshFile* first);

/// The asset of a plain mesh file.
Asset mesh_asset(MeshFile file, const std::filesystem::path& path);

/// What a mesh format can hold besides positions and triangles.
struct MeshFormatTraits {
    std::string_view name;
    bool materials = false;
    bool parts = false;
    bool colors = true;
    bool uvs = true;
    bool normals = true;
};

/// Warns about parts of a mesh that the format cannot store (`lost-morphs`, `lost-materials`, `lost-parts`,
/// ...).
void warn_lost(const geometry::Mesh& mesh, const std::string& location, const MeshFormatTraits& traits,
               Monitor& monitor);

/// The mesh to write: the character's rest mesh, or the rest mesh of a sequence. Warns about everything that
/// the format cannot store (`lost-rig`, `lost-frames`, and those of `warn_lost`).
/// \throws Error when there is no mesh
const geometry::Mesh& mesh_to_write(const Asset& asset, const std::filesystem::path& path,
                                    const MeshFormatTraits& traits, Monitor& monitor);

/// Checks a count of a header against the size of the file: at least `bytes_each` per item.
/// \throws Error at `location` when the file is too short
void check_count(std::uint64_t count, std::uint64_t bytes_each, std::size_t bytes_left, std::string_view what,
                 std::string_view location);

/// Computes missing or zero normals from the triangles, with a warning; normalises those whose length is
/// wrong by more than rounding.
void complete_normals(geometry::Mesh& mesh, std::string_view location, Monitor& monitor);

/// Converts the second texture coordinate, which files count upwards and the library downwards. Computed in
/// double precision, so that converting twice changes nothing.
inline float flipped(double v) {
    return static_cast<float>(1.0 - v);
}
/// True when 1 - v survives being stored as a float.
inline bool flips_exactly(float v) {
    return flipped(flipped(static_cast<double>(v))) == v;
}

/// The shortest text of 1 - v that reads back as v.
std::string flipped_text(float v);

/// Converts colours of files (sRGB) to linear.
float linear_from_srgb(float value);
float srgb_from_linear(float value);
/// The same from and to 8 bits.
float linear_from_byte(std::uint8_t value);
std::uint8_t byte_from_linear(float value);
/// True when every colour is one that 8-bit channels hold exactly (alpha is linear, channels are sRGB).
bool fits_bytes(const std::vector<geometry::Vec4f>& colors);

/// Assigns vertices to corners. The first use of position p is vertex p; each further combination of texture
/// coordinate and normal with p gets the next index after the positions, in the order of first use. So vertex
/// i < position_count() is position i of the file.
class CornerTable {
  public:
    static constexpr std::int32_t none = -1;

    /// `plain` are triangles whose corners have neither texture coordinate nor normal.
    CornerTable(std::size_t position_count, std::span<const geometry::Triangle> plain);

    /// The vertex of a corner; `uv` and `normal` are indices or `none`.
    std::uint32_t vertex(std::uint32_t position, std::int32_t uv, std::int32_t normal);

    std::size_t vertex_count() const { return uses_.size(); }
    std::size_t position_count() const { return positions_; }
    /// Position that split vertex position_count() + i repeats.
    const std::vector<std::uint32_t>& sources() const { return sources_; }
    std::vector<std::uint32_t> take_sources() { return std::move(sources_); }
    /// Index or `none`.
    std::int32_t uv(std::size_t vertex) const { return std::max(uses_[vertex].uv, none); }
    std::int32_t normal(std::size_t vertex) const { return std::max(uses_[vertex].normal, none); }

  private:
    struct Use {
        std::int32_t uv;
        std::int32_t normal;
        bool operator==(const Use&) const = default;
    };
    static constexpr std::int32_t unused = -2;

    std::uint32_t split(std::uint32_t position, Use use);
    std::size_t bucket(std::uint32_t position, Use use) const;
    void grow();

    std::vector<Use> uses_;               ///< of every vertex
    std::vector<std::uint32_t> sources_;  ///< of the splits
    std::vector<std::uint32_t> buckets_;  ///< 1 + number of a split, or 0; open addressing, a power of two
    std::size_t positions_ = 0;
};

/// Triangulates a polygon with at least three corners; `corners.size() - 2` triangles of corner indices are
/// appended. A convex polygon becomes a fan from its first corner; others are cut by ear clipping in the
/// plane of their Newell normal. A self-intersecting polygon gives triangles that cover its corners. \returns
/// false when a non-convex polygon has too many corners for ear clipping and became a fan
bool triangulate(std::span<const geometry::Vec3f> corners, std::vector<geometry::Triangle>& triangles);

/// The same for corners that are vertices of a mesh: triangles of `vertices`, whose positions are in
/// `positions`.
bool triangulate(std::span<const std::uint32_t> vertices, std::span<const geometry::Vec3f> positions,
                 std::vector<geometry::Triangle>& triangles);

/// Polygons with more corners become a fan, because ear clipping takes quadratic time.
inline constexpr std::size_t max_clipped_corners = 1000;

}  // namespace sinew::io
