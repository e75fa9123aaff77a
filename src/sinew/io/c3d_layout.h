#pragma once
/// \file
/// Where the data of a C3D file are and how many: the header and the parameters both say it, and need not
/// agree.

#include "sinew/io/c3d/parameters.h"

namespace sinew::io::c3d {

struct Layout {
    std::size_t points = 0;
    std::size_t channels = 0;
    std::size_t samples = 1;  ///< analog samples in a frame
    bool reals = true;
    float scale = 1;        ///< above 0: of integer coordinates and of all residuals
    std::size_t start = 0;  ///< byte of the first frame
    std::size_t frames = 0;
    std::size_t first_frame = 1;
    double rate = 0;  ///< 0 when the file does not say

    std::size_t values() const { return 4 * points + channels * samples; }
    std::size_t frame_bytes() const { return values() * (reals ? 4 : 2); }
};

/// Of all that header and parameters say, takes what fills the file to its last block; failing that, the
/// parameters. Warns where they disagree.
Layout find_layout(const Source& source, const Header& header, const ParameterSection& section, Tally& tally);

/// Byte where the segment rotations start, when there are any.
std::optional<std::size_t> rotation_start(const Source& source, const model::Parameters& parameters);

}  // namespace sinew::io::c3d
