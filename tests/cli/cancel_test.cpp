// SPDX-License-Identifier: MIT
// An interrupt ends the work at once and leaves nothing behind.

#include <chrono>
#include <csignal>
#include <thread>

#include "command.h"
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>

extern char** environ;

namespace sinew {
namespace {

struct Interrupted {
    int code = -1;
    double seconds = 0;  ///< from the signal to the end
};

Interrupted interrupt_after(std::chrono::milliseconds delay, std::vector<std::string> words) {
    words.insert(words.begin(), SINEW_CLI);
    std::vector<char*> raw;
    for (std::string& word : words) raw.push_back(word.data());
    raw.push_back(nullptr);
    pid_t child = 0;
    if (::posix_spawn(&child, SINEW_CLI, nullptr, nullptr, raw.data(), environ) != 0) return {};
    std::this_thread::sleep_for(delay);
    const auto start = std::chrono::steady_clock::now();
    ::kill(child, SIGINT);
    int status = 0;
    ::waitpid(child, &status, 0);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), taken.count()};
}

TEST(Cancel, RigEndsAtAnyMomentAndLeavesNoFile) {
    const test::TemporaryFolder folder;
    const std::string mesh = (folder / "man.obj").string();
    test::sinew_report({"sample", "man", "--bare", "-o", mesh});
    for (const int delay : {60, 150, 300, 500, 800, 1200, 1800, 2600}) {
        const std::string rig = (folder / "rig.glb").string(), report = (folder / "report.json").string();
        const Interrupted ended = interrupt_after(std::chrono::milliseconds(delay),
                                                  {"rig", mesh, "-o", rig, "--quiet", "--report", report});
        if (ended.code == 0) break;  // it was done before
        EXPECT_EQ(ended.code, 130) << "after " << delay << " ms";
        EXPECT_LT(ended.seconds, 0.5) << "after " << delay << " ms; 0.2 on a machine that does nothing else";
        for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
            EXPECT_EQ(entry.path().stem(), "man") << "was left after " << delay << " ms";
    }
}

}  // namespace
}  // namespace sinew
