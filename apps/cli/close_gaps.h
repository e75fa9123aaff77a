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
    double sharpness = -1;  ///< below 0 stands for an arc of a circle
    articulated::FigureOptions figure;
    std::filesystem::path stages;  ///< picture of the stages of the joint that bends most
};
void add_gap_options(CLI::App& verb, GapSettings& settings);

/// What --close-gaps needs of the verb.
struct CloseGapsJob {
    std::filesystem::path input;
    std::filesystem::path output;
    Instant instant;
    io::ReadOptions read;
};

/// A rigged character is cut where the strongest joint changes; a mesh with parts is posed by channels. One
/// frame is a mesh; all frames are a folder of meshes or an animated GLB.
/// \throws Error when there is nothing to move the parts by.
void close_gaps(Run& run, const io::Asset& asset, const CloseGapsJob& job, const GapSettings& settings);

}  // namespace sinew::cli
