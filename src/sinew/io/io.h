// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Reading and writing of files: one table maps a suffix to a reader and a writer.
///
/// \code
/// io::Asset asset = io::read("walk.bvh", {.units = "cm"});
/// io::write("walk.glb", asset);
/// \endcode
///
/// What each format holds (r read, w written):
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

/// Something that a file does not say and its reader had to decide, with what spoke for it.
struct Guess {
    std::string subject;  ///< "units", "up", "fps", "convention"
    std::string value;
    std::string reason;
    double number = 0;  ///< the value where it is one: metres per unit, frames per second
};

/// What a file holds: a character (any part of one), a mesh sequence, keyframe channels, a laboratory's
/// trial, or the curves of a gait cycle.
struct Asset {
    model::Character character;
    model::MeshSequence sequence;
    model::ChannelSet channels;
    model::Trial trial;
    model::GaitCycle cycle;
    std::vector<Guess> guesses;
};

/// How a joint's position channels relate to its OFFSET in a BVH file.
enum class PositionConvention { automatic, replace, add };

/// Overrides of what a file says or a reader guesses; empty or 0 leaves it to them.
struct ReadOptions {
    PositionConvention convention = PositionConvention::automatic;
    bool strict = false;         ///< warnings become errors
    std::filesystem::path rest;  ///< rest mesh of a point cache or a folder of frames
    std::string units;           ///< "m", "cm", "mm", "in", "ft", or "file": the numbers as they are
    std::string up;              ///< "x", "y", "z": the axis that points up in the file
    double rate = 0;             ///< frames per second of a file that states none
    std::size_t joints = 0;      ///< points in a frame of raw joint text
    /// Skeleton of a motion that has none of its own: ASF for AMC, .skel for .clip.
    std::filesystem::path skeleton;
    bool legacy_tangents = false;  ///< .clip: numbers are the codes 0 flat, 1 linear, 2 smooth, not slopes
    /// Files that a file names (buffers, pictures, materials) may be anywhere, not only in its folder or
    /// below.
    bool allow_outside = false;
};

struct WriteOptions {
    bool binary = true;               ///< PLY and STL: binary or text
    std::string euler_order = "zxy";  ///< BVH
    double rate = 0;                  ///< frames per second of a sampled format; 0 keeps the clip's own
    std::string units;                ///< BVH, ASF and AMC, which state none; empty: those of the source
    /// glTF: what follows one joint is attached to it as a plain mesh, normals are bytes
    /// (KHR_mesh_quantization) and colours 16 bits: half of the size of pieces that are shown for a frame
    /// each.
    bool compact = false;
};

/// Things that a file may hold; a set of them is joined by |.
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
/// True when the set holds any of the others.
constexpr bool holds(Content set, Content others) {
    return (static_cast<unsigned>(set) & static_cast<unsigned>(others)) != 0;
}

/// Formats that a program offers together: what they are made for. They may hold other things in passing.
enum class Family {
    scene,     ///< whole characters: glb, usda, fbx, ...
    skeleton,  ///< skeletons and their motion: bvh, asf, clip, ...
    mesh,      ///< obj, off, ply, stl
    weights,   ///< a table of skin weights
    cache,     ///< point caches: pc2, mdd
    trial,     ///< measured markers: c3d, trc, txt
    cycle,     ///< curves of a gait cycle: gcd, dst
};

struct Format {
    std::string_view suffix;
    std::string_view name;
    Family family = Family::scene;
    Content reads = Content::nothing;   ///< nothing: it cannot be read
    Content writes = Content::nothing;  ///< nothing: it cannot be written
    bool states_no_unit = false;        ///< of a motion: guessed on reading, put back on writing

    bool can_read() const { return reads != Content::nothing; }
    bool can_write() const { return writes != Content::nothing; }
};

/// \return all formats, in the order in which they are listed to a user.
std::span<const Format> formats();

/// \param path a path, of which only the suffix counts.
/// \return the format of that suffix, or null.
const Format* find_format(const std::filesystem::path& path);

/// \return the suffixes of a family, without dots, that can be read; in the order of formats().
std::vector<std::string_view> readable_suffixes(Family family);
/// \return the suffixes of a family, without dots, that can be written; in the order of formats().
std::vector<std::string_view> writable_suffixes(Family family);

/// Reads a file, or a folder that is a sequence. What was read is valid (see validate in model/).
/// \param path the file; its suffix chooses the format.
/// \param options what the file does not say.
/// \param monitor gets progress and warnings, and may cancel.
/// \return what the file holds, in metres and +Y up where units and axes are known.
/// \throws Error with the position in the file and the reason.
Asset read(const std::filesystem::path& path, const ReadOptions& options = {}, Monitor& monitor = silent());

/// Writes a file by its suffix, whole or not at all; companions (materials, textures) go beside it.
/// \param path the file; without a suffix a folder, for a mesh sequence.
/// \param asset what to write; what the format cannot hold is left out with a warning.
/// \param options choices of the format.
/// \param monitor gets warnings, and may cancel.
/// \throws Error when the format cannot hold the asset.
void write(const std::filesystem::path& path, const Asset& asset, const WriteOptions& options = {},
           Monitor& monitor = silent());
/// The same for a character alone.
void write(const std::filesystem::path& path, const model::Character& character,
           const WriteOptions& options = {}, Monitor& monitor = silent());

/// Reads the bytes of a file that need not exist, in the numbers of the file.
/// \param bytes the content.
/// \param path its suffix chooses the format; companions are looked for beside it.
/// \param options what the file does not say.
/// \param monitor gets progress and warnings, and may cancel.
/// \return what the bytes hold; neither scaled nor validated.
/// \throws Error with the position in the file and the reason, or when the format cannot be read.
Asset decode(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options = {},
             Monitor& monitor = silent());

/// \return the bytes that write() would put into the file at `path`, with the same parameters. Companions
/// are written beside `path`.
/// \throws Error when the format cannot hold the asset.
std::string encode(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options = {},
                   Monitor& monitor = silent());

}  // namespace sinew::io
