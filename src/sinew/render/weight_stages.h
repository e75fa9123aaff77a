#pragma once
/// \file
/// How skin weights come about from regions, stage by stage, as pictures (Xie 2009, chapter 4).

#include "sinew/model/skeleton.h"
#include "sinew/render/plot.h"
#include "sinew/render/stages.h"
#include "sinew/rig/bind.h"

namespace sinew::render {

struct WeightStageOptions {
    StagePictureOptions size;
    int joint = -1;  ///< whose weights and distance profile are shown; below 0 takes `profile_joint`
};

/// rays, boundaries (true curves red, polygons blue), regions, own and child (the distances d_B and d_c),
/// distances (d_B of D = d_B + d_c), shadows, weights, joint (the weights of one), profile (its distances
/// over the rays). All but the last look along the view in which the body hides itself least.
/// \throws Error when the joint does not exist or has no boundary.
std::vector<StagePicture> draw_weight_stages(Renderer& renderer, const geometry::Mesh& mesh,
                                             const model::Skeleton& skeleton, const rig::RegionResult& result,
                                             const WeightStageOptions& options = {});

/// The neck when it has a boundary, else the joint where the skin comes nearest compared with what is around;
/// -1 when no joint has a boundary.
int profile_joint(const model::Skeleton& skeleton, const rig::RegionResult& result);

/// Distance of the skin over the rays of a joint, a plot for each of its fans: measured, smoothed, as judged
/// (slanting rays count longer), and the ray that was chosen. All have the same scale.
/// \throws Error when the joint has no boundary.
std::vector<Plot> profile_plots(const model::Skeleton& skeleton, const rig::RegionResult& result, int joint);

}  // namespace sinew::render
