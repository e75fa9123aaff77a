// SPDX-License-Identifier: MIT
// Motions onto characters and walking trials into reports, as a user does it.

#include <cmath>

#include "command.h"
#include <gtest/gtest.h>

#include "sinew/math/types.h"

namespace sinew {
namespace {

using test::sinew_report;
using test::TemporaryFolder;

TEST(GaitPipeline, OnePageWithCurvesTablesAndNoNames) {
    SINEW_NEEDS_DATA();
    const TemporaryFolder folder;
    const std::string page = (folder / "report.html").string(),
                      trial = test::data("c3d/PiG_walk.c3d").string();
    const Json report = sinew_report({"gait", trial, "-o", page, "--no-pictures"});
    for (const char* key : {"events", "cycles", "angles", "spatiotemporal", "symmetry", "event_rules"})
        EXPECT_TRUE(report.contains(key)) << key;
    EXPECT_EQ(report["cycles"].size(), 4u);
    const std::string html = test::read_text(page);
    EXPECT_NE(html.find("<!doctype html>"), std::string::npos);
    std::size_t charts = 0;
    for (std::size_t at = 0; (at = html.find("class=\"chart cycle\"", at)) != std::string::npos; ++at)
        ++charts;
    EXPECT_EQ(charts, 24u);  // nine angles, knee and ankle, kinetics: no trunk and arms were measured
    for (const char* word : {"http://", "https://", "src=\"/", "PiG_walk"})
        EXPECT_EQ(html.find(word), std::string::npos) << word;
    EXPECT_NE(html.find("Schwartz"), std::string::npos);
    EXPECT_NE(html.find("band normal"), std::string::npos);
    // A laboratory's own band.
    std::string gcd = "#!DST-0.GCD 1.0\n!LeftKneeFlexExt\n";
    for (int i = 0; i <= 50; ++i) gcd += fmt::format("{} 4\n", 30 - i % 25);
    test::write_text(folder / "band.gcd", gcd);
    sinew_report({"gait", trial, "-o", page, "--no-pictures", "--normal", (folder / "band.gcd").string()});
    EXPECT_NE(test::read_text(page).find("band normal"), std::string::npos);
}

TEST(GaitPipeline, ThePageExplainsPhases) {
    const TemporaryFolder folder;
    const std::string trial = (folder / "walk.c3d").string(), page = (folder / "report.html").string();
    sinew_report({"sample", "walk-trial", "-o", trial});
    sinew_report({"gait", trial, "-o", page, "--no-pictures"});
    const std::string html = test::read_text(page);
    for (const char* term :
         {"Gait cycle", "Stance: LR, MSt, TSt, PSw", "Swing: ISw, MSw, TSw", "Double support"}) {
        const std::size_t at = html.find(std::string("<dt>") + term + "</dt><dd>");
        ASSERT_NE(at, std::string::npos) << term;
        const std::size_t from = html.find("<dd>", at), to = html.find("</dd>", at);
        EXPECT_GT(to - from, 24u) << term << " is not explained";
    }
}

TEST(GaitPageInBrowser, ACycleThatIsNotTickedLeavesEverySheet) {
    const TemporaryFolder folder;
    const std::string trial = (folder / "walk.c3d").string(), page = (folder / "report.html").string();
    sinew_report({"sample", "walk-trial", "-o", trial});
    sinew_report({"gait", trial, "-o", page, "--no-pictures"});
    std::string html = test::read_text(page);
    html.insert(html.rfind("</html>"), "<script>document.documentElement.dataset.state='ready'</script>");
    test::write_text(page, html);
    const auto evaluate = [](const char* code) { return Json{{"do", "eval"}, {"code", code}}; };
    std::string reason;
    const Json seen = test::in_browser(
        page,
        Json::array(
            {evaluate("var box=document.querySelector('.cycles input'),same=[...document.querySelectorAll("
                      "'.cycles input')].filter(i=>i.value===box.value);same.length"),
             evaluate("box.click();same.filter(i=>i.checked).length"),
             evaluate("[...document.querySelectorAll(`.each[data-cycle=\"${box.value}\"]`)]"
                      ".filter(k=>k.style.display!=='none').length"),
             evaluate("[...document.querySelectorAll('.each')].filter(k=>k.style.display==='none')"
                      ".length>9")}),
        folder, reason);
    if (seen.is_null()) GTEST_SKIP() << reason;
    EXPECT_EQ(seen["said"], Json::array()) << "nothing on the console";
    EXPECT_GE(seen["values"][0], 2) << "one on each sheet";
    EXPECT_EQ(seen["values"][1], 0);
    EXPECT_EQ(seen["values"][2], 0);
    EXPECT_EQ(seen["values"][3], true);
}

TEST(GaitPipeline, PicturesStandInsideThePage) {
    SINEW_NEEDS_DATA();
    const TemporaryFolder folder;
    const std::string page = (folder / "report.html").string();
    sinew_report({"gait", test::data("c3d/PlugInC3D.c3d").string(), "-o", page});
    const std::string html = test::read_text(page);
    std::size_t pictures = 0;
    for (std::size_t at = 0; (at = html.find("data:image/png;base64,", at)) != std::string::npos; ++at)
        ++pictures;
    EXPECT_EQ(pictures, 7u);
}

TEST(GaitPipeline, CsvAndJsonHaveTheSameCurves) {
    SINEW_NEEDS_DATA();
    const TemporaryFolder folder;
    const std::string csv = (folder / "r.csv").string(), json = (folder / "r.json").string();
    const std::string trial = test::data("c3d/PlugInC3D.c3d").string();
    sinew_report({"gait", trial, "-o", csv});
    sinew_report({"gait", trial, "-o", json});
    const Json data = Json::parse(test::read_text(json));
    const std::string row = fmt::format("angle,left,knee_flexion,50,{:.4f},",
                                        data["angles"]["left"]["knee_flexion"]["mean"][50].get<double>());
    EXPECT_NE(test::read_text(csv).find(row), std::string::npos) << row;
    EXPECT_EQ(test::sinew({"gait", trial, "-o", (folder / "r.pdf").string()}).exit_code, 2);
}

TEST(GaitPipeline, WhatIsNoWalkIsToldSo) {
    SINEW_NEEDS_DATA();
    const TemporaryFolder folder;
    const Json report =
        sinew_report({"gait", test::data("c3d/PiG_static.c3d").string(), "-o", (folder / "r.html").string()});
    EXPECT_TRUE(report["cycles"].empty());
    EXPECT_FALSE(report["notes"].empty());
    EXPECT_EQ(test::sinew({"gait", test::data("mesh/homer.obj").string(), "-o", (folder / "r.html").string()})
                  .exit_code,
              1);
}

TEST(GaitPipeline, WithoutACycleNothingIsShownAsMeasured) {
    SINEW_NEEDS_DATA();
    const TemporaryFolder folder;
    const std::string trial = test::data("trc/walk_free_01.trc").string();
    const std::string page = (folder / "r.html").string(), csv = (folder / "r.csv").string();
    const Json report = sinew_report({"gait", trial, "-o", page, "--no-pictures"});
    sinew_report({"gait", trial, "-o", csv});
    ASSERT_TRUE(report["cycles"].empty());
    const std::string html = test::read_text(page), table = test::read_text(csv);
    EXPECT_EQ(html.find("<rect class=\"phase"), std::string::npos);
    EXPECT_NE(html.find("no complete cycle: "), std::string::npos);
    EXPECT_EQ(html.find("-0.00"), std::string::npos);
    EXPECT_EQ(table.find("phase,"), std::string::npos);
}

TEST(GaitPipeline, EventsThatTheFileLeavesOutComeFromTheMarkersAndSaySo) {
    SINEW_NEEDS_DATA();
    const TemporaryFolder folder;
    const Json report =
        sinew_report({"gait", test::data("c3d/Eb015pi.c3d").string(), "-o", (folder / "r.csv").string()});
    std::size_t from_file = 0;
    for (const Json& event : report["events"]) {
        EXPECT_TRUE(event["side"] == "Right" || event["source"] != "file");
        from_file += event["source"] == "file" ? 1 : 0;
    }
    EXPECT_EQ(from_file, 3u);
    EXPECT_EQ(report["cycles"].size(), 3u);
}

/// The built-in man as two files of his walk: no data needed.
std::string walking_man(const TemporaryFolder& folder) {
    const std::string man = (folder / "man.glb").string(), walk = (folder / "walk.bvh").string();
    sinew_report({"sample", "man", "-o", man});
    sinew_report({"convert", man, walk, "--clip", "walk"});
    return walk;
}

TEST(GaitPipeline, SeveralTrialsAreAveragedAndCompared) {
    const TemporaryFolder folder;
    const std::string walk = walking_man(folder), page = (folder / "r.html").string();
    const Json one = sinew_report({"gait", walk, "-o", (folder / "one.json").string()});
    const std::size_t cycles = one["cycles"].size();
    ASSERT_GE(cycles, 1u);
    const Json two = sinew_report({"gait", walk, walk, "--compare", walk, "-o", page, "--no-pictures"});
    EXPECT_EQ(two["trials"], 2);
    EXPECT_EQ(two["cycles"].size(), 2 * cycles);
    EXPECT_EQ(two["compared"]["cycles"].size(), cycles);
    const std::string html = test::read_text(page);
    EXPECT_NE(html.find("dashed: before"), std::string::npos);
    EXPECT_NE(html.find("2 trials"), std::string::npos);
    const std::string start = fmt::format("{}@{}", one["cycles"][0]["side"] == "Left" ? "left" : "right",
                                          one["cycles"][0]["start"].get<double>());
    const Json fewer =
        sinew_report({"gait", walk, "-o", (folder / "less.json").string(), "--skip-cycle", start});
    EXPECT_EQ(fewer["cycles"].size(), cycles - 1);
    EXPECT_EQ(test::sinew({"gait", walk, "-o", page, "--force", "--skip-cycle", "left@77"}).exit_code, 1);
    sinew_report({"gait", walk, "-o", (folder / "r.svg").string()});
    EXPECT_EQ(test::read_text(folder / "r.svg").rfind("<svg", 0), 0u);
}

TEST(GaitPipeline, ANormIsMadeOfControlsAndUsed) {
    const TemporaryFolder folder;
    const std::string walk = walking_man(folder), norm = (folder / "norm.csv").string(),
                      out = (folder / "r.json").string();
    sinew_report({"gait", "--make-norm", walk, walk, "-o", norm, "--source", "the sample man"});
    EXPECT_NE(test::read_text(norm).find("the sample man"), std::string::npos);
    const Json report = sinew_report({"gait", walk, "-o", out, "--norm", norm});
    // He is his own norm.
    for (const char* const side : {"left", "right"}) {
        const Json& score = report["scores"]["gps"][side];
        EXPECT_TRUE(score.is_null() || score.get<double>() < 6) << score;
    }
    EXPECT_FALSE(report["scores"]["map"]["left"]["knee_flexion"].is_null() &&
                 report["scores"]["map"]["right"]["knee_flexion"].is_null());
    test::write_text(folder / "bad.csv", "curve,knee_flexion,0,zero,1\n");
    EXPECT_EQ(test::sinew(
                  {"gait", walk, "-o", (folder / "x.json").string(), "--norm", (folder / "bad.csv").string()})
                  .exit_code,
              1);
}

TEST(GaitPipeline, ResultsAreWrittenIntoTheTrial) {
    SINEW_NEEDS_DATA();
    const TemporaryFolder folder;
    const std::string trial = test::data("c3d/PiG_walk.c3d").string(), out = (folder / "out.c3d").string();
    const Json first =
        sinew_report({"gait", trial, "-o", out, "--static", test::data("c3d/PiG_static.c3d").string(),
                      "--angles", "solved", "--move-event", "left foot strike@0.61:0.62"});
    EXPECT_LT(first["against_stored_rms"]["cgm"]["left"]["hip_rotation"].get<double>(), 0.01);
    const Json again = sinew_report({"gait", out, "-o", (folder / "r.json").string(), "--angles", "file"});
    EXPECT_NEAR(again["events"][2]["time"].get<double>(), 0.62, 1e-4);
    EXPECT_NEAR(again["angles"]["left"]["knee_flexion"]["mean"][50].get<double>(),
                first["angles"]["left"]["knee_flexion"]["mean"][50].get<double>(), 0.01);
    EXPECT_NEAR(again["kinetics"]["left"]["ankle_moment"]["mean"][40].get<double>(),
                first["kinetics"]["left"]["ankle_moment"]["mean"][40].get<double>(), 0.01);
    sinew_report({"gait", trial, "-o", (folder / "forces.mot").string()});
    EXPECT_NE(test::read_text(folder / "forces.mot").find("ground_force_l_vy"), std::string::npos);
    sinew_report({"gait", trial, "-o", (folder / "markers.trc").string()});
    const std::string markers = test::read_text(folder / "markers.trc");
    EXPECT_NE(markers.find("\n1\t0.000000\t"), std::string::npos) << "times as in the forces";
    EXPECT_EQ(sinew_report(
                  {"gait", (folder / "markers.trc").string(), "-o", (folder / "r.json").string()})["cycles"]
                  .size(),
              3u);
}

TEST(GaitPipeline, MotionsOfOpenSimAreReadAndWritten) {
    const TemporaryFolder folder;
    std::string mot =
        "walk\nversion=1\nnRows=201\nnColumns=4\ninDegrees=yes\nendheader\n"
        "time\tpelvis_tilt\thip_flexion_l\tknee_angle_l\n";
    for (int f = 0; f <= 200; ++f)
        mot += fmt::format("{:.2f}\t-10\t{:.6f}\t{:.6f}\n", f / 100.0, 30 * std::cos(0.02 * math::pi * f),
                           -30 + 25 * std::cos(0.02 * math::pi * f));
    const std::string file = (folder / "walk.mot").string(), page = (folder / "walk.json").string();
    test::write_text(folder / "walk.mot", mot);
    const Json info = sinew_report({"info", file});
    EXPECT_EQ(info["kind"], "trial");
    EXPECT_EQ(info["frames"], 201);
    const Json report = sinew_report(
        {"gait", file, "-o", page, "--event", "left foot strike@0.5", "--event", "left foot strike@1.5"});
    EXPECT_EQ(report["cycles"].size(), 1u);
    const Json& left = report["angles"]["left"];
    EXPECT_NEAR(left["hip_flexion"]["mean"][0].get<double>(), -30, 1e-3);
    EXPECT_NEAR(left["hip_flexion"]["mean"][50].get<double>(), 30, 1e-3);
    EXPECT_NEAR(left["knee_flexion"]["mean"][0].get<double>(), 55, 1e-3);
    EXPECT_NEAR(left["pelvic_tilt"]["mean"][20].get<double>(), 10, 1e-3);
    sinew_report({"convert", file, "-o", (folder / "walk.c3d").string()});
    sinew_report({"convert", (folder / "walk.c3d").string(), "-o", (folder / "again.sto").string()});
    const Json again = sinew_report({"gait", (folder / "again.sto").string(), "-o", page, "--event",
                                     "left foot strike@0.5", "--event", "left foot strike@1.5"});
    EXPECT_EQ(again["angles"]["left"]["knee_flexion"], left["knee_flexion"]);
}

TEST(GaitPipeline, AStaticTrialImprovesAnAngleOrLeavesIt) {
    SINEW_NEEDS_DATA();
    const TemporaryFolder folder;
    const std::string trial = test::data("c3d/PiG_walk.c3d").string(), out = (folder / "r.csv").string(),
                      standing = test::data("c3d/PiG_static.c3d").string();
    const Json without = sinew_report({"gait", trial, "-o", out})["against_stored_rms"],
               with = sinew_report({"gait", trial, "-o", out, "--static", standing})["against_stored_rms"];
    for (const char* const model : {"cgm", "fit"})
        for (const char* const side : {"left", "right"})
            for (const auto& [curve, rms] : with[model][side].items()) {
                // Moments and powers rest on one skeleton as a whole.
                if (curve.ends_with("moment") || curve.ends_with("power")) continue;
                EXPECT_LE(rms.get<double>(), without[model][side][curve].get<double>() + 0.005)
                    << model << ' ' << side << ' ' << curve;
            }
    EXPECT_LT(with["fit"]["left"]["hip_flexion"].get<double>(), 1);
    EXPECT_GT(without["fit"]["left"]["hip_flexion"].get<double>(), 2);
}

TEST(GaitPipeline, EventsAreAddedMovedAndRemoved) {
    SINEW_NEEDS_DATA();
    const TemporaryFolder folder;
    const std::string trial = test::data("c3d/PiG_walk.c3d").string(), out = (folder / "r.json").string();
    const Json found = sinew_report({"gait", trial, "-o", out})["events"];
    const double first = found[0]["time"].get<double>();
    const std::string name = fmt::format("{} {}@{}", found[0]["side"].get<std::string>(),
                                         found[0]["event"].get<std::string>(), first);
    const Json moved =
        sinew_report({"gait", trial, "-o", out, "--move-event", fmt::format("{}:{}", name, first + 0.01)});
    EXPECT_EQ(moved["events"].size(), found.size());
    EXPECT_NEAR(moved["events"][0]["time"].get<double>(), first + 0.01, 1e-9);
    EXPECT_EQ(moved["events"][0]["source"], "user");
    const Json removed = sinew_report({"gait", trial, "-o", out, "--remove-event", name});
    EXPECT_EQ(removed["events"].size(), found.size() - 1);
    const Json added = sinew_report({"gait", trial, "-o", out, "--event", "left foot strike@0.001"});
    EXPECT_EQ(added["events"].size(), found.size() + 1);
    EXPECT_EQ(test::sinew({"gait", trial, "-o", out, "--event", "left jump@1"}).exit_code, 1);
}

TEST(GaitPipeline, ChecklistsAreWrittenFilledAndCompared) {
    const TemporaryFolder folder;
    const std::string blank = (folder / "blank.txt").string(), a = (folder / "a.txt").string(),
                      b = (folder / "b.txt").string(), out = (folder / "agreement.json").string();
    sinew_report({"study", "-o", blank});
    EXPECT_NE(test::read_text(blank).find("# foot slap: LR"), std::string::npos);
    test::write_text(a, "foot slap: LR\nhiking: PSw ISw\n");
    test::write_text(b, "foot slap: LR\nhiking: PSw\n");
    const Json row = sinew_report({"study", a, b, "-o", out})["agreement"][0];
    EXPECT_EQ(row["hits"], 2);
    EXPECT_EQ(row["misses"], 1);
    EXPECT_EQ(row["extra"], 0);
    EXPECT_NEAR(row["percent"].get<double>(), 100.0 * 47 / 48, 1e-9);
    EXPECT_EQ(test::sinew({"study", a, "-o", out}).exit_code, 1);
}

TEST(GaitPipeline, AnonymousFilesKeepTheirMarkers) {
    SINEW_NEEDS_DATA();
    const TemporaryFolder folder;
    const std::string out = (folder / "a.c3d").string(), in = test::data("c3d/PiG_walk.c3d").string();
    sinew_report({"convert", in, out, "--anonymous"});
    EXPECT_EQ(sinew_report({"info", out})["marker_list"], sinew_report({"info", in})["marker_list"]);
}

TEST(AnimatePipeline, ABareMeshGetsTheSkeletonOfItsBody) {
    SINEW_NEEDS_DATA();
    const TemporaryFolder folder;
    const std::string mesh = (folder / "bare.obj").string(), out = (folder / "walk.glb").string();
    sinew_report({"convert", test::data("gltf/CesiumMan.glb").string(), mesh, "--bare"});
    const Json report = sinew_report({"animate", mesh, test::data("bvh/cmu_02_01.bvh").string(), "-o", out});
    EXPECT_EQ(report["skeleton_method"], "template");
    EXPECT_EQ(report["body"], "biped");
    for (const Json& foot : report["foot_slide"]) EXPECT_LT(foot["max_percent"].get<double>(), 1);
    const Json info = sinew_report({"info", out});
    EXPECT_EQ(info["kind"], "character");
    EXPECT_EQ(info["frames"], 344);
}

TEST(RetargetPipeline, AFolderOfMotionsGoesOntoOneCharacter) {
    SINEW_NEEDS_DATA();
    const TemporaryFolder folder;
    std::filesystem::create_directories(folder / "in");
    for (const char* name : {"cmu_02_01.bvh", "cmu_09_06.bvh"})
        std::filesystem::copy_file(test::data(std::string("bvh/") + name), folder / "in" / name);
    test::write_text(folder / "in" / "broken.bvh", "HIERARCHY\n");
    const std::string rig = test::data("gltf/CesiumMan.glb").string();
    const auto result = test::sinew({"retarget", (folder / "in").string(), rig, "-o",
                                     (folder / "out").string(), "--report", (folder / "r.json").string()});
    EXPECT_EQ(result.exit_code, 1);  // one of them is broken, and says so
    const Json report = Json::parse(test::read_text(folder / "r.json"));
    ASSERT_EQ(report["motions"].size(), 3u);
    EXPECT_TRUE(report["motions"][0].contains("error"));
    EXPECT_EQ(report["failed"], 1);
    EXPECT_TRUE(std::filesystem::exists(folder / "out" / "cmu_02_01.glb"));
    EXPECT_TRUE(std::filesystem::exists(folder / "out" / "cmu_09_06.glb"));
}

TEST(RetargetPipeline, AMapIsSavedAndUsedAgain) {
    SINEW_NEEDS_DATA();
    const TemporaryFolder folder;
    const std::string rig = test::data("gltf/CesiumMan.glb").string(),
                      motion = test::data("bvh/cmu_09_06.bvh").string();
    const std::string map = (folder / "map.txt").string(), out = (folder / "o.glb").string();
    const Json first = sinew_report({"retarget", motion, rig, "-o", out, "--save-map", map});
    const Json again = sinew_report({"retarget", motion, rig, "-o", out, "--map", map});
    EXPECT_GE(again["mapped"].size(), 12u);
    EXPECT_LE(again["mapped"].size(), first["mapped"].size());
}

}  // namespace
}  // namespace sinew
