// SPDX-License-Identifier: MIT
#pragma once
// What the command line of sinew-studio says.

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
    bool rig = false;  ///< find a skeleton at once
    bool no_bind = false;
    bool play = false;
    int frame = -1;  ///< to begin at
    std::string clip;
    int width = 1440, height = 900;
    std::filesystem::path screenshot;
    int frames = 0;  ///< to show before it ends; 0 goes on
    std::filesystem::path script;
    std::filesystem::path recovery;  ///< folder of unsaved work
    bool unattended() const { return !screenshot.empty() || frames > 0 || !script.empty(); }
};

struct Parsed {
    Options options;
    int exit_code = -1;  ///< the program ends with it when it is not below 0
};
/// Says what is wrong or asked for (help, version) itself.
Parsed parse_options(int argc, char** argv, const std::string& version);

class UiScript;
/// Sets a state up, and hands to the script what has to wait for files.
void start(const Options& options, State& state, UiScript& script);

}  // namespace sinew::studio
