// SPDX-License-Identifier: MIT
// A skin refined beyond blending, and a look at what one joint does to it.

#include "command.h"
#include <gtest/gtest.h>

#include "sinew/io/io.h"
#include "sinew/sample/samples.h"

namespace sinew {
namespace {

using test::sinew_report;
using test::TemporaryFolder;

TEST(RenderVerb, OneJointIsDrawnAsHeatAndInItsOwnFrame) {
    const TemporaryFolder folder;
    const std::string tube = (folder / "tube.glb").string(), heat = (folder / "heat.png").string();
    sinew_report({"sample", "tube", "-o", tube});
    sinew_report({"render", tube, "--joint", "Upper", "--size", "200x200", "-o", heat});
    const auto whole = std::filesystem::file_size(heat);
    EXPECT_GT(whole, 5'000u);
    const Json local =
        sinew_report({"render", tube, "--joint", "Upper", "--local", "--size", "200x200", "-o", heat});
    EXPECT_LT(local["vertices"], sinew_report({"info", tube})["vertices"]);
    EXPECT_GT(std::filesystem::file_size(heat), 5'000u);
    EXPECT_EQ(test::sinew({"render", tube, "--local", "-o", heat}).exit_code, 2) << "of which joint?";
    EXPECT_EQ(sinew_report({"render", tube, "--crowd", "6", "--size", "200x200", "-o", heat})["crowd"], 6);
}

TEST(DeformVerb, FoldersOfFramesAreMadeWithTheFoldersAroundThem) {
    const TemporaryFolder folder;
    const std::string tube = (folder / "tube.glb").string();
    sinew_report({"sample", "tube", "-o", tube});
    for (const char* name : {"a/b/frames", "c/d/frames/"}) {
        sinew_report({"deform", tube, "--clip", "bend", "-o", (folder / name).string()});
        EXPECT_TRUE(std::filesystem::exists(folder / name / "rest.obj")) << name;
    }
    sinew_report({"deform", tube, "--clip", "bend", "-o", (folder / "frames.mdd").string()});
}

TEST(DeformVerb, RefinesTheSkin) {
    const TemporaryFolder folder;
    const std::string tube = (folder / "tube.glb").string();
    sinew_report({"sample", "tube", "-o", tube});
    std::vector<std::string> texts;
    for (const std::string kind : {"none", "mush", "direct-mush", "swing-twist"}) {
        const std::string out = (folder / (kind + ".obj")).string();
        const Json report = sinew_report({"deform", tube, "--clip", "bend", "--frame", "30", "--refine", kind,
                                          "--method", "lbs", "-o", out});
        EXPECT_EQ(report.value("refine", "none"), kind);
        EXPECT_NEAR(report["volume_ratio"].get<double>(), 1, 0.12);
        const std::string text = test::read_text(out);
        EXPECT_EQ(std::ranges::count(texts, text), 0) << kind;
        texts.push_back(text);
    }
    const std::string all = (folder / "all.png").string();
    EXPECT_EQ(test::sinew({"deform", tube, "--method", "all", "--refine", "mush", "-o", all}).exit_code, 2);
}

TEST(DeformVerb, FollowsSculptedExamples) {
    const TemporaryFolder folder;
    const auto path = [&](const char* name) { return (folder / name).string(); };
    sinew_report({"sample", "tube", "-o", path("tube.glb")});
    sinew_report({"deform", path("tube.glb"), "--clip", "bend", "--time", "1", "-o", path("bent.obj")});
    // What an artist makes of the frame: a little larger.
    sinew_report({"convert", path("bent.obj"), path("sculpted.obj"), "--scale", "1.1"});
    const auto volume = [&](std::vector<std::string> more) {
        std::vector<std::string> words = {"deform", path("tube.glb"), "--clip", "bend",
                                          "-o",     path("out.obj")};
        words.insert(words.end(), more.begin(), more.end());
        return sinew_report(words)["volume_ratio"].get<double>();
    };
    const std::string example = path("sculpted.obj") + "@1";
    const double larger = 1.1 * 1.1 * 1.1;
    EXPECT_NEAR(volume({"--time", "1", "--example", example}) / volume({"--time", "1"}), larger, 1e-3);
    EXPECT_NEAR(volume({"--time", "0", "--example", example}) / volume({"--time", "0"}), 1, 1e-3);
    const double between =
        volume({"--time", "0.7", "--example", example, "--basis", "linear"}) / volume({"--time", "0.7"});
    EXPECT_GT(between, 1.02);
    EXPECT_LT(between, larger);
    // Parameters: a tube twice as large is at 10.
    sinew_report({"convert", path("tube.glb"), path("large.obj"), "--bare", "--scale", "2"});
    const std::string shape = path("large.obj") + "@10";
    EXPECT_NEAR(volume({"--time", "0", "--shape", shape, "--parameters", "5"}), 1.5 * 1.5 * 1.5, 1e-3);
    // A shape key of the character is an example in rest space.
    model::Character keyed = sample::make("tube");
    keyed.mesh.morphs = {{"swollen", 0, keyed.mesh.positions, {}, 0}};  // twice as large
    io::write(path("tube.glb"), keyed);
    EXPECT_NEAR(volume({"--time", "1", "--example", "swollen@1"}), 8 * volume({"--time", "1"}), 0.1);
    EXPECT_NEAR(volume({"--time", "0", "--example", "swollen@1"}), 1, 1e-3);
    const auto refused = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {"deform", path("tube.glb"), "-o", path("x.obj")});
        return test::sinew(more).exit_code != 0;
    };
    EXPECT_TRUE(refused({"--example", "sculpted.obj"}));
    EXPECT_TRUE(refused({"--example", path("absent.obj") + "@0.5"}));
    EXPECT_TRUE(refused({"--example", example + "9"})) << "outside the clip";
    EXPECT_TRUE(refused({"--shape", shape}));
    EXPECT_TRUE(refused({"--shape", shape, "--parameters", "1,2"}));
    EXPECT_TRUE(refused({"--example", example, "--refine", "mush"}));
}

}  // namespace
}  // namespace sinew
