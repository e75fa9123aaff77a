#pragma once
// Skeletons and weights as a command line chooses them: for `sinew` and for the studio.

#include <string>

#include "sinew/rig/bind.h"
#include "sinew/rig/skeletonize/skeletonize.h"

namespace CLI {
class App;
}

namespace sinew::app {

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
void add_bind_options(CLI::App& verb, rig::BindOptions& options, const std::string& method);

/// Reads what the choice names, and finds the skeleton.
/// \throws Error of the files, of the words of the choice, and of `rig::skeletonize`.
rig::SkeletonizeResult find_skeleton(const geometry::Mesh& mesh, const SkeletonChoice& choice,
                                     Monitor& monitor = silent());

}  // namespace sinew::app
