// SPDX-License-Identifier: MIT
// sinew-bench as a black box.

#include <cstdlib>
#include <filesystem>

#include "support/data.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sinew/base/report.h"

namespace sinew {
namespace {

using test::TemporaryFolder;

/// Runs `sinew-bench ARGUMENTS --quiet --report ...` and returns the report.
Json bench_report(const std::string& arguments) {
    const TemporaryFolder folder;
    const std::string report = (folder / "report.json").string();
    const std::string command =
        fmt::format("'{}' {} --quiet --report '{}'", SINEW_BENCH_PROGRAM, arguments, report);
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    return Json::parse(test::read_text(report));
}

TEST(Bench, PrintsTheBaselineBesideEveryMethod) {
    const Json report = bench_report("skinning --quick");
    EXPECT_FALSE(report["machine"].get<std::string>().empty());
    std::size_t methods = 0;
    for (const Json& row : report["rows"]) methods += row.contains("method") && row["times baseline"] > 0;
    EXPECT_GE(methods, 10u);
}

TEST(Bench, ArtifactScenesShowWhatTheFormulasSay) {
    const TemporaryFolder folder;
    const Json report = bench_report(fmt::format("artifacts -o '{}'", (folder / "pictures").string()));
    std::size_t compared = 0;
    double tear_uniform = 0, tear_weighted = 0;
    for (const Json& row : report["rows"]) {
        for (const auto& [key, value] : row.items()) {
            const std::string formula = key + ", formula";
            if (!row.contains(formula) || !row[formula].is_number() || !value.is_number()) continue;
            ++compared;
            // The bulge is found on the rings of a mesh, and between them by the formula.
            const double tolerance = key == "off the bones" ? 0.01 : 1e-5;
            EXPECT_NEAR(value.get<double>(), row[formula].get<double>(), tolerance)
                << row["table"] << " " << row["method"] << " " << key;
        }
        if (!row.contains("longest of usual step")) continue;
        if (row["method"] == "sbs") tear_uniform = row["longest of usual step"];
        if (row["method"] == "sbs-weighted") tear_weighted = row["longest of usual step"];
    }
    EXPECT_GT(compared, 65u);
    EXPECT_GT(tear_uniform, 2.5);
    EXPECT_LT(tear_weighted, 1.5);
    ASSERT_EQ(report["files"].size(), 6u);
    for (const Json& file : report["files"])
        EXPECT_GT(std::filesystem::file_size(file.get<std::string>()), 50'000u) << file;
}

TEST(Bench, PlotsTheErrorBoundsOfTheBlends) {
    const TemporaryFolder folder;
    const Json report = bench_report(fmt::format("blending --quick -o '{}'", (folder / "plots").string()));
    double angle = 0, pitch = 0, speed = 0;
    for (const Json& row : report["rows"]) {
        if (row.value("relative rotation", "") == "180 degrees") {
            angle = row["QLB, DLB angle (degrees)"];
            pitch = row["DLB pitch (percent of the slide)"];
        }
        if (row.contains("closed form")) speed = row["measured"];
        if (row.value("blend", "") == "dlb") {
            EXPECT_LT(row["left"], 1e-9);
            EXPECT_GT(row["speed"], 1e-3);
        }
    }
    EXPECT_NEAR(angle, 8.14914, 1e-5);
    EXPECT_NEAR(pitch, 15.0142, 1e-4);
    EXPECT_NEAR(speed, 0.9602230, 1e-6);
    ASSERT_EQ(report["files"].size(), 6u);
    for (const Json& file : report["files"])
        EXPECT_GT(std::filesystem::file_size(file.get<std::string>()), 3000u) << file;
}

TEST(Bench, FitPrintsBothPublishedTablesAndDrawsThem) {
    const TemporaryFolder folder;
    const Json report = bench_report(fmt::format("fit --quick -o '{}'", (folder / "plots").string()));
    EXPECT_GE(report.at("rows").size(), 9u + 4 + 1 + 4 + 2 + 2);
    for (const char* name : {"fit_bones.svg", "fit_corrections.svg", "fit_frames.svg", "fit_views.png"})
        EXPECT_GT(std::filesystem::file_size(folder / "plots" / name), 1000u) << name;
}

}  // namespace
}  // namespace sinew
