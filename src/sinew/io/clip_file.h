#pragma once
/// \file
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

#include "sinew/io/io.h"

namespace sinew::io {

/// ID is the number of a joint's angle or of the mover (see model::ChannelSet), or one of the names of
/// model::StageValue, such as camera.azimuth, light.exposure or background.red. Extrapolation is constant,
/// linear, cycle, cycle_offset or bounce, or 0 to 4; a tangent is flat, linear or smooth, and a number is a
/// fixed slope (with ReadOptions::legacy_tangents the codes 0, 1 and 2 of old files). Words are taken in any
/// case, white space is free, # and // start a comment. The skeleton is ReadOptions::skeleton or, when that
/// is empty, a .skel file of the same name beside the clip; with one the motion becomes a clip of the asset's
/// character too. Warnings: `clip-key-order` (keys were sorted), `clip-channel-count` and `clip-key-count`
/// (the count is wrong), `clip-range` (missing or turned round).
/// \throws Error with the line.
Asset read_clip(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor);

/// The channels of the asset or, when it has none, those of its first clip.
std::string write_clip(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                       Monitor& monitor);

}  // namespace sinew::io
