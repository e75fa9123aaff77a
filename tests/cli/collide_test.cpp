// Contacts through the program.

#include "command.h"
#include <gtest/gtest.h>

#include "sinew/base/file.h"

namespace sinew {
namespace {

using test::sinew_report;
using test::TemporaryFolder;

TEST(Collide, ReportsContactsOfEveryFrame) {
    const TemporaryFolder folder;
    const std::string horse = (folder / "horse.glb").string(), cat = (folder / "cat.glb").string(),
                      out = (folder / "contacts.csv").string();
    sinew_report({"sample", "horse", "--faces", "1500", "-o", horse});
    sinew_report({"sample", "cat", "--faces", "1000", "-o", cat});
    const Json report = sinew_report({"collide", horse, cat, "-o", out});
    ASSERT_GT(report["frames"].size(), 10u);
    std::size_t contacts = 0;
    for (const Json& row : report["frames"]) {
        contacts += row["contacts"].get<std::size_t>();
        EXPECT_TRUE(row.contains("sphere_tests") && row.contains("refits") && row.contains("seconds"));
    }
    EXPECT_GT(contacts, 0u);
    EXPECT_GT(report["spheres"].get<int>(), 20);
    const std::string text(FileView(out).text());
    EXPECT_EQ(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')), contacts + 1);
    for (const char* method : {"sbs", "dqs"}) {
        const Json demand = sinew_report({"collide", horse, cat, "--method", method, "--frame", "3"});
        const Json all =
            sinew_report({"collide", horse, cat, "--method", method, "--frame", "3", "--refit", "bottom-up"});
        EXPECT_EQ(demand["frames"][0]["contacts"], all["frames"][0]["contacts"]);
        EXPECT_LT(demand["frames"][0]["refits"].get<int>(), all["frames"][0]["refits"].get<int>());
    }
    const Json far = sinew_report({"collide", horse, cat, "--first", "--move", "9,0,0"});
    for (const Json& row : far["frames"]) EXPECT_EQ(row["contacts"], 0);
}

TEST(Collide, DrawsContactsAndMeasuresLevels) {
    const TemporaryFolder folder;
    const std::string hand = (folder / "hand.glb").string(), out = (folder / "self.png").string();
    sinew_report({"sample", "hand", "--faces", "1200", "-o", hand});
    const Json report = sinew_report({"collide", hand, "--frame", "20", "-o", out, "--levels"});
    EXPECT_TRUE(std::filesystem::exists(out));
    ASSERT_GE(report["levels"].size(), 3u);
    EXPECT_GE(report["levels"][2]["on_demand"].get<double>(), report["levels"][2]["best"].get<double>());
}

}  // namespace
}  // namespace sinew
