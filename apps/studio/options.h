// SPDX-License-Identifier: MIT
#pragma once
// The command line of sinew-studio.

#include <filesystem>
#include <string>
#include <vector>

#include "state.h"

namespace sinew::studio {

struct Options {
    std::vector<std::filesystem::path> files;
    std::string sample;
    app::SkeletonChoice skeleton;
    rig::BindOptions bind;
    io::ReadOptions read;
    ViewSettings view;
    deform::Method method = deform::Method::dqs;
    bool close_gaps = false;
    bool rig = false;  ///< find a skeleton at start
    bool no_bind = false;
    bool play = false;
    int frame = -1;  ///< first frame
    std::string clip;
    int width = 1440, height = 900;
    std::filesystem::path screenshot;
    int frames = 0;  ///< to show before it ends; 0: no end
    std::filesystem::path script;
    std::filesystem::path recovery;  ///< folder of unsaved work
    bool unattended() const { return !screenshot.empty() || frames > 0 || !script.empty(); }
};

struct Parsed {
    Options options;
    int exit_code = -1;  ///< the program ends with it if it is 0 or more
};
/// Prints errors and requested texts (help, version) itself.
Parsed parse_options(int argc, char** argv, const std::string& version);

class UiScript;
/// Applies the options to a state, and passes those that must wait for files to the script.
void start(const Options& options, State& state, UiScript& script);

}  // namespace sinew::studio
