// SPDX-License-Identifier: MIT
#pragma once
// The choice of skeletons and weights on a command line, for `sinew` and for the studio.

#include <string>

#include "sinew/pipeline/rig.h"
#include "sinew/published/skeletonize.h"

namespace CLI {
class App;
}

namespace sinew::app {

/// Skeleton options in the form of the command line.
struct SkeletonChoice {
    rig::SkeletonizeOptions options;
    published::SkeletonizeOptions comparison;  ///< options of published methods
    std::string pattern;                       ///< --template
    std::string view;                          ///< --view
    std::string hierarchy;                     ///< --hierarchy
    double max_angle = 20;                     ///< degrees
    double max_parent_angle = 20;              ///< degrees
    std::optional<rig::JointFrames> frames;
};
/// `method` is the name of the option for the method, here and in the next function.
void add_skeleton_options(CLI::App& verb, SkeletonChoice& choice, const std::string& method);
void add_bind_options(CLI::App& verb, rig::BindOptions& options, const std::string& method);

/// Reads the files, built-in skeletons and characters of the choice.
/// \throws Error of the files and of the words of the choice.
pipeline::RigOptions rig_options(const SkeletonChoice& choice, const rig::BindOptions& bind = {},
                                 Monitor& monitor = silent());

}  // namespace sinew::app
