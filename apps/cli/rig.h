// SPDX-License-Identifier: MIT
#pragma once
// What skeletonize, bind, rig and animate tell of skeletons and weights.

#include "common.h"
#include "shared/rig_choice.h"

namespace sinew::cli {

/// The options of a rig; files that they name become inputs of the report.
pipeline::RigOptions load_rig_options(Run& run, const SkeletonChoice& choice,
                                      const rig::BindOptions& bind = {});

void tell(const Run& run, const rig::SkeletonizeResult& found);
void tell(const Run& run, const pipeline::BoundSkin& bound, const model::Skeleton& skeleton);

}  // namespace sinew::cli
