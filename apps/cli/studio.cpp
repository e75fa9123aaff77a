// SPDX-License-Identifier: MIT
// sinew studio: starts the desktop program, which is a separate program.

#include "common.h"

#include "sinew/base/error.h"
#include "sinew/base/system.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

void execute(Run& run, std::vector<std::string> arguments) {
    const fs::path program = find_own_program("SINEW_STUDIO", "sinew-studio");
    if (program.empty())
        fail("sinew-studio",
             "not found: it is built when libsdl2-dev and libimgui-dev are installed; SINEW_STUDIO can name "
             "it");
    for (const std::string& argument : arguments)
        if (!argument.starts_with('-') && fs::exists(argument)) run.report.inputs.push_back(argument);
    arguments.insert(arguments.begin(), program.string());
    const ProgramEnd end = run_attached(arguments);
    if (end.signal != 0) fail("sinew-studio", "was stopped by signal {}", end.signal);
    if (end.code != 0) fail("sinew-studio", "ended with code {}", end.code);
}

}  // namespace

void add_studio(Program& program) {
    auto verb = std::make_shared<CLI::App*>(nullptr);
    *verb = &program.verb("studio",
                          "Open the desktop program: view, play, pose and rig characters\n"
                          "All arguments go to sinew-studio; `sinew-studio --help` lists its options",
                          "  sinew studio character.glb walk.bvh\n"
                          "  sinew studio --sample man --play\n"
                          "  sinew studio scan.obj --rig --skeleton-method principal-axis\n"
                          "  sinew studio character.glb --screenshot window.png     (needs no display)",
                          [verb](Run& run) { execute(run, (*verb)->remaining()); });
    (*verb)->allow_extras();
}

}  // namespace sinew::cli
