// SPDX-License-Identifier: MIT
// A motion on the wrong body is refused, with the reason; what is made is looked at before it is written.

#include <filesystem>

#include "command.h"
#include <gtest/gtest.h>

namespace sinew {
namespace {

using test::CommandResult;
using test::sinew_report;
using test::TemporaryFolder;

/// The walk of the built-in man as a file of its own.
std::string walk(const TemporaryFolder& folder) {
    const std::string man = (folder / "man.glb").string(), bvh = (folder / "walk.bvh").string();
    sinew_report({"sample", "man", "-o", man});
    sinew_report({"convert", man, "-o", bvh});
    return bvh;
}

TEST(Animate, ABareMeshWalksWithAFewChecks) {
    const TemporaryFolder folder;
    const std::string mesh = (folder / "man.obj").string(), out = (folder / "out.glb").string();
    const std::string motion = walk(folder);
    sinew_report({"sample", "man", "--bare", "-o", mesh});
    const Json report = sinew_report({"animate", mesh, motion, "-o", out});
    EXPECT_EQ(report["body"], "biped");
    EXPECT_GT(report["body_confidence"].get<double>(), 0.7);
    EXPECT_LT(report["check"]["stretch"].get<double>(), 4);
    EXPECT_GT(report["check"]["height"].get<double>(), 0.8);
}

TEST(Animate, AMotionOfAnotherKindOfBodyIsRefused) {
    const TemporaryFolder folder;
    const std::string horse = (folder / "horse.glb").string(), out = (folder / "out.glb").string();
    const std::string motion = walk(folder);
    sinew_report({"sample", "horse", "-o", horse});
    const CommandResult refused = test::sinew({"animate", horse, motion, "-o", out});
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_NE(refused.err.find("four feet"), std::string::npos) << refused.err;
    EXPECT_FALSE(std::filesystem::exists(out));
    const Json forced = sinew_report({"animate", horse, motion, "-o", out, "--force"});
    EXPECT_NE(forced["warnings"].dump().find("other-body"), std::string::npos);
    EXPECT_TRUE(std::filesystem::exists(out));
}

TEST(Animate, AThingIsNoBody) {
    const TemporaryFolder folder;
    const std::string tube = (folder / "tube.obj").string(), out = (folder / "out.glb").string();
    const std::string motion = walk(folder);
    sinew_report({"sample", "tube", "--bare", "-o", tube});
    const CommandResult refused = test::sinew({"animate", tube, motion, "-o", out});
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_NE(refused.err.find("no known roles"), std::string::npos) << refused.err;
    EXPECT_FALSE(std::filesystem::exists(out));
}

}  // namespace
}  // namespace sinew
