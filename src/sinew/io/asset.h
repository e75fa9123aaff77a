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
#include "sinew/model/character.h"
#include "sinew/model/mesh_sequence.h"

namespace sinew::io {

/// A character (any part of one), or a mesh sequence.
struct Asset {
    model::Character character;
    model::MeshSequence sequence;
};

/// How a joint's position channels relate to its OFFSET in a BVH file.
enum class PositionConvention { automatic, replace, add };

struct ReadOptions {
    PositionConvention convention = PositionConvention::automatic;
    bool strict = false;         ///< warnings become errors
    std::filesystem::path rest;  ///< rest mesh of a point cache or a folder of frames
};

struct WriteOptions {
    bool binary = true;               ///< PLY and STL: binary or text
    std::string euler_order = "zxy";  ///< BVH
    double rate = 0;                  ///< frames a second of a sampled format; 0 keeps the clip's own
    std::string generator = "sinew";
};

/// A reader takes bytes; `path` is only the name in messages and the place where companions (materials,
/// textures, buffers) are looked for.
using Reader = Asset (*)(Bytes bytes, const std::filesystem::path& path, const ReadOptions&, Monitor&);
/// A writer gives the file's bytes, so that nothing reaches the disk before all of it is known. Companions
/// are written by the writer itself beside `path`.
using Writer = std::string (*)(const Asset&, const std::filesystem::path& path, const WriteOptions&,
                               Monitor&);

struct Format {
    std::string_view suffix;
    std::string_view name;
    Reader read;   ///< null when it cannot be read
    Writer write;  ///< null when it cannot be written
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
