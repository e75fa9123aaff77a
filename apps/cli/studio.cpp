// SPDX-License-Identifier: MIT
// sinew studio: opens the desktop program, which is a program of its own.

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "common.h"
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sinew/base/error.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

/// $SINEW_STUDIO, or `sinew-studio` beside this program or where programs are installed.
fs::path find_studio() {
    if (const char* const named = std::getenv("SINEW_STUDIO"); named != nullptr && *named != '\0')
        return named;
    std::error_code code;
    const fs::path here = fs::read_symlink("/proc/self/exe", code).parent_path();
    for (const fs::path& folder : {here, fs::path("/usr/local/bin"), fs::path("/usr/bin")}) {
        const fs::path program = folder / "sinew-studio";
        if (fs::is_regular_file(program, code)) return program;
    }
    fail("sinew-studio",
         "not found: it is built when libsdl2-dev and libimgui-dev are installed; SINEW_STUDIO can name it");
}

void execute(Run& run, std::vector<std::string> arguments) {
    const std::string program = find_studio().string();
    std::vector<char*> words = {const_cast<char*>(program.c_str())};
    for (std::string& argument : arguments) words.push_back(argument.data());
    words.push_back(nullptr);
    for (const std::string& argument : arguments)
        if (!argument.starts_with('-') && fs::exists(argument)) run.report.inputs.push_back(argument);
    pid_t child = 0;
    if (const int error = posix_spawn(&child, program.c_str(), nullptr, nullptr, words.data(), environ);
        error != 0)
        fail(program, "cannot be started: {}", std::strerror(error));
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFSIGNALED(status)) fail("sinew-studio", "was stopped by signal {}", WTERMSIG(status));
    if (WEXITSTATUS(status) != 0) fail("sinew-studio", "ended with code {}", WEXITSTATUS(status));
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
