// SPDX-License-Identifier: MIT
// sinew deform --close-gaps on rigged characters and on meshes of parts.

#include <algorithm>
#include <filesystem>

#include "cli/command.h"
#include "support/data.h"
#include <gtest/gtest.h>

#include "sinew/io/io.h"
#include "sinew/sample/samples.h"

namespace sinew {
namespace {

using test::TemporaryFolder;

std::string tube_file(const TemporaryFolder& folder) {
    const std::string tube = (folder / "tube.glb").string();
    test::sinew_report({"sample", "tube", "-o", tube});
    return tube;
}

TEST(CloseGaps, AFrameOfARiggedCharacterIsAClosedMesh) {
    const TemporaryFolder folder;
    const std::string tube = tube_file(folder), out = (folder / "bent.ply").string(),
                      stages = (folder / "stages.png").string();
    const Json report = test::sinew_report({"deform", tube, "--method", "rigid", "--close-gaps", "--clip",
                                            "bend", "--time", "0.75", "-o", out, "--stages", stages});
    EXPECT_EQ(report["method"], "rigid");
    EXPECT_EQ(report["frames"], 1);
    EXPECT_EQ(report["parts"], 2);
    EXPECT_EQ(report["open_edges"], 0);
    EXPECT_EQ(report["moved_gaps"], 1);
    EXPECT_GT(report["removed_vertices"], 10);
    EXPECT_GT(report["added_vertices"], 10);
    EXPECT_GT(report["gap_seconds"]["remove"], 0);
    EXPECT_NEAR(report["volume_ratio"].get<double>(), 0.99, 0.01);
    const Json info = test::sinew_report({"info", out});
    EXPECT_EQ(info["closed"], true);
    EXPECT_EQ(info["manifold"], true);
    EXPECT_EQ(info["genus"], 0);
    EXPECT_GT(std::filesystem::file_size(stages), 10000u);
}

TEST(CloseGaps, AllFramesAreAFolderOrAnAnimatedFile) {
    const TemporaryFolder folder;
    const std::string tube = tube_file(folder), glb = (folder / "all.glb").string();
    const Json frames = test::sinew_report({"deform", tube, "--method", "rigid", "--close-gaps", "--clip",
                                            "twist", "-o", (folder / "frames").string()});
    EXPECT_EQ(frames["open_edges"], 0);
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "frames"))
        files += entry.is_regular_file() ? 1 : 0;
    EXPECT_EQ(files, frames["frames"].get<std::size_t>());
    const Json animated = test::sinew_report(
        {"deform", tube, "--method", "rigid", "--close-gaps", "--clip", "bend", "-o", glb});
    const Json info = test::sinew_report({"info", glb});
    EXPECT_EQ(info["clips"], 1);
    EXPECT_GE(info["joints"].get<std::size_t>(), 3u);
    // Every frame a mesh of its own would be as many times the rest mesh.
    const auto played = animated["frames"].get<std::size_t>();
    EXPECT_LT(std::filesystem::file_size(glb), played * std::filesystem::file_size(tube) / 4);
    const std::string constant = (folder / "constant.glb").string();
    test::sinew_report({"deform", tube, "--method", "rigid", "--close-gaps", "--constant-topology", "--clip",
                        "bend", "-o", constant});
    EXPECT_LT(std::filesystem::file_size(constant), 3 * std::filesystem::file_size(tube));
}

TEST(CloseGaps, EveryVertexOfAFileHasANormal) {
    const TemporaryFolder folder;
    const std::string tube = tube_file(folder), out = (folder / "bent.obj").string();
    const Json report = test::sinew_report(
        {"deform", tube, "--method", "rigid", "--close-gaps", "--clip", "bend", "--time", "0.75", "-o", out});
    EXPECT_GT(report["removed_vertices"], 10);
    const geometry::Mesh mesh = io::read(out).character.mesh;
    ASSERT_EQ(mesh.normals.size(), mesh.vertex_count());
    std::vector<int> used(mesh.vertex_count(), 0);
    for (const geometry::Triangle& t : mesh.triangles)
        for (const std::uint32_t corner : t) used[corner] = 1;
    EXPECT_EQ(std::ranges::count(used, 0), 0);
    for (const geometry::Vec3f& n : mesh.normals) EXPECT_NEAR(n.norm(), 1, 1e-3);
}

/// The tube as an OBJ file with two groups, a hierarchy with limits and a clip that bends the upper part.
struct PartFiles {
    TemporaryFolder folder;
    std::string obj = (folder / "tube.obj").string(), clip = (folder / "bend.clip").string();

    PartFiles() {
        sample::TubeOptions options;
        options.segments = 16;
        options.rings = 21;
        io::Asset asset;
        asset.character.mesh = sample::make_tube(options).mesh;
        geometry::Mesh& mesh = asset.character.mesh;
        std::ranges::stable_sort(mesh.triangles, {}, [&](const geometry::Triangle& t) {
            return mesh.positions[t[0]].y() + mesh.positions[t[1]].y() + mesh.positions[t[2]].y() > 1.5f;
        });
        const auto upper = std::ranges::find_if(mesh.triangles, [&](const geometry::Triangle& t) {
            return mesh.positions[t[0]].y() + mesh.positions[t[1]].y() + mesh.positions[t[2]].y() > 1.5f;
        });
        const auto count = static_cast<std::uint32_t>(upper - mesh.triangles.begin());
        const auto rest = static_cast<std::uint32_t>(mesh.triangles.size()) - count;
        mesh.parts = {{"Lower", 0, count, -1}, {"Upper", count, rest, -1}};
        io::write(obj, asset);
        test::write_text(folder / "tube.skel",
                         "Lower -180 180 -180 180 -180 180\n{\n  upper -100 100 -100 100 -10 10\n  {\n    "
                         "End Site\n  }\n}\n");
        test::write_text(
            clip,
            "animation {\n range 0 1\n numChannels 1\n channel 3 {\n  extrapolate constant constant\n"
            "  keys 2 {\n   0 0 linear linear\n   1 120 linear linear\n  }\n }\n}\n");
    }
    Json run(std::vector<std::string> more) const {
        std::vector<std::string> arguments = {"deform",
                                              obj,
                                              "--method",
                                              "rigid",
                                              "--close-gaps",
                                              "--clip",
                                              clip,
                                              "-o",
                                              (folder / "out.ply").string()};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return test::sinew_report(arguments);
    }
};

TEST(CloseGaps, AMeshOfPartsFollowsAClipWithinItsLimits) {
    const PartFiles files;
    const Json within = files.run({"--time", "0.5"});
    EXPECT_EQ(within["open_edges"], 0);
    EXPECT_EQ(within["moved_gaps"], 1);
    EXPECT_EQ(within["limited"], 0);
    // Beyond its limit the joint keeps its angle (rest, in a single frame), or stops at the limit.
    const Json rejected = files.run({"--time", "1"});
    EXPECT_EQ(rejected["limited"], 1);
    EXPECT_EQ(rejected["moved_gaps"], 0);
    const Json clamped = files.run({"--time", "1", "--limits", "clamp"});
    EXPECT_EQ(clamped["limited"], 1);
    EXPECT_EQ(clamped["moved_gaps"], 1);
    EXPECT_LT(clamped["volume_ratio"], within["volume_ratio"]);
}

TEST(CloseGaps, SaysWhatIsMissing) {
    const PartFiles files;
    const std::string out = (files.folder / "out.ply").string();
    const test::CommandResult none = test::sinew(
        {"deform", files.obj, "--method", "rigid", "--close-gaps", "--clip", "nothing.clip", "-o", out});
    EXPECT_EQ(none.exit_code, 1);
    EXPECT_NE(none.err.find("nothing.clip"), std::string::npos) << none.err;
    const test::CommandResult method = test::sinew({"deform", files.obj, "--close-gaps", "-o", out});
    EXPECT_EQ(method.exit_code, 2);
    EXPECT_NE(method.err.find("--method rigid"), std::string::npos) << method.err;
}

}  // namespace
}  // namespace sinew
