#pragma once
/// \file
/// How a silhouette skeleton came about, stage by stage, as pictures.

#include "sinew/render/stages.h"
#include "sinew/rig/skeletonize/silhouette_skeleton.h"

namespace sinew::render {

/// silhouette, triangulation, axis (coarse blue, refined red), depth (the same from the side), parts,
/// joints: in the colours of Xie 2009. All but `depth` look along the view that was chosen.
std::vector<StepPicture> draw_skeleton_steps(Renderer& renderer, const geometry::Mesh& mesh,
                                      const rig::SilhouetteResult& result,
                                      const StepPictureOptions& options = {});

}  // namespace sinew::render
