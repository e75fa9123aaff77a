// SPDX-License-Identifier: MIT
// What the command line does to the files of its user.

#include <csignal>
#include <fstream>
#include <thread>

#include "command.h"
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sinew/base/file.h"
#include "sinew/io/io.h"

extern char** environ;

namespace sinew {
namespace {

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

/// A motion of three frames in a file.
std::string small_motion(const test::TemporaryFolder& folder, const std::string& name = "walk.bvh") {
    test::write_text(folder / name,
                     "HIERARCHY\nROOT Hips\n{\nOFFSET 0 1 0\nCHANNELS 6 Xposition Yposition Zposition "
                     "Zrotation Xrotation Yrotation\nJOINT Knee\n{\nOFFSET 0 -0.5 0\nCHANNELS 3 Zrotation "
                     "Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 -0.5 0\n}\n}\n}\nMOTION\nFrames: 3\n"
                     "Frame Time: 0.1\n0 1 0 0 0 0 0 0 0\n0 1 1 0 0 0 0 5 0\n0 1 2 0 0 0 0 9 0\n");
    return (folder / name).string();
}

TEST(Files, AnInputIsOverwrittenOnlyByForce) {
    const test::TemporaryFolder folder;
    const std::string motion = small_motion(folder), before = test::read_text(motion);
    const std::string link = (folder / "link.bvh").string();
    std::filesystem::create_symlink("walk.bvh", link);
    for (const std::vector<std::string>& words : {std::vector<std::string>{"convert", motion, motion},
                                                  {"convert", motion, "-o", link},
                                                  {"clean", motion, "-o", motion},
                                                  {"info", motion, "--report", motion},
                                                  {"blend", motion, motion, "-o", motion}}) {
        const test::CommandResult result = test::sinew(words);
        EXPECT_EQ(result.exit_code, 1) << words[0];
        EXPECT_TRUE(has(result.err, "is an input and would be overwritten")) << words[0] << result.err;
        EXPECT_TRUE(has(result.err, "--force")) << result.err;
        EXPECT_EQ(test::read_text(motion), before) << words[0];
    }
    EXPECT_EQ(test::sinew({"convert", motion, motion, "--end", "0.1", "--force"}).exit_code, 0);
    EXPECT_NE(test::read_text(motion), before);
}

TEST(Files, AFolderThatHoldsAnInputDoesNotSwallowIt) {
    const test::TemporaryFolder folder;
    const std::string motion = small_motion(folder), before = test::read_text(motion);
    const test::CommandResult result =
        test::sinew({"retarget", folder.path().string(), motion, "-o", folder.path().string()});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_EQ(test::read_text(motion), before);
}

TEST(Files, ADashIsStandardOutput) {
    const test::TemporaryFolder folder;
    const std::string motion = small_motion(folder);
    const test::CommandResult piped = test::sinew({"convert", motion, "-o", "-.bvh"});
    ASSERT_EQ(piped.exit_code, 0) << piped.err;
    EXPECT_TRUE(piped.out.starts_with("HIERARCHY")) << piped.out.substr(0, 40);
    EXPECT_TRUE(has(piped.err, "wrote")) << "lines for a person must not mix with the result";
    test::sinew_report({"convert", motion, "-o", (folder / "same.bvh").string()});
    EXPECT_EQ(piped.out, test::read_text(folder / "same.bvh"));

    const test::CommandResult report = test::sinew({"info", motion, "--report", "/dev/stdout"});
    EXPECT_EQ(report.exit_code, 0);
    EXPECT_EQ(Json::parse(report.out)["joints"], 2);

    const test::CommandResult bare = test::sinew({"convert", motion, "-o", "-"});
    EXPECT_EQ(bare.exit_code, 2);
    EXPECT_TRUE(has(bare.err, "-.glb")) << bare.err;
    EXPECT_TRUE(has(test::sinew({"convert", motion, "-o", "-.mp4"}).err, "more than one stream"));
    EXPECT_TRUE(has(test::sinew({"convert", motion, "-o", "-.amc"}).err, "more than one stream"));
    EXPECT_TRUE(
        has(test::sinew({"convert", motion, "-o", "-.bvh", "--report", "-"}).err, "cannot take both"));
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::current_path()))
        EXPECT_FALSE(entry.path().filename().string().starts_with("-")) << entry.path();
}

TEST(Files, APipeIsWrittenThrough) {
    const test::TemporaryFolder folder;
    const std::string motion = small_motion(folder), pipe = (folder / "pipe.bvh").string();
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    std::string heard;
    std::thread reader([&] { heard = test::read_text(pipe); });
    const test::CommandResult result = test::sinew({"convert", motion, "-o", pipe});
    if (result.exit_code != 0) std::ofstream(pipe).close();  // so that the reader ends
    reader.join();
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_TRUE(heard.starts_with("HIERARCHY"));
    EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

TEST(Files, APipeAsInputIsRefusedAtOnce) {
    const test::TemporaryFolder folder;
    const std::string pipe = (folder / "in.bvh").string();
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    const test::CommandResult result = test::sinew({"info", pipe});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_TRUE(has(result.err, "is a pipe")) << result.err;
}

TEST(Files, AHoleOfTenGigabytesIsJudgedByItsFirstBytes) {
    const test::TemporaryFolder folder;
    for (const char* name : {"hole.obj", "hole.glb", "hole.stl", "hole.bvh", "hole.c3d", "hole.mdd"}) {
        test::write_text(folder / name, "");
        std::filesystem::resize_file(folder / name, std::uintmax_t{10} << 30);
        const test::CommandResult result = test::sinew({"info", (folder / name).string()});
        EXPECT_EQ(result.exit_code, 1) << name;
        EXPECT_TRUE(has(result.err, "bytes are all 0")) << result.err;
    }
    test::write_text(folder / "half.obj", "v 0 0 0\n");
    std::filesystem::resize_file(folder / "half.obj", std::uintmax_t{10} << 30);
    EXPECT_TRUE(has(test::sinew({"info", (folder / "half.obj").string()}).err, "not text"));
}

/// Runs a shell line; the exit code.
int shell(const std::string& line) {
    const std::string command = "exec 2>/dev/null; " + line;
    return std::system(command.c_str());
}

TEST(Files, ALimitOnTheSizeOfFilesLeavesNothing) {
    const test::TemporaryFolder folder;
    const std::string out = (folder / "man.glb").string();
    const int status = shell("ulimit -f 8; \"" SINEW_CLI "\" sample man --bare -o \"" + out + "\"");
    ASSERT_TRUE(WIFEXITED(status)) << "the shell itself";
    EXPECT_EQ(WEXITSTATUS(status), 1) << "an error, not the end of the process by a signal";
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Files, ARequestToEndLeavesNothing) {
    const test::TemporaryFolder folder;
    const std::string mesh = (folder / "man.glb").string();
    test::sinew_report({"sample", "man", "-o", mesh});
    for (const int signal : {SIGTERM, SIGHUP}) {
        for (const int delay : {30, 80, 160, 320}) {
            std::vector<std::string> words = {SINEW_CLI, "deform", mesh, "-o", (folder / "out").string(),
                                              "--quiet"};
            std::vector<char*> raw;
            for (std::string& word : words) raw.push_back(word.data());
            raw.push_back(nullptr);
            pid_t child = 0;
            ASSERT_EQ(::posix_spawn(&child, SINEW_CLI, nullptr, nullptr, raw.data(), environ), 0);
            std::this_thread::sleep_for(std::chrono::milliseconds(delay));
            ::kill(child, signal);
            int status = 0;
            ::waitpid(child, &status, 0);
            if (WIFEXITED(status) && WEXITSTATUS(status) == 0) break;
            // Before the program listens, the signal itself ends it.
            const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
            EXPECT_EQ(code, 128 + signal) << delay;
            for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
                EXPECT_EQ(entry.path().filename(), "man.glb") << "was left after " << delay << " ms";
        }
        std::filesystem::remove_all(folder / "out");
    }
}

TEST(Files, PointCachesAreWrittenAsFramesCome) {
    const test::TemporaryFolder folder;
    const std::string rig = (folder / "man.glb").string();
    test::sinew_report({"sample", "man", "-o", rig});
    for (const std::string suffix : {"pc2", "mdd"}) {
        const std::string streamed = (folder / ("s." + suffix)).string();
        const Json report = test::sinew_report({"deform", rig, "-o", streamed, "--method", "lbs"});
        EXPECT_EQ(report["output"], streamed);
        test::sinew_report({"deform", rig, "-o", (folder / "frames").string(), "--method", "lbs"});
        io::ReadOptions options;
        options.rest = folder / "frames/rest.obj";
        const model::MeshSequence cache = io::read(streamed, options).sequence;
        const model::MeshSequence frames = io::read(folder / "frames").sequence;
        ASSERT_EQ(cache.frames.size(), report["frames"].get<std::size_t>());
        EXPECT_EQ(cache.frames, frames.frames) << suffix;
    }
}

}  // namespace
}  // namespace sinew
