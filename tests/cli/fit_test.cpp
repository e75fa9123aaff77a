// SPDX-License-Identifier: MIT
// sinew fit and sample as a black box.

#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "command.h"
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sinew {
namespace {

namespace fs = std::filesystem;
using test::sinew_report;

TEST(Fit, ASequenceBecomesACharacterAFitAndASequenceAgain) {
    const test::TemporaryFolder folder;
    const std::string cloth = (folder / "skirt").string(), kept = (folder / "skirt.fit").string();
    const Json sample = sinew_report({"sample", "falling-skirt-1", "-o", cloth});
    EXPECT_EQ(sample.at("vertices"), 1468);
    const Json fit = sinew_report({"fit", cloth, "-o", kept, "--method", "proxy", "--bones", "40",
                                   "--corrections", "3", "--precision", "quantised"});
    EXPECT_EQ(fit.at("bones"), 40);
    EXPECT_LT(fit.at("error_percent").get<double>(), 1);
    EXPECT_EQ(fit.at("file_bytes"), fs::file_size(kept));
    EXPECT_GT(fit.at("compression").get<double>(), 5);
    const std::string played = (folder / "played").string();
    const Json exported = sinew_report({"fit", kept, "-o", played, "--corrections", "1"});
    EXPECT_EQ(exported.at("corrections"), 1);
    const Json error = sinew_report({"measure", cloth, played});
    EXPECT_LT(error.at("error_percent").get<double>(), 1.5);
}

TEST(Fit, NormalsOfTheirOwnAreCorrectedToo) {
    const test::TemporaryFolder folder;
    const std::string cloth = (folder / "skirt").string(), kept = (folder / "skirt.fit").string();
    sinew_report({"sample", "falling-skirt-1", "-o", cloth});
    const auto degrees = [&](const std::string& corrections) {
        return sinew_report({"fit", cloth, "-o", kept, "--method", "proxy", "--bones", "10", "--normals",
                             "--corrections", corrections})
            .at("normal_degrees")
            .at("mean")
            .get<double>();
    };
    EXPECT_LT(degrees("8"), 0.8 * degrees("0"));
}

TEST(Fit, ACheckpointIsWholeAndCanBeResumed) {
    const test::TemporaryFolder folder;
    const std::string cloth = (folder / "skirt").string(), kept = (folder / "iterate.fit").string();
    sinew_report({"sample", "falling-skirt-1", "-o", cloth});
    const Json first =
        sinew_report({"fit", cloth, "-o", (folder / "a.glb").string(), "--bones", "6", "--checkpoint", kept});
    ASSERT_TRUE(fs::exists(kept));
    const Json second =
        sinew_report({"fit", cloth, "-o", (folder / "b.glb").string(), "--bones", "6", "--resume", kept});
    EXPECT_LE(second.at("rms").get<double>(), 1.02 * first.at("rms").get<double>());
}

TEST(Fit, ChunksReadAPointCachePieceByPiece) {
    const test::TemporaryFolder folder;
    const std::string cloth = (folder / "skirt").string(), cache = (folder / "skirt.pc2").string();
    sinew_report({"sample", "falling-skirt-1", "-o", cloth});
    sinew_report({"sample", "falling-skirt-1", "-o", cache});
    const Json fit = sinew_report({"fit", cache, "--rest", cloth + "/rest.obj", "-o",
                                   (folder / "a.glb").string(), "--bones", "8", "--chunk", "10"});
    EXPECT_EQ(fit.at("frames"), 30);
    EXPECT_LT(fit.at("error_percent").get<double>(), 8);
}

/// A cache of a sheet of side x side vertices that waves, and its rest mesh beside it.
std::string write_waves(const fs::path& folder, int side, int frames) {
    fs::create_directories(folder);
    std::ofstream rest(folder / "rest.obj");
    std::vector<float> points;
    for (int v = 0; v < side * side; ++v) {
        const float x = static_cast<float>(v / side) / static_cast<float>(side);
        const float z = static_cast<float>(v % side) / static_cast<float>(side);
        rest << "v " << x << " 0 " << z << "\n";
        points.insert(points.end(), {x, 0, z});
    }
    for (int v = 1; v + side < side * side; ++v)
        if (v % side != 0) rest << "f " << v << " " << v + 1 << " " << v + side << "\n";
    const fs::path path = folder / "animation.pc2";
    std::ofstream file(path, std::ios::binary);
    const std::int32_t head[] = {1, side * side, 0, 0x3f800000, frames};
    file.write("POINTCACHE2", 12);
    file.write(reinterpret_cast<const char*>(head), sizeof(head));
    for (int f = 0; f < frames; ++f) {
        const float time = 0.05f * static_cast<float>(f);
        for (std::size_t i = 0; i < points.size(); i += 3)
            points[i + 1] = 0.1f * std::sin(5 * points[i] + time) * std::cos(3 * points[i + 2] - time);
        file.write(reinterpret_cast<const char*>(points.data()),
                   static_cast<std::streamsize>(points.size() * sizeof(float)));
    }
    return path.string();
}

/// Bytes that a fit takes at most beyond those of the program with next to nothing to do.
double memory_of_fit(const test::TemporaryFolder& folder, const std::string& cache,
                     const std::vector<std::string>& more) {
    const auto peak = [&](const std::string& input, const std::vector<std::string>& options) {
        std::vector<std::string> all = {
            "fit", input,      "-o", (folder / "out.fit").string(), "--method", "decomposition", "--bones",
            "4",   "--sweeps", "1"};
        all.insert(all.end(), options.begin(), options.end());
        return sinew_report(all).at("peak_memory").get<double>();
    };
    return peak(cache, more) - peak(write_waves(folder / "small", 6, 4), {});
}

constexpr double mega = 1 << 20;

TEST(Fit, MemoryIsBoundedByTheChunk) {
    const test::TemporaryFolder folder;
    const std::string cache = write_waves(folder / "long", 65, 2080);  // 50 700 bytes per frame
    ASSERT_GT(static_cast<double>(fs::file_size(cache)), 100 * mega);
    EXPECT_LT(memory_of_fit(folder, cache, {"--chunk", "165"}), 40 * mega);  // 8 MB
}

TEST(Fit, AWholeSequenceTakesAtMostTwiceItsMemory) {
    const test::TemporaryFolder folder;
    const std::string cache = write_waves(folder / "long", 100, 200);
    const auto size = static_cast<double>(fs::file_size(cache));
    EXPECT_LT(memory_of_fit(folder, cache, {"--corrections", "1"}), 2 * size);
}

TEST(Fit, SeveralMotionsBecomeClipsOfOneCharacter) {
    const test::TemporaryFolder folder;
    const std::string wave = write_waves(folder / "wave", 12, 10),
                      longer = write_waves(folder / "longer", 12, 16);
    const std::string out = (folder / "both.glb").string(), kept = (folder / "both.fit").string();
    for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--chunk", "8"}}) {
        std::vector<std::string> arguments = {"fit", wave, longer, "-o", out, "--bones", "4"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Json fit = sinew_report(arguments);
        EXPECT_EQ(fit.at("frames"), 26);
        ASSERT_EQ(fit.at("clips").size(), 2u);
        EXPECT_EQ(fit.at("clips")[1].at("frames"), 16);
        const Json info = sinew_report({"info", out});
        EXPECT_EQ(info.at("clips"), 2);
    }
    sinew_report(
        {"fit", (folder / "wave").string(), (folder / "longer").string(), "-o", kept, "--bones", "4"});
    const Json exported = sinew_report({"fit", kept, "-o", out});
    EXPECT_EQ(sinew_report({"info", out}).at("clips"), 2);
    const test::CommandResult other =
        test::sinew({"fit", wave, write_waves(folder / "other", 9, 4), "-o", out, "--bones", "4"});
    EXPECT_EQ(other.exit_code, 1);
    EXPECT_NE(other.err.find("81 vertices"), std::string::npos) << other.err;
}

TEST(Fit, AStillSequenceIsSaid) {
    const test::TemporaryFolder folder;
    fs::create_directories(folder / "still" / "frames");
    const std::string triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0.5\nf 1 2 3\nf 2 4 3\n";
    for (const char* name : {"1.obj", "2.obj", "3.obj"})
        std::ofstream(folder / "still" / "frames" / name) << triangle;
    const Json fit = sinew_report(
        {"fit", (folder / "still").string(), "-o", (folder / "still.glb").string(), "--bones", "2"});
    EXPECT_TRUE(fit.at("still").get<bool>());
    bool warned = false;
    for (const Json& warning : fit.at("warnings")) warned = warned || warning.at("code") == "fit-still";
    EXPECT_TRUE(warned);
    EXPECT_LT(fit.at("rms").get<double>(), 1e-6);
}

/// Starts `sinew`, interrupts it as Ctrl-C does when a file is there, and gives its exit status.
int interrupted(std::vector<std::string> arguments, const fs::path& when) {
    arguments.insert(arguments.begin(), "sinew");
    std::vector<char*> raw;
    for (std::string& a : arguments) raw.push_back(a.data());
    raw.push_back(nullptr);
    pid_t child = 0;
    if (::posix_spawn(&child, SINEW_CLI, nullptr, nullptr, raw.data(), environ) != 0) return -1;
    int status = 0;
    while (!fs::exists(when) && ::waitpid(child, &status, WNOHANG) == 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ::kill(child, SIGINT);
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST(Fit, CancelledWorkLeavesNothingHalfAndGoesOn) {
    const test::TemporaryFolder folder;
    const std::string cache = write_waves(folder / "long", 40, 60), out = (folder / "out.glb").string();
    const std::string kept = (folder / "kept.fit").string();
    const std::vector<std::string> fit = {"fit",      cache,           "-o",      out,
                                          "--method", "decomposition", "--bones", "40"};
    std::vector<std::string> first = fit;
    first.insert(first.end(), {"--quiet", "--checkpoint", kept});
    EXPECT_EQ(interrupted(first, kept), 130);
    for (const auto& entry : fs::directory_iterator(folder.path())) {
        const std::string name = entry.path().filename().string();
        EXPECT_TRUE(name == "long" || name == "kept.fit") << name << " was left";
    }
    std::vector<std::string> second = fit;
    second.insert(second.end(), {"--resume", kept, "--sweeps", "1"});
    EXPECT_EQ(sinew_report(second).at("bones"), 40);
}

}  // namespace
}  // namespace sinew
