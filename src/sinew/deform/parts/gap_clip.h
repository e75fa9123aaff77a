#pragma once
/// \file
/// Closed gaps over a whole motion as one animated character that any program can play.

#include "sinew/deform/parts/gap_closer.h"
#include "sinew/model/character.h"

namespace sinew::deform {

/// Where the parts of a body are at the frames of a motion.
struct PartMotion {
    std::string name;
    double rate = 30;                               ///< frames a second
    std::vector<std::vector<math::Rigidd>> frames;  ///< each with a transform for every part
};

/// Triangles that no frame changes follow a joint of their part. Everything near the gaps is a piece for each
/// frame, on a joint `frame_N` whose scale is 1 while its frame is the nearest and 0 otherwise (stepped
/// keys): between two frames the parts move smoothly and the patches wait.
/// \throws Error when there are no frames, or one does not fit the parts.
model::Character gap_character(const GapCloser& closer, const PartMotion& motion,
                               Monitor& monitor = silent());

}  // namespace sinew::deform
