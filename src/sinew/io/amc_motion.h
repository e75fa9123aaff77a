#pragma once
/// \file
/// The text of an AMC file, for a skeleton that is known.

#include <string_view>
#include <vector>

#include "sinew/base/monitor.h"
#include "sinew/io/acclaim/figure.h"
#include "sinew/model/clip.h"

namespace sinew::io::amc {

/// Tracks of all joints that the file moves, at `rate`; none when it has no frames.
/// \throws Error with file and line.
std::vector<model::Track> read_motion(std::string_view text, std::string_view file, const asf::Figure& figure,
                                      double rate, bvh::Tally& tally, Monitor& monitor);

}  // namespace sinew::io::amc
