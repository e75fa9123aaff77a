#pragma once
/// \file
/// What a file holds, and how files are read and written: one table maps a suffix to a reader and a writer.

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
    double number = 0;  ///< the value where it is one: metres a unit, frames a second
};

/// A character (any part of one), a mesh sequence, keyframe channels, a laboratory's trial, or the curves of
/// a gait cycle.
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

struct ReadOptions {
    PositionConvention convention = PositionConvention::automatic;
    bool strict = false;         ///< warnings become errors
    std::filesystem::path rest;  ///< rest mesh of a point cache or a folder of frames
    /// Overrides of what a file says or a reader guesses; empty or 0 leaves it to them.
    std::string units;            ///< "m", "cm", "mm", "in", "ft", or "file": the numbers as they are
    std::string up;               ///< "x", "y", "z": the axis that points up in the file
    double rate = 0;              ///< frames a second of a file that states none
    std::size_t joints = 0;       ///< points in a frame of raw joint text
    bool zero_is_missing = true;  ///< C3D: a marker at 0 0 0 that is elsewhere in other frames was not seen
    std::filesystem::path
        skeleton;  ///< skeleton of a motion that has none of its own: ASF for AMC, .skel for .clip
    bool legacy_tangents = false;  ///< .clip: numbers are the codes 0 flat, 1 linear, 2 smooth, not slopes
};

/// Whose numbers a C3D file holds.
enum class C3dProcessor { intel, dec, mips };

struct C3dOptions {
    C3dProcessor processor = C3dProcessor::intel;
    bool integers = false;  ///< 16-bit integers instead of reals: half the size, rounded
};

struct WriteOptions {
    bool binary = true;               ///< PLY and STL: binary or text
    std::string euler_order = "zxy";  ///< BVH
    double rate = 0;                  ///< frames a second of a sampled format; 0 keeps the clip's own
    std::string units;                ///< BVH, ASF and AMC, which state none; empty: those of the source
    std::string generator = "sinew";
    C3dOptions c3d;
    /// glTF: what follows one joint hangs on it as a plain mesh, normals are bytes (KHR_mesh_quantization) and
    /// colours 16 bits: half of the size of pieces that are shown for a frame each.
    bool compact = false;
};

/// A reader takes bytes; `path` is only the name in messages and the place where companions (materials,
/// textures, buffers) are looked for.
using Reader = Asset (*)(Bytes bytes, const std::filesystem::path& path, const ReadOptions&, Monitor&);
/// A writer gives the file's bytes, so that nothing reaches the disk before all of it is known. Companions
/// are written by the writer itself beside `path`.
using Writer = std::string (*)(const Asset&, const std::filesystem::path& path, const WriteOptions&,
                               Monitor&);

/// What a format is made for; it may hold other things in passing.
enum class Content { character, trial, cycle };

struct Format {
    std::string_view suffix;
    std::string_view name;
    Reader read;                  ///< null when it cannot be read
    Writer write;                 ///< null when it cannot be written
    bool states_no_unit = false;  ///< of a motion: guessed on reading, put back on writing
    Content content = Content::character;
};

std::span<const Format> formats();
/// The format of a path by its suffix, or null.
const Format* find_format(const std::filesystem::path& path);

/// Reads a file, or a folder that is a sequence. What was read is valid (see validate in model/).
/// \throws Error with place and reason.
Asset read(const std::filesystem::path& path, const ReadOptions& = {}, Monitor& = silent());

/// Writes a file by its suffix, whole or not at all. \throws Error when the format cannot hold the asset.
void write(const std::filesystem::path& path, const Asset&, const WriteOptions& = {}, Monitor& = silent());
void write(const std::filesystem::path& path, const model::Character&, const WriteOptions& = {},
           Monitor& = silent());

}  // namespace sinew::io
