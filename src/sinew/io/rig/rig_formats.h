// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Readers and writers of skeletons, keyframe channels and rigs.

#include "sinew/io/io.h"

namespace sinew::io {

/// .skel: a hierarchy of parts with the range of rotation of each joint.
///
///     Name xmin xmax ymin ymax zmin zmax
///     {
///         Child -30 30 0 150 -10 10
///         {
///             End Site
///         }
///     }
///
/// Degrees, relative to rest. `End Site` may have braces; a leaf may omit its braces; white space is free,
/// and # or // start a comment. All joints are at the origin, because the format has no positions. Warnings:
/// `skel-rest-outside-limits`, `skel-limits-order` (reversed), `skel-several-roots`, `skel-name` (doubled).
/// \throws Error with the line.
Asset read_skel(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);

/// Numbers are the shortest that read back as the same limits; an axis without limits is -inf inf. Warnings:
/// `skel-lost-places` (the skeleton has offsets or rest rotations), `skel-name` (a name had to change).
std::string write_skel(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                       Monitor& monitor);

/// .clip: keyframe channels.
///
///     animation {
///         range t0 t1
///         numChannels N
///         channel ID {
///             extrapolate IN OUT
///             keys K {
///                 time value tanIn tanOut
///             }
///         }
///     }
///
/// ID is the number of a joint's angle or of the mover (see model::ChannelSet), or one of the names of
/// model::StageValue, such as camera.azimuth, light.exposure or background.red. Extrapolation is constant,
/// linear, cycle, cycle_offset or bounce, or 0 to 4; a tangent is flat, linear or smooth, and a number is a
/// fixed slope (with ReadOptions::legacy_tangents the codes 0, 1 and 2 of old files). Words are taken in any
/// case, white space is free, # and // start a comment. The skeleton is ReadOptions::skeleton or, when that
/// is empty, a .skel file of the same name beside the clip; with one the motion becomes a clip of the asset's
/// character too. Warnings: `clip-key-order` (keys were sorted), `clip-channel-count` and `clip-key-count`
/// (the count is wrong), `clip-range` (missing or reversed).
/// \throws Error with the line.
Asset read_clip(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);

/// The channels of the asset or, when it has none, those of its first clip.
std::string write_clip(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                       Monitor& monitor);

/// TGF, the trivial graph format, common for skeletons in research: points, "#", edges.
///
/// Lines `id x y z`, a line `#`, lines `parent child`; further sections and columns are ignored. Points
/// become joints named `joint_ID`. An edge that closes a loop is dropped with the warning `tgf-loop`; an edge
/// to a point that already has a parent is reversed.
Asset read_tgf(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);

/// Joints and tips at their positions in the rest pose.
std::string write_tgf(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor& monitor);

/// A rig as JSON: joints, mesh and weights, for scripts that do not read glTF; numbers are stored without
/// loss.
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
///
/// \throws Error with the JSON pointer of what is wrong.
Asset read_rig_json(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options,
                    Monitor& monitor);
/// Warning `rig-json-clips`: motions are not written. \throws Error when there is no skeleton.
std::string write_rig_json(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                           Monitor& monitor);

/// Skin weights as a table: one line for each influence, `vertex,joint,weight`, vertices counted from 0 and
/// joints by name.
///
/// \throws Error when the asset has no skin.
std::string write_weights_csv(const Asset& asset, const std::filesystem::path& path,
                              const WriteOptions& options, Monitor& monitor);

}  // namespace sinew::io
