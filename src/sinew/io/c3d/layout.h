// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Location and size of the data in a C3D file, which header and parameters both state, sometimes
/// differently; and the parameters of points, analog channels, force platforms and segments.

#include <vector>

#include "sinew/io/c3d/parameters.h"
#include "sinew/model/trial.h"

namespace sinew::io::c3d {

struct Layout {
    std::size_t points = 0;
    std::size_t channels = 0;
    std::size_t samples = 1;  ///< analog samples in a frame
    bool reals = true;
    float scale = 1;        ///< above 0: of integer coordinates and of all residuals
    std::size_t start = 0;  ///< byte offset of the first frame
    std::size_t frames = 0;
    std::size_t first_frame = 1;
    double rate = 0;  ///< 0 when the file does not state it

    std::size_t values() const { return 4 * points + channels * samples; }
    std::size_t frame_bytes() const { return values() * (reals ? 4 : 2); }
};

/// Of the values in header and parameters, selects those that fill the file to its last block; if there are
/// none, those of the parameters. Warns where they differ.
Layout find_layout(const Source& source, const Header& header, const ParameterSection& section, Tally& tally);

/// Byte offset of the segment rotations, if there are any.
std::optional<std::size_t> rotation_start(const Source& source, const model::Parameters& parameters);

/// One entry per point, in file order. Missing labels become "*1", "*2" by position; the part before ":" is
/// the subject; a repeated label gets "_2". The kind comes from POINT:TYPE_GROUPS and the lists named there
/// (ANGLES, FORCES, ...).
std::vector<model::PointInfo> point_infos(const Parameters& parameters, std::size_t count, Tally& tally);

struct Channels {
    std::vector<model::AnalogChannel> list;
    bool is_unsigned = false;  ///< ANALOG:FORMAT, for integers and for OFFSET
};
/// Lists that are too short repeat their last value.
Channels analog_channels(const Parameters& parameters, std::size_t count, Tally& tally);

/// Platforms whose channels exist. `channels` is the number of analog channels.
std::vector<model::ForcePlatform> force_platforms(const Parameters& parameters, std::size_t channels,
                                                  Tally& tally);

/// Labels of the ROTATION group, one for each segment used.
std::vector<std::string> rotation_labels(const Parameters& parameters);

}  // namespace sinew::io::c3d
