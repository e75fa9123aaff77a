// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The data section of a C3D file (points and analog samples frame by frame, segment rotations) and its
/// events, from the header and the EVENT group.

#include "sinew/io/c3d/layout.h"
#include "sinew/io/c3d/parameters.h"
#include "sinew/model/trial.h"

namespace sinew::io::c3d {

/// Fills positions, residuals, cameras and analog values of `trial`. `infos` are those of the points in the
/// order of the file; markers and outputs of the trial are made of them.
void read_data(const Source& source, const Layout& layout, std::vector<model::PointInfo> infos,
               bool unsigned_analog, model::Trial& trial, Tally& tally, Monitor& monitor);

/// Values of one sample of a segment: a 4 x 4 matrix, column after column, and its reliability.
inline constexpr std::size_t rotation_values = 17;

/// Reads the complete frames of segment rotations; sets the frame count of a trial without other data.
void read_rotations(const Source& source, const Parameters& parameters, const Layout& layout,
                    model::Trial& trial, Tally& tally);

/// The clock of a trial.
struct Clock {
    double rate = 0;
    std::size_t first_frame = 1;
    std::size_t frames = 0;

    /// Seconds from frame 1 of the capture to the first frame of the trial.
    double start() const { return rate > 0 ? static_cast<double>(first_frame - 1) / rate : 0; }
    double half_frame() const { return rate > 0 ? 0.5 / rate : 0; }
};

/// Events of the EVENT group, sorted by time. Times are counted from frame 1 of the capture; an event outside
/// the trial that would be inside when counted from its first frame is moved accordingly.
std::vector<model::Event> group_events(const Parameters& parameters, const Clock& clock, Tally& tally);

/// Events of both sources, sorted by time; a header event within half a frame of an event of the group is the
/// same event.
std::vector<model::Event> merge_events(std::vector<model::Event> group,
                                       const std::vector<HeaderEvent>& header, const Clock& clock);

}  // namespace sinew::io::c3d
