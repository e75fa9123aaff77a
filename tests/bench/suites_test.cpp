// SPDX-License-Identifier: MIT
// sinew-bench as a black box.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "support/data.h"
#include "support/sanitizer.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sinew/base/report.h"
#include "sinew/render/renderer.h"

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
    std::map<std::string, Json> methods, models;
    for (const Json& row : report["rows"]) {
        if (row.contains("times baseline")) methods[row["method"]] = row;
        if (row.contains("LBS there")) models[row["model"]] = row;
    }
    EXPECT_GE(methods.size(), 10u);
    const double baseline = methods["interleaved 4-wide (baseline)"]["ns/vertex"],
                 lbs = methods["lbs, component arrays"]["ns/vertex"];
    for (const auto& [name, row] : methods) {
        const double own = row["ns/vertex"];
        EXPECT_NEAR(row["times baseline"].get<double>(), baseline / own, 1e-6 * baseline / own) << name;
        EXPECT_NEAR(row["of LBS"].get<double>(), own / lbs, 1e-6 * own / lbs) << name;
    }
    // The models of the source by their sizes; what its computer took is hundreds of times more.
    const std::tuple<const char*, int, int, double, double> published[] = {
        {"Hand", 2402, 23, 2.68, 5.79}, {"Woman", 3356, 78, 2.81, 5.43}, {"Creature", 6802, 56, 7.6, 16.11}};
    ASSERT_EQ(models.size(), std::size(published));
    for (const auto& [name, vertices, joints, there, spherical] : published) {
        const Json& row = models[name];
        EXPECT_EQ(row["vertices"], vertices);
        EXPECT_EQ(row["joints"], joints);
        EXPECT_EQ(row["LBS there"], there);
        EXPECT_EQ(row["SBS there"], spherical);
        if (test::sanitized) continue;
        EXPECT_LT(row["LBS"].get<double>(), there) << name;
        EXPECT_LT(row["SBS"].get<double>(), spherical) << name;
    }
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

/// Points of the lines of a plot that have as many as asked for, in the order of the file.
std::vector<std::vector<Eigen::Vector2d>> lines_of(const std::filesystem::path& plot, std::size_t points) {
    const std::string text = test::read_text(plot);
    static const std::regex line("<polyline points=\"([^\"]*)\"");
    std::vector<std::vector<Eigen::Vector2d>> lines;
    for (std::sregex_iterator it(text.begin(), text.end(), line), end; it != end; ++it) {
        std::istringstream words((*it)[1].str());
        std::vector<Eigen::Vector2d> list;
        char comma = 0;
        for (Eigen::Vector2d p; words >> p.x() >> comma >> p.y();) list.push_back(p);
        if (list.size() == points) lines.push_back(list);
    }
    return lines;
}

/// One report of all tables and pictures of the fits, made once.
struct FitBench {
    TemporaryFolder folder;
    Json report = bench_report(fmt::format("fit --quick -o '{}'", (folder / "plots").string()));

    std::vector<Json> rows(const char* column) const {
        std::vector<Json> found;
        for (const Json& row : report.at("rows"))
            if (row.contains(column)) found.push_back(row);
        return found;
    }
};

const FitBench& fit_bench() {
    static const FitBench bench;
    return bench;
}

TEST(Bench, FitsStandBesideBothPublishedTables) {
    const auto first = fit_bench().rows("R4 %"), second = fit_bench().rows("clusters found");
    const std::pair<const char*, double> sources[] = {
        {"Falling Skirt 1", 0.69}, {"Falling Skirt 2", 0.86},
        {"Skirt Walk 1", 0.84},    {"Skirt Walk 2", 1.33},
        {"Curtain", 0.16},         {"Elastic Hippopotamus", 0.11},
        {"Elastic Shark", 0.04},   {"Cloth Hippopotamus", 0.86},
        {"Cloth Camel", 0.80}};
    ASSERT_EQ(first.size(), std::size(sources));
    double moving = 0;
    for (std::size_t i = 0; i < first.size(); ++i) {
        const Json& row = first[i];
        const auto value = [&](const char* column) { return row.at(column).get<double>(); };
        EXPECT_EQ(row["replaces"], sources[i].first);
        EXPECT_EQ(row["published %"], sources[i].second);
        moving = std::max(moving, value("hats %"));
        EXPECT_LE(value("command %"), value("R4 %"));
        EXPECT_LE(value("hats + 5 corrections %"), value("hats %"));
        EXPECT_LE(value("command + 5 corrections %"), value("command %"));
        EXPECT_NEAR(value("left of command"), value("command + 5 corrections %") / value("command %"), 1e-9);
        EXPECT_NEAR(value("left of hats"), value("hats + 5 corrections %") / value("hats %"), 1e-9);
        // The published formula: 6 numbers a vertex and frame, against 6 a vertex and 12 a joint and frame.
        EXPECT_NEAR(value("ratio"), 6.0 * 300 * 8 / (6 * 300 + 12 * 100 * 8), 1e-9);
        for (const char* column : {"hats s", "command s", "affine s"}) EXPECT_GT(value(column), 0);
    }
    EXPECT_GT(moving, 1);  // there is something to fit
    const std::tuple<const char*, int, double, double, double, double> compared[] = {
        {"Cloth Horse", 6, 7.67, 0.17, 41.7, 0.88},
        {"Flag", 32, 1.17, 0.44, 21.2, 5.93},
        {"Flag", 100, 0.46, 0.17, 2.26, 1.25},
        {"Elastic Cow", 18, 2.48, 1.2, 2.82, 1.54}};
    ASSERT_EQ(second.size(), std::size(compared));
    for (std::size_t i = 0; i < second.size(); ++i) {
        const Json& row = second[i];
        const auto value = [&](const char* column) { return row.at(column).get<double>(); };
        const auto& [name, bones, sad, sad_corrected, sma, sma_corrected] = compared[i];
        EXPECT_EQ(row["replaces"], name);
        EXPECT_EQ(row["bones"], bones);
        EXPECT_EQ(row["clusters found"], bones);
        EXPECT_EQ(value("published proxy %"), sad);
        EXPECT_EQ(value("published proxy + 10 %"), sad_corrected);
        EXPECT_EQ(value("published clusters %"), sma);
        EXPECT_EQ(value("published clusters + 10 %"), sma_corrected);
        EXPECT_LT(value("proxy %"), value("clusters %")) << name;  // what the source says of cloth
        EXPECT_LT(value("proxy + 10 %"), value("proxy %"));
        EXPECT_LT(value("clusters + 10 %"), value("clusters %"));
    }
}

TEST(Bench, FitsOfTheSameBytesAreCompared) {
    const auto rows = fit_bench().rows("affine joints");
    ASSERT_EQ(rows.size(), 1u);
    const Json& row = rows[0];
    // 8 numbers of a rigid joint against 12 of an affine one.
    EXPECT_EQ(row["affine joints"], 100 * 8 / 12);
    EXPECT_GT(row["bytes"], 8 * 100 * 8 * 4);
    for (const char* column : {"rigid, 100 joints %", "affine %", "without blending, 100 parts %"})
        EXPECT_GT(row.at(column).get<double>(), 0) << column;
    EXPECT_GE(row.at("principal components %").get<double>(), 0);
    EXPECT_LE(row.at("affine %"), row.at("rigid, 100 joints %"));
}

TEST(Bench, ErrorsFallWithBonesAndCorrectionsAndAreDrawn) {
    const auto growth = fit_bench().rows("proxy rigid %");
    ASSERT_EQ(growth.size(), 4u);
    const char* const columns[] = {"proxy rigid %", "proxy affine %", "decomposition rigid %",
                                   "decomposition affine %"};
    for (std::size_t i = 1; i < growth.size(); ++i) {
        EXPECT_GT(growth[i]["bones"], growth[i - 1]["bones"]);
        for (const char* column : columns)
            EXPECT_LE(growth[i].at(column).get<double>(), growth[i - 1].at(column).get<double>()) << column;
    }
    const auto& folder = fit_bench().folder;
    // Heights of the lines are logarithms: as far apart as the numbers of the table say.
    const auto drawn = lines_of(folder / "plots/fit_bones.svg", 4);
    ASSERT_EQ(drawn.size(), 4u);
    const auto decades = [&](std::size_t series) {
        return std::log10(growth[0].at(columns[series]).get<double>() /
                          growth[3].at(columns[series]).get<double>());
    };
    const double scale = (drawn[2][3].y() - drawn[2][0].y()) / decades(2);
    EXPECT_GT(scale, 20);
    for (std::size_t s = 0; s < 4; ++s)
        EXPECT_NEAR(drawn[s][3].y() - drawn[s][0].y(), scale * decades(s), 1) << columns[s];
    // Errors over corrections and singular values fall, a curve for each; over time, more corrections lie
    // below fewer.
    std::size_t falling = 0;
    for (std::size_t points = 4; points <= 21; ++points) {
        for (const auto& line : lines_of(folder / "plots/fit_corrections.svg", points)) {
            ++falling;
            EXPECT_TRUE(std::ranges::is_sorted(line, {}, [](const Eigen::Vector2d& p) { return p.y(); }));
        }
    }
    EXPECT_EQ(falling, 2u);
    const auto frames = lines_of(folder / "plots/fit_frames.svg", 8);
    ASSERT_EQ(frames.size(), 3u);
    double below = 0;
    for (std::size_t f = 1; f < 8; ++f) below += frames[2][f].y() - frames[0][f].y();
    EXPECT_GT(below, 100);
}

/// A panel of the sheet of pictures, which lie 4 pixels apart, without its caption.
render::Picture panel(const render::Picture& sheet, int column, int row) {
    render::Picture part(480, 400);
    const int pitch = (sheet.height - 4) / 2, top = 4 + row * pitch + (pitch - 4 - part.height);
    for (int y = 0; y < part.height; ++y)
        for (int x = 0; x < part.width; ++x) part.at(x, y) = sheet.at(4 + 484 * column + x, top + y);
    return part;
}

double difference(const render::Picture& a, const render::Picture& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.pixels.size(); ++i)
        for (std::size_t c = 0; c < 3; ++c) sum += std::abs(int{a.pixels[i][c]} - int{b.pixels[i][c]});
    return sum / static_cast<double>(a.pixels.size());
}

TEST(Bench, FitsAreSeenBesideTheirOriginal) {
    const render::Picture sheet = render::load_picture(fit_bench().folder / "plots/fit_views.png");
    const render::Picture original = panel(sheet, 0, 0), fitted = panel(sheet, 1, 0),
                          corrected = panel(sheet, 2, 0), influences = panel(sheet, 0, 1),
                          error = panel(sheet, 1, 1), left = panel(sheet, 2, 1);
    EXPECT_GT(difference(original, fitted), 2 * difference(original, corrected));
    // Every joint and what it moves has a colour of its own.
    std::set<int> hues;
    for (const render::Pixel& p : influences.pixels) {
        const int most = std::max({p[0], p[1], p[2]}), least = std::min({p[0], p[1], p[2]});
        if (most - least < 60) continue;
        const auto step = [&](int c) {
            return (p[static_cast<std::size_t>(c)] - least) * 3 / (most - least);
        };
        hues.insert(16 * step(0) + 4 * step(1) + step(2));
    }
    EXPECT_GT(hues.size(), 6u);
    // Green and warmer where the fit is wrong, blue where corrections have mended it.
    const auto warm = [](const render::Picture& picture) {
        return std::ranges::count_if(picture.pixels,
                                     [](const render::Pixel& p) { return p[1] > p[2] + 15 && p[1] > 60; });
    };
    EXPECT_GT(warm(error), 200);
    EXPECT_LT(warm(left), warm(error) / 10);
}

TEST(Bench, ACrowdIsMeasuredOnTheCardAndSent) {
    const auto rows = fit_bench().rows("bytes sent a frame");
    ASSERT_EQ(rows.size(), 2u);
    const double fast = rows[0]["frames/s"], plain = rows[1]["frames/s"];
    EXPECT_NEAR(rows[0]["times as fast"].get<double>(), fast / plain, 1e-6 * fast / plain);
    for (const Json& row : rows) {  // 20 members of 596 triangles
        EXPECT_NEAR(row["million triangles/s"].get<double>(), row["frames/s"].get<double>() * 20 * 596 / 1e6,
                    1e-9);
        EXPECT_LT(row["difference of the pictures, of 255"].get<double>(), 0.5);
    }
    EXPECT_EQ(rows[1]["bytes sent a frame"], 20 * 300 * 24);
    EXPECT_LT(rows[0]["bytes sent a frame"], rows[1]["bytes sent a frame"]);
}

}  // namespace
}  // namespace sinew
