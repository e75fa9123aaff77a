#pragma once
/// \file
/// What the parameters of a C3D file say about its points, analog channels, force platforms and segments.

#include <vector>

#include "sinew/io/c3d/layout.h"
#include "sinew/io/c3d/parameters.h"
#include "sinew/model/trial.h"

namespace sinew::io::c3d {

/// One for each point, in the order of the file. Labels that are missing become "*1", "*2" by their place;
/// what stands before ":" is the subject; a label that is there already gets "_2". The kind comes from
/// POINT:TYPE_GROUPS and the lists that it names (ANGLES, FORCES, ...).
std::vector<model::PointInfo> point_infos(const Parameters& parameters, std::size_t count, Tally& tally);

struct Channels {
    std::vector<model::AnalogChannel> list;
    bool is_unsigned = false;  ///< ANALOG:FORMAT, for integers and for OFFSET
};
/// Lists that are too short repeat their last value.
Channels analog_channels(const Parameters& parameters, std::size_t count, Tally& tally);

/// Platforms whose channels are there. `channels` is the number of analog channels.
std::vector<model::ForcePlatform> force_platforms(const Parameters& parameters, std::size_t channels,
                                                  Tally& tally);

/// Labels of the ROTATION group, one for each segment used.
std::vector<std::string> rotation_labels(const Parameters& parameters);

}  // namespace sinew::io::c3d
