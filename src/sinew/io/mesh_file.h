#pragma once
/// \file
/// What the readers and writers of plain mesh formats share.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

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
using MeshReader = MeshFile (*)(Bytes bytes, const std::filesystem::path& path, Monitor& monitor,
                                const MeshFile* first);

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
void warn_lost(const geometry::Mesh& mesh, const std::string& place, const MeshFormatTraits& traits,
               Monitor& monitor);

/// The mesh that a plain mesh format writes: the character's at rest, or the rest mesh of a sequence. Warns
/// about everything that the format cannot hold (`lost-rig`, `lost-frames`, and those of `warn_lost`).
/// \throws Error when there is no mesh.
const geometry::Mesh& mesh_to_write(const Asset& asset, const std::filesystem::path& path,
                                    const MeshFormatTraits& traits, Monitor& monitor);

/// A header's count, checked against what the file could hold: at least `bytes_each` for each item.
/// \throws Error at `place` when the file is too short.
void check_count(std::uint64_t count, std::uint64_t bytes_each, std::size_t bytes_left, std::string_view what,
                 std::string_view place);

/// Fills normals that a file left out or gave as zero (those whose length is 0) from the triangles and warns;
/// scales those that are off by more than rounding to unit length.
void complete_normals(geometry::Mesh& mesh, std::string_view place, Monitor& monitor);

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

}  // namespace sinew::io
