#pragma once
/// \file
/// A rig as JSON: joints, the bare mesh, weights. For scripts that would rather not read glTF; numbers come
/// back exactly.
///
///     {"sinew_rig": 1, "name": "man", "unit": 1,
///      "joints": [{"name": "Hips", "parent": -1, "translation": [0, 1, 0], "rotation": [0, 0, 0, 1],
///                  "scale": [1, 1, 1], "tip": [0, 0.1, 0],
///                  "limits": {"frame": [0, 0, 0, 1], "low": [..], "high": [..]}}],
///      "mesh": {"positions": [x, y, z, ..], "triangles": [a, b, c, ..]},
///      "skin": {"joints": [{"joint": 0, "inverse_bind": [16 numbers, column by column]}],
///               "weights": [[joint, weight, joint, weight], ..]}}
///
/// `tip`, `limits` (radians; null is without limit), `mesh` and `skin` may be missing.

#include "sinew/io/io.h"

namespace sinew::io {

/// \throws Error with the JSON pointer of what is wrong.
Asset read_rig_json(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options,
                    Monitor& monitor);
/// Warning `rig-json-clips`: motions are not written. \throws Error when there is no skeleton.
std::string write_rig_json(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                           Monitor& monitor);

}  // namespace sinew::io
