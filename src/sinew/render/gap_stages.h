#pragma once
/// \file
/// How the gap at a joint is closed, stage by stage, as pictures (Vasilakis 2008).

#include "sinew/deform/parts/gap_closer.h"
#include "sinew/render/stages.h"

namespace sinew::render {

struct GapStepOptions {
    StepPictureOptions size;
    int gap = -1;  ///< below 0 takes the one that turns most
};

/// rest (opening yellow, its plane red), moved (parts green), removed (deleted facets grey; ends orange on
/// the opening and red around the cut, their neighbours purple), points (new ones blue, ends, extra ones
/// green), closed (the patch pink). All look along the axis about which the joint swings, at what is near it.
/// \throws Error when there is no gap, or none of this number.
std::vector<StepPicture> draw_gap_steps(Renderer& renderer, const deform::GapCloser& closer,
                                          std::span<const math::Rigidd> world,
                                          const GapStepOptions& options = {});

}  // namespace sinew::render
