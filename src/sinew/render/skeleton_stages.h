#pragma once
/// \file
/// How a silhouette skeleton came about, stage by stage, as pictures.

#include <string>
#include <vector>

#include "sinew/render/renderer.h"
#include "sinew/rig/skeletonize/silhouette_skeleton.h"

namespace sinew::render {

struct StagePicture {
    std::string name;  ///< one word, fit for a file name
    std::string what;  ///< one line for a person
    Picture picture;
};

struct StagePictureOptions {
    int width = 640;
    int height = 640;
};

/// silhouette, triangulation, axis (coarse blue, refined red), depth (the same from the side), parts,
/// joints: in the colours of Xie 2009. All but `depth` look along the view that was chosen.
std::vector<StagePicture> draw_stages(Renderer& renderer, const geometry::Mesh& mesh,
                                      const rig::SilhouetteResult& result,
                                      const StagePictureOptions& options = {});

/// One picture of all, with captions.
Picture stage_sheet(const std::vector<StagePicture>& stages);

}  // namespace sinew::render
