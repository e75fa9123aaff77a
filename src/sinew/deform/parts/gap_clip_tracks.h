#pragma once
/// \file
/// Keys of the joints of a closed motion.

#include <functional>

#include "sinew/deform/parts/gap_clip.h"

namespace sinew::deform {

/// Where a joint is in each frame, as linear keys.
model::Track moving_track(int joint, const PartMotion& motion,
                          const std::function<math::Rigidd(const std::vector<math::Rigidd>&)>& place);

/// Scale 1 in some frames (rising) and 0 in the others. Steps lie half a frame before and behind, so that the
/// nearest frame is shown and no rounding of times can show its neighbour.
model::Track shown_track(int joint, const std::vector<std::uint32_t>& shown, std::size_t frames, double rate);

/// A joint below another that stands where it is in the first frame.
void add_joint(model::Character& character, const std::string& name, int parent, const math::Rigidd& place,
               bool shown = true);

}  // namespace sinew::deform
