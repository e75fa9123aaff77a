#pragma once
/// \file
/// How a skeleton of parts comes about, stage by stage, as pictures (Vasilakis 2008).

#include "sinew/render/stages.h"
#include "sinew/rig/segment.h"

namespace sinew::render {

/// parts (each in its colour), openings (loops yellow, planes' normals red), boxes before and after
/// refinement with their principal axes, and the skeletons of the three methods and with all axes. All look
/// along the view in which the body hides itself least.
std::vector<StagePicture> draw_part_stages(Renderer& renderer, const geometry::Mesh& mesh,
                                           const geometry::CutMesh& cut, const geometry::PartTree& tree,
                                           const rig::PartSkeletonOptions& options = {},
                                           const StagePictureOptions& size = {});

}  // namespace sinew::render
