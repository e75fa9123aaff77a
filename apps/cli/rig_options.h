#pragma once
// Work and reports of skeletons and weights, shared by skeletonize, bind and rig.

#include "common.h"
#include "shared/rig_choice.h"

namespace sinew::cli {

/// Finds the skeleton and tells the report what came out.
rig::SkeletonizeResult find_skeleton(Run& run, const geometry::Mesh& mesh, const SkeletonChoice& choice);

/// A mesh as it stands at rest, of a character that may have a rig already.
/// \throws Error when there is no mesh.
geometry::Mesh rest_mesh(const io::Asset& asset, const std::filesystem::path& path);

/// Binds and tells the report what came out.
rig::BindResult bind_skin(Run& run, const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                          const rig::BindOptions& options);

}  // namespace sinew::cli
