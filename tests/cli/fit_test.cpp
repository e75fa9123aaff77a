// sinew fit, sample and bench fit as a black box.

#include <filesystem>

#include "command.h"
#include <gtest/gtest.h>

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

TEST(Bench, FitPrintsBothPublishedTablesAndDrawsThem) {
    const test::TemporaryFolder folder;
    const Json report = sinew_report({"bench", "fit", "--quick", "-o", (folder / "plots").string()});
    EXPECT_GE(report.at("rows").size(), 9u + 4 + 1 + 4);
    for (const char* name : {"fit_bones.svg", "fit_corrections.svg", "fit_frames.svg", "fit_views.png"})
        EXPECT_GT(fs::file_size(folder / "plots" / name), 1000u) << name;
}

}  // namespace
}  // namespace sinew
