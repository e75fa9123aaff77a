// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The steps of skeletonize before and after a method, for methods of other modules.

#include "sinew/rig/silhouette/silhouette_skeleton.h"
#include "sinew/rig/templates/template_fit.h"

namespace sinew::rig {

/// `skeletonize` with other stages of the silhouette method.
SkeletonizeResult skeletonize_with(const geometry::Mesh& mesh, const SkeletonizeOptions& options,
                                   const SilhouetteStages& stages, Monitor& monitor);

/// The result of a method requested by name: joints on the curve, quality, canonical names.
SkeletonizeResult skeletonized(std::string method, CurveSkeleton curve, const geometry::Mesh& mesh,
                               const SkeletonizeOptions& options, Monitor& monitor);
/// The same of a fitted skeleton, which keeps its joints and names.
SkeletonizeResult skeletonized(std::string method, const TemplateFit& fit, const geometry::Mesh& mesh,
                               Monitor& monitor);

}  // namespace sinew::rig
