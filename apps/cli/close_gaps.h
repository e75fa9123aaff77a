// SPDX-License-Identifier: MIT
#pragma once
// sinew deform --close-gaps: rigid parts with their joints closed.

#include "common.h"

#include "sinew/articulated/figure.h"
#include "sinew/articulated/gaps.h"

namespace sinew::cli {

struct GapSettings {
    bool close = false;
    articulated::GapOptions gaps;
    double sharpness = -1;  ///< below 0 means an arc of a circle
    articulated::FigureOptions figure;
    std::filesystem::path stages;  ///< picture of the stages of the joint that bends most
};
void add_gap_options(CLI::App& verb, GapSettings& settings);

/// The data of the verb that --close-gaps needs.
struct CloseGapsJob {
    std::filesystem::path input;
    std::filesystem::path output;
    Instant instant;
    io::ReadOptions read;
};

/// A rigged character is cut where the strongest joint changes; a mesh with parts is posed by channels. The
/// output of one frame is a mesh; of all frames, a folder of meshes or an animated GLB.
/// \throws Error when there is no motion for the parts.
void close_gaps(Run& run, const io::Asset& asset, const CloseGapsJob& job, const GapSettings& settings);

}  // namespace sinew::cli
