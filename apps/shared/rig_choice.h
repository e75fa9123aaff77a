// SPDX-License-Identifier: MIT
#pragma once
// Skeletons and weights as a command line chooses them: for `sinew` and for the studio.

#include <string>

#include "sinew/pipeline/rig.h"
#include "sinew/published/skeletonize.h"

namespace CLI {
class App;
}

namespace sinew::app {

/// Skeleton options as the command line has them.
struct SkeletonChoice {
    rig::SkeletonizeOptions options;
    published::SkeletonizeOptions comparison;  ///< what was asked for of published methods
    std::string pattern;                       ///< --template
    std::string view;                          ///< --view
    std::string hierarchy;                     ///< --hierarchy
    double max_angle = 20;                     ///< degrees
    double max_parent_angle = 20;              ///< degrees
    std::optional<rig::JointFrames> frames;
};
/// `method` is the name of the option that chooses the method, as in the next.
void add_skeleton_options(CLI::App& verb, SkeletonChoice& choice, const std::string& method);
void add_bind_options(CLI::App& verb, rig::BindOptions& options, const std::string& method);

/// Reads what the choice names: files, built-in skeletons and characters.
/// \throws Error of the files and of the words of the choice.
pipeline::RigOptions rig_options(const SkeletonChoice& choice, const rig::BindOptions& bind = {},
                                 Monitor& monitor = silent());

}  // namespace sinew::app
