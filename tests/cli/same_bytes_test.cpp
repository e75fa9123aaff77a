// SPDX-License-Identifier: MIT
// The command line and the studio stand on one pipeline: the same inputs give the same bytes.

#include <cstdlib>

#include "command.h"
#include <gtest/gtest.h>
#include <sys/wait.h>

namespace sinew {
namespace {

using test::TemporaryFolder;

/// The studio without a display does the lines of a script.
void studio(const TemporaryFolder& folder, const std::string& options, const std::string& script) {
    test::write_text(folder / "steps", script);
    const std::string log = (folder / "log").string();
    const int status =
        std::system(("env -u DISPLAY -u WAYLAND_DISPLAY -u XDG_RUNTIME_DIR HOME=" + folder.path().string() +
                     " '" SINEW_STUDIO "' " + options + " --script '" + (folder / "steps").string() +
                     "' --width 1000 --height 1400 >'" + log + "' 2>&1 </dev/null")
                        .c_str());
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << test::read_text(log);
}

class SameBytes : public testing::Test {
  protected:
    void SetUp() override {
        if (!std::filesystem::exists(SINEW_STUDIO)) GTEST_SKIP() << "the studio was not built";
        run({"sample", "man", "--bare", "-o", path("man.obj")});
    }
    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    static void run(const std::vector<std::string>& words) {
        const test::CommandResult result = test::sinew(words);
        EXPECT_EQ(result.exit_code, 0) << words[0] << ": " << result.err;
    }
    /// A rig without clips.
    void make_rig() { run({"rig", path("man.obj"), "--template", "biped", "-o", path("rig.glb")}); }
    void make_walk() {
        run({"sample", "man", "-o", path("man.glb")});
        run({"convert", path("man.glb"), "-o", path("walk.bvh")});
    }
    /// A motion on a character by both programs.
    void expect_same_animation(const std::string& character, const std::string& motion) {
        run({"animate", character, motion, "-o", path("line.glb")});
        studio(folder_, "",
               "open " + character + "\nopen " + motion + "\nexport " + path("studio.glb") + "\n");
        expect_same();
    }
    void expect_same() {
        const std::string line = test::read_text(path("line.glb")),
                          other = test::read_text(path("studio.glb"));
        EXPECT_FALSE(line.empty());
        EXPECT_TRUE(line == other) << line.size() << " and " << other.size() << " bytes";
    }
    TemporaryFolder folder_;
};

TEST_F(SameBytes, Rig) {
    run({"rig", path("man.obj"), "-o", path("line.glb")});
    studio(folder_, "'" + path("man.obj") + "' --rig", "export " + path("studio.glb") + "\n");
    expect_same();
}

TEST_F(SameBytes, RigOfRigidParts) {
    run({"rig", path("man.obj"), "--skeleton-method", "principal-axis", "--bind-method", "rigid", "-o",
         path("line.glb")});
    studio(folder_, "'" + path("man.obj") + "' --rig --skeleton-method principal-axis --bind-method rigid",
           "export " + path("studio.glb") + "\n");
    expect_same();
}

TEST_F(SameBytes, Bind) {
    run({"skeletonize", path("man.obj"), "--template", "biped", "--with-mesh", "-o", path("bones.glb")});
    run({"bind", path("bones.glb"), path("bones.glb"), "-o", path("line.glb")});
    studio(folder_, "",
           "open " + path("bones.glb") + "\nclick Bind skin\nwait\nexport " + path("studio.glb") + "\n");
    expect_same();
}

TEST_F(SameBytes, MotionOnARig) {
    make_rig();
    make_walk();
    expect_same_animation(path("rig.glb"), path("walk.bvh"));
}

TEST_F(SameBytes, MotionOnABareMesh) {
    make_walk();
    expect_same_animation(path("man.obj"), path("walk.bvh"));
}

TEST_F(SameBytes, MarkersOfC3dOnARig) {
    SINEW_NEEDS_DATA();
    make_rig();
    expect_same_animation(path("rig.glb"), test::data("c3d/Eb015pi.c3d").string());
}

TEST_F(SameBytes, MarkersOfC3dOnABareMesh) {
    SINEW_NEEDS_DATA();
    expect_same_animation(path("man.obj"), test::data("c3d/Eb015pi.c3d").string());
}

TEST_F(SameBytes, MarkersOfTrcOnARig) {
    SINEW_NEEDS_DATA();
    make_rig();
    expect_same_animation(path("rig.glb"), test::data("trc/walk_free_01.trc").string());
}

}  // namespace
}  // namespace sinew
