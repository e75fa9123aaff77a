#pragma once
// Options and reports of skeletons and weights, shared by skeletonize, bind and rig.

#include "common.h"

#include "sinew/rig/bind/bind.h"
#include "sinew/rig/skeletonize/skeletonize.h"

namespace sinew::cli {

/// Skeleton options as the command line has them.
struct SkeletonChoice {
    rig::SkeletonizeOptions options;
    std::string pattern;           ///< --template
    std::string view;              ///< --view
    std::string hierarchy;         ///< --hierarchy
    double max_angle = 20;         ///< degrees
    double max_parent_angle = 20;  ///< degrees
};
/// `method` is the name of the option that chooses the method, as in the next.
void add_skeleton_options(CLI::App& verb, SkeletonChoice& choice, const std::string& method);

/// Finds the skeleton and tells the report what came out.
rig::SkeletonizeResult find_skeleton(Run& run, const geometry::Mesh& mesh, SkeletonChoice& choice);

/// A mesh as it stands at rest, of a character that may have a rig already.
/// \throws Error when there is no mesh.
geometry::Mesh rest_mesh(const io::Asset& asset, const std::filesystem::path& path);

void add_bind_options(CLI::App& verb, rig::BindOptions& options, const std::string& method);

/// Binds and tells the report what came out.
rig::BindResult bind_skin(Run& run, const geometry::Mesh& mesh, const model::Skeleton& skeleton,
                          const rig::BindOptions& options);

}  // namespace sinew::cli
