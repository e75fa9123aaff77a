// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Reading and writing files: one table maps each suffix to a reader and a writer.
///
/// \code
/// io::Asset asset = io::read("walk.bvh", {.units = "cm"});
/// io::write("walk.glb", asset);
/// \endcode
///
/// What is read (r) and written (w) per format:
///
/// | suffix         | mesh | materials | skeleton | skin | morphs | motion | sequence | trial | gait cycle |
/// |----------------|------|-----------|----------|------|--------|--------|----------|-------|------------|
/// | glb gltf       | rw   | rw        | rw       | rw   | rw     | rw     | w        |       |            |
/// | fbx            | rw   | rw        | rw       | rw   | rw     | rw     |          |       |            |
/// | vrm            | rw   | rw        | rw       | rw   | rw     | rw     |          |       |            |
/// | usda           | w    |           | w        | w    |        | w      |          |       |            |
/// | py             | w    |           | w        | w    |        | w      |          |       |            |
/// | bvh            |      |           | rw       |      |        | rw     |          |       |            |
/// | asf            |      |           | rw       |      |        |        |          |       |            |
/// | amc            |      |           | r        |      |        | rw     |          |       |            |
/// | tgf skel       |      |           | rw       |      |        |        |          |       |            |
/// | clip           |      |           | r        |      |        | rw     |          |       |            |
/// | json           | rw   |           | rw       | rw   |        |        |          |       |            |
/// | csv            |      |           |          | w    |        |        |          |       |            |
/// | obj            | rw   | rw        |          |      |        |        |          |       |            |
/// | ply            | rw   | r         |          |      |        |        |          |       |            |
/// | off stl        | rw   |           |          |      |        |        |          |       |            |
/// | pc2 mdd        |      |           |          |      |        |        | rw       |       |            |
/// | c3d trc txt    |      |           |          |      |        |        |          | rw    |            |
/// | gcd dst        |      |           |          |      |        |        |          |       | rw         |
/// | x dae ...      | r    | r         | r        | r    |        | r      |          |       |            |
///
/// A folder of meshes is a sequence, read and written. FBX, Collada and the like are read by the program
/// `sinew-import`, in a process of its own.

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/file.h"
#include "sinew/base/monitor.h"
#include "sinew/model/channels.h"
#include "sinew/model/character.h"
#include "sinew/model/trial.h"

namespace sinew::io {

/// Information that a file lacks and its reader had to guess, with the reason.
struct Guess {
    std::string subject;  ///< "units", "up", "fps", "convention"
    std::string value;
    std::string reason;
    double number = 0;  ///< numeric value, if it has one: metres per unit, frames per second
};

/// Content of a file: a character (or any part of one), a mesh sequence, animation channels, a laboratory
/// trial, or the curves of a gait cycle.
struct Asset {
    model::Character character;
    model::MeshSequence sequence;
    model::ChannelSet channels;
    model::Trial trial;
    model::GaitCycle cycle;
    std::vector<Guess> guesses;
};

/// How position channels of a joint relate to its OFFSET in a BVH file.
enum class PositionConvention { automatic, replace, add };

/// Options of readers. They override what a file states and what a reader would guess; empty or 0 keeps it.
struct ReadOptions {
    PositionConvention convention = PositionConvention::automatic;
    bool strict = false;         ///< treat warnings as errors
    std::filesystem::path rest;  ///< rest mesh of a point cache or a folder of frames
    std::string units;       ///< unit of length: "m", "cm", "mm", "in", "ft", or "file" for unscaled numbers
    std::string up;          ///< vertical axis of the file: "x", "y" or "z"
    double rate = 0;         ///< frames per second, for files that state none
    std::size_t joints = 0;  ///< number of points per frame in raw joint text
    /// Skeleton for a motion file without one: ASF for AMC, .skel for .clip.
    std::filesystem::path skeleton;
    bool legacy_tangents =
        false;  ///< .clip: slopes are the codes 0 flat, 1 linear, 2 smooth, instead of numbers
    /// Allow referenced files (buffers, images, materials) outside the folder of the file.
    bool allow_outside = false;
};

struct WriteOptions {
    bool binary = true;               ///< for PLY and STL: binary instead of text
    std::string euler_order = "zxy";  ///< rotation order, for BVH
    double rate = 0;                  ///< frames per second for sampled formats; 0 keeps the clip's own rate
    std::string units;  ///< for BVH, ASF and AMC, which state no unit; empty uses the unit of the source
    /// For glTF: write what follows a single joint as an unskinned mesh, normals as bytes
    /// (KHR_mesh_quantization) and colours with 16 bits. Halves the size of pieces that are visible in one
    /// frame only.
    bool compact = false;
};

/// What a file may contain; flags that are combined by |.
enum class Content : unsigned {
    nothing = 0,
    mesh = 1,
    materials = 2,
    skeleton = 4,
    skin = 8,
    morphs = 16,
    motion = 32,
    sequence = 64,
    trial = 128,
    cycle = 256,
};
constexpr Content operator|(Content a, Content b) {
    return static_cast<Content>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
/// True when the two sets have an element in common.
constexpr bool holds(Content set, Content others) {
    return (static_cast<unsigned>(set) & static_cast<unsigned>(others)) != 0;
}

/// Groups of formats by their main purpose; a format may also contain other things.
enum class Family {
    scene,     ///< whole characters: glb, usda, fbx, ...
    skeleton,  ///< skeletons and their motion: bvh, asf, clip, ...
    mesh,      ///< obj, off, ply, stl
    weights,   ///< tables of skin weights
    cache,     ///< point caches: pc2, mdd
    trial,     ///< measured markers: c3d, trc, txt
    cycle,     ///< curves of a gait cycle: gcd, dst
};

struct Format {
    std::string_view suffix;
    std::string_view name;
    Family family = Family::scene;
    Content reads = Content::nothing;   ///< `nothing` when it cannot be read
    Content writes = Content::nothing;  ///< `nothing` when it cannot be written
    bool states_no_unit = false;  ///< for motions: the unit is guessed on reading and restored on writing

    bool can_read() const { return reads != Content::nothing; }
    bool can_write() const { return writes != Content::nothing; }
};

/// \return all formats, in the order shown to users
std::span<const Format> formats();

/// \param path a path; only its suffix is used
/// \return the format of this suffix, or null
const Format* find_format(const std::filesystem::path& path);

/// \return the readable suffixes of a family, without dots, in the order of formats()
std::vector<std::string_view> readable_suffixes(Family family);
/// \return the writable suffixes of a family, without dots, in the order of formats()
std::vector<std::string_view> writable_suffixes(Family family);

/// Reads a file, or a folder with a mesh sequence. The result is valid (see the validate functions of
/// model/).
/// \param path the file; its suffix selects the format
/// \param options information that the file lacks
/// \param monitor receives progress and warnings; can cancel
/// \return the content, in metres and +Y up if units and axes are known
/// \throws Error with the position in the file and the reason
Asset read(const std::filesystem::path& path, const ReadOptions& options = {}, Monitor& monitor = silent());

/// Writes a file in the format of its suffix, completely or not at all; additional files (materials,
/// textures) are written beside it.
/// \param path the file; without a suffix a folder, for a mesh sequence
/// \param asset the content; what the format cannot store is dropped with a warning
/// \param options options of the format
/// \param monitor receives warnings; can cancel
/// \throws Error when the format cannot store the asset
void write(const std::filesystem::path& path, const Asset& asset, const WriteOptions& options = {},
           Monitor& monitor = silent());
/// The same for a character.
void write(const std::filesystem::path& path, const model::Character& character,
           const WriteOptions& options = {}, Monitor& monitor = silent());

/// Parses the content of a file from memory, in the units of the file.
/// \param bytes the content
/// \param path its suffix selects the format; referenced files are searched beside it
/// \param options information that the file lacks
/// \param monitor receives progress and warnings; can cancel
/// \return the content; not scaled and not validated
/// \throws Error with the position in the file and the reason, or when the format cannot be read
Asset decode(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options = {},
             Monitor& monitor = silent());

/// \return the bytes that write() would write to `path`, with the same parameters. Additional files are
/// written beside `path`
/// \throws Error when the format cannot store the asset
std::string encode(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options = {},
                   Monitor& monitor = silent());

}  // namespace sinew::io
