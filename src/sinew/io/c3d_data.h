#pragma once
/// \file
/// The data section of a C3D file: points and analog samples frame after frame, and segment rotations.

#include "sinew/io/c3d/layout.h"

namespace sinew::io::c3d {

struct DataOptions {
    bool zero_is_missing =
        true;  ///< a marker at exactly 0 0 0 with residual 0 that is elsewhere in other frames
    bool unsigned_analog = false;
};

/// Fills positions, residuals, cameras and analog values of `trial`. `infos` are those of the points in the
/// order of the file; markers and outputs of the trial are made of them.
void read_data(const Source& source, const Layout& layout, std::vector<model::PointInfo> infos,
               const DataOptions& options, model::Trial& trial, Tally& tally, Monitor& monitor);

/// Values of one sample of a segment: a 4 x 4 matrix, column after column, and its reliability.
inline constexpr std::size_t rotation_values = 17;

/// The whole frames of segment rotations that the file holds; sets the frame count of a trial that has
/// nothing else.
void read_rotations(const Source& source, const Parameters& parameters, const Layout& layout,
                    model::Trial& trial, Tally& tally);

}  // namespace sinew::io::c3d
