// SPDX-License-Identifier: MIT
#pragma once
// Reports on skeletons and weights, shared by skeletonize, bind, rig and animate.

#include "common.h"
#include "shared/rig_choice.h"

namespace sinew::cli {

/// The options of a rig; files in them become inputs of the report.
pipeline::RigOptions load_rig_options(Run& run, const SkeletonChoice& choice,
                                      const rig::BindOptions& bind = {});

void tell(const Run& run, const rig::SkeletonizeResult& found);
void tell(const Run& run, const pipeline::BoundSkin& bound, const model::Skeleton& skeleton);

}  // namespace sinew::cli
