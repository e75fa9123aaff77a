// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// What the readers and writers of plain mesh formats share.

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

/// A mesh as its file gave it, with what the later frames of a sequence are compared with.
struct MeshFile {
    geometry::Mesh mesh;
    std::size_t file_vertices = 0;  ///< vertices counted in the file; those behind them are splits at seams
    std::vector<std::uint32_t> split_source;  ///< file vertex that mesh vertex file_vertices + i repeats
    std::string_view face_text;    ///< of the file's text, from the first face on; empty when binary
    std::size_t other_counts = 0;  ///< a digest of counts that give the face text its meaning
    bool same_faces = false;       ///< face text equals that of the first frame: triangles were not parsed
};

/// Reads a mesh. With `first`, the first frame of a sequence, only what can differ in a later frame is
/// wanted: no materials, polygons cut as in the first frame whatever their shape now, and no triangles at all
/// when the text of the faces is the same (then `same_faces` is set).
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

/// Warns about what of a mesh the format cannot hold (`lost-morphs`, `lost-materials`, `lost-parts`, ...).
void warn_lost(const geometry::Mesh& mesh, const std::string& location, const MeshFormatTraits& traits,
               Monitor& monitor);

/// The mesh that a plain mesh format writes: the character's at rest, or the rest mesh of a sequence. Warns
/// about everything that the format cannot hold (`lost-rig`, `lost-frames`, and those of `warn_lost`).
/// \throws Error when there is no mesh.
const geometry::Mesh& mesh_to_write(const Asset& asset, const std::filesystem::path& path,
                                    const MeshFormatTraits& traits, Monitor& monitor);

/// A header's count, checked against what the file could hold: at least `bytes_each` for each item.
/// \throws Error at `location` when the file is too short.
void check_count(std::uint64_t count, std::uint64_t bytes_each, std::size_t bytes_left, std::string_view what,
                 std::string_view location);

/// Fills normals that a file left out or gave as zero (those whose length is 0) from the triangles and warns;
/// scales those that are off by more than rounding to unit length.
void complete_normals(geometry::Mesh& mesh, std::string_view location, Monitor& monitor);

/// The second texture coordinate of a file counts upwards, ours downwards. The difference is taken in double,
/// so that both ways together change nothing.
inline float flipped(double v) {
    return static_cast<float>(1.0 - v);
}
/// True when 1 - v survives being stored as a float.
inline bool flips_exactly(float v) {
    return flipped(flipped(static_cast<double>(v))) == v;
}

/// The shortest text of 1 - v that reads back as v.
std::string flipped_text(float v);

/// Colours of files are as the screen shows them (sRGB); ours are linear.
float linear_from_srgb(float value);
float srgb_from_linear(float value);
/// The same from and to 8 bits.
float linear_from_byte(std::uint8_t value);
std::uint8_t byte_from_linear(float value);
/// True when every colour is one that 8-bit channels hold exactly (alpha is linear, channels are sRGB).
bool fits_bytes(const std::vector<geometry::Vec4f>& colors);

/// The first use of position p is vertex p itself; every other combination with p gets the next number behind
/// the positions, in the order of first use. So vertex i < position_count() is position i of the file,
/// whatever the seams.
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

/// Cuts a polygon with at least three corners into `corners.size() - 2` triangles of corner numbers, which
/// are appended. A convex polygon becomes the fan of its first corner; others are cut ear by ear in the plane
/// of their Newell normal. A polygon that crosses itself gives triangles that cover its corners, nothing
/// better exists.
/// \returns false when a polygon that is not convex has too many corners to look for ears and became a fan.
bool triangulate(std::span<const geometry::Vec3f> corners, std::vector<geometry::Triangle>& triangles);

/// The same for corners that are vertices of a mesh: triangles of `vertices`, whose positions are in
/// `positions`.
bool triangulate(std::span<const std::uint32_t> vertices, std::span<const geometry::Vec3f> positions,
                 std::vector<geometry::Triangle>& triangles);

/// More corners than this are only cut as a fan: clipping costs the square of the count.
inline constexpr std::size_t max_clipped_corners = 1000;

}  // namespace sinew::io
