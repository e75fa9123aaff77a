// SPDX-License-Identifier: MIT
// Markers to motions, characters and reports as a user does it, and what is said of trials that are no good.

#include "command.h"
#include "reference/marker_trial.h"
#include <gtest/gtest.h>

#include "sinew/io/io.h"
#include "sinew/sample/samples.h"

namespace sinew {
namespace {

using test::sinew_report;
using test::TemporaryFolder;

/// The built-in walk with a millimetre of noise.
model::Trial walk_trial(int cycles = 2) {
    const motion::SubjectModel subject = motion::with_plug_in_gait_markers(sample::man_skeleton());
    return motion::record_markers(subject, sample::man_walk(subject.skeleton, {.cycles = cycles}));
}

std::string written(const TemporaryFolder& folder, const char* name, model::Trial trial) {
    io::Asset asset;
    asset.trial = std::move(trial);
    io::write(folder / name, asset);
    return (folder / name).string();
}

void rename(model::Trial& trial, const std::string& label, const std::string& to) {
    trial.markers.info[static_cast<std::size_t>(trial.markers.find(label))].label = to;
}

/// All frames as the one in the middle.
void freeze(model::Trial& trial) {
    const std::size_t n = trial.markers.count(), middle = trial.frames / 2;
    for (std::size_t f = 0; f < trial.frames; ++f)
        for (std::size_t m = 0; m < n; ++m)
            trial.markers.positions[f * n + m] = trial.markers.positions[middle * n + m];
}

bool has_warning(const Json& report, const char* code) {
    return std::ranges::any_of(report["warnings"], [&](const Json& each) { return each["code"] == code; });
}

/// True when a line of "notes" contains the words.
bool notes_say(const Json& report, const char* words) {
    return std::ranges::any_of(report["notes"], [&](const Json& note) {
        return note.get<std::string>().find(words) != std::string::npos;
    });
}

TEST(TrialPictures, MarkersAreDrawnAtAnyInstant) {
    const TemporaryFolder folder;
    const std::string trial = written(folder, "walk.c3d", walk_trial());
    const Json report = sinew_report(
        {"render", trial, "-o", (folder / "t.png").string(), "--frame", "20", "--size", "320x240"});
    EXPECT_EQ(report["width"], 320);
    EXPECT_TRUE(std::filesystem::exists(folder / "t.png"));
}

TEST(SolvePipeline, MarkersBecomeAMotionWithItsResiduals) {
    const TemporaryFolder folder;
    const std::string trial = written(folder, "walk.c3d", walk_trial()), out = (folder / "walk.bvh").string();
    const Json report = sinew_report({"solve", trial, "-o", out, "--raw"});
    EXPECT_EQ(report["marker_set"], "plug-in-gait");
    EXPECT_EQ(report["markers"], 39);
    EXPECT_EQ(report["per_marker"].size(), 39u);
    EXPECT_LT(report["rms_mm"].get<double>(), 3);
    EXPECT_GT(report["rms_mm"].get<double>(), 0.8);  // the noise stays in the residuals
    EXPECT_TRUE(report["unknown"].empty() && report["swapped"].empty() && report["unsolved_frames"].empty());
    const Json info = sinew_report({"info", out});
    EXPECT_EQ(info["frames"], report["frames"]);
    EXPECT_EQ(test::sinew({"solve", out, "-o", (folder / "x.glb").string()}).exit_code, 1);  // no markers
}

TEST(SolvePipeline, OntoASkeletonItsBonesStay) {
    const TemporaryFolder folder;
    const std::string trial = written(folder, "walk.c3d", walk_trial()), out = (folder / "walk.glb").string();
    const std::string man = (folder / "man.glb").string();
    sinew_report({"sample", "man", "-o", man});
    const Json report = sinew_report({"solve", trial, man, "-o", out});
    EXPECT_LT(report["rms_mm"].get<double>(), 5);
    const model::Skeleton given = io::read(man).character.skeleton, kept = io::read(out).character.skeleton;
    for (std::size_t j = 1; j < given.size(); ++j)
        EXPECT_LT((given.joints[j].rest.translation - kept.joints[j].rest.translation).norm(), 1e-5);
}

TEST(SolvePipeline, UnlabelledMarkersAreCountedAndRefused) {
    const TemporaryFolder folder;
    model::Trial trial = walk_trial();
    int n = 0;
    for (model::PointInfo& info : trial.markers.info) info.label = "*" + std::to_string(++n);
    const std::string in = written(folder, "nameless.c3d", trial);
    const auto result = test::sinew({"solve", in, "-o", (folder / "x.glb").string()});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_NE(result.err.find("known markers: none"), std::string::npos) << result.err;
    EXPECT_FALSE(std::filesystem::exists(folder / "x.glb"));
    const Json report = sinew_report({"gait", in, "-o", (folder / "r.json").string()});
    EXPECT_TRUE(notes_say(report, "markers were not solved"));
    EXPECT_TRUE(notes_say(report, "not found: pelvis"));
}

TEST(SolvePipeline, SwappedMarkersAreNamed) {
    const TemporaryFolder folder;
    model::Trial trial = walk_trial();
    rename(trial, "LKNE", "swap");
    rename(trial, "RKNE", "LKNE");
    rename(trial, "swap", "RKNE");
    const Json report =
        sinew_report({"solve", written(folder, "swapped.c3d", trial), "-o", (folder / "x.glb").string()});
    ASSERT_EQ(report["swapped"].size(), 1u);
    EXPECT_EQ(report["swapped"][0], (Json{"LKNE", "RKNE"}));
    EXPECT_TRUE(has_warning(report, "solve-swapped"));
}

TEST(SolvePipeline, AMissingLegIsHeldAndShownAsAGhost) {
    const TemporaryFolder folder;
    model::Trial trial = walk_trial();
    int n = 0;
    for (const char* label : {"RTHI", "RKNE", "RTIB", "RANK", "RHEE", "RTOE"})
        rename(trial, label, "*" + std::to_string(++n));
    const std::string in = written(folder, "one_leg.c3d", trial), man = (folder / "man.glb").string();
    sinew_report({"sample", "man", "-o", man});
    const Json gait = sinew_report({"gait", in, "-o", (folder / "r.csv").string()});
    EXPECT_EQ(gait["unmeasured"], (Json{"right leg"}));
    EXPECT_TRUE(notes_say(gait, "right leg"));
    for (const char* how : {"ghost", "hide", "hold"}) {
        const std::string out = (folder / (std::string(how) + ".glb")).string();
        const Json report = sinew_report({"animate", man, in, "-o", out, "--unmeasured", how});
        const auto& names = report["unmeasured"];
        EXPECT_TRUE(std::ranges::count(names, "RightLowerLeg") == 1) << names;
        EXPECT_TRUE(std::ranges::count(names, "LeftLowerLeg") == 0) << names;
    }
    const auto mesh = [&](const char* name) { return io::read(folder / name).character.mesh; };
    EXPECT_EQ(mesh("ghost.glb").triangles.size(), mesh("hold.glb").triangles.size());
    EXPECT_LT(mesh("hide.glb").triangles.size(), mesh("hold.glb").triangles.size());
    const auto seen_through = [](const geometry::Mesh& m) {
        return std::ranges::count(m.materials, geometry::AlphaMode::blend, &geometry::Material::alpha_mode);
    };
    EXPECT_GT(seen_through(mesh("ghost.glb")), seen_through(mesh("hold.glb")));
}

TEST(SolvePipeline, TrialsWithoutACycleSayWhy) {
    const TemporaryFolder folder;
    model::Trial still = walk_trial();
    freeze(still);
    const Json standing =
        sinew_report({"gait", written(folder, "still.c3d", still), "-o", (folder / "r.json").string()});
    EXPECT_TRUE(standing["cycles"].empty());
    EXPECT_TRUE(notes_say(standing, "not a walking trial"));
    EXPECT_EQ(standing["solve"]["still"], true);
    EXPECT_TRUE(has_warning(standing, "solve-still"));
    model::Trial step = walk_trial();
    step.frames = 45;
    step.markers.positions.resize(45 * step.markers.count());
    step.markers.residuals.resize(45 * step.markers.count());
    const Json report =
        sinew_report({"gait", written(folder, "step.c3d", step), "-o", (folder / "r.html").string()});
    EXPECT_TRUE(report["cycles"].empty());
    EXPECT_TRUE(notes_say(report, "no complete cycle of the left leg"));
    EXPECT_FALSE(test::read_text(folder / "r.html").empty());
}

TEST(SolvePipeline, NoFramesAndWrongUnitsAreErrorsThatSaySo) {
    const TemporaryFolder folder;
    test::write_text(folder / "empty.trc",
                     "PathFileType\t4\t(X/Y/Z)\tempty.trc\n"
                     "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\t"
                     "OrigNumFrames\n100\t100\t0\t2\tmm\t100\t1\t0\n"
                     "Frame#\tTime\tLASI\t\t\tRASI\t\t\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n\n");
    for (const char* verb : {"solve", "gait"}) {
        const auto result =
            test::sinew({verb, (folder / "empty.trc").string(), "-o",
                         (folder / (std::string(verb) == "solve" ? "x.glb" : "x.json")).string()});
        EXPECT_EQ(result.exit_code, 1) << verb;
        EXPECT_NE(result.err.find("no rows of markers"), std::string::npos) << result.err;
    }
    model::Trial metres = walk_trial();
    metres.unit = "m";
    metres.to_world.scale = 1;
    const std::string in = written(folder, "metres.trc", metres);
    const auto result = test::sinew({"solve", in, "-o", (folder / "x.glb").string()});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_NE(result.err.find("looks like mm"), std::string::npos) << result.err;
    const Json report = sinew_report({"gait", in, "-o", (folder / "x.json").string()});
    EXPECT_TRUE(notes_say(report, "looks like mm"));
    EXPECT_TRUE(notes_say(report, "units or the axes may be wrong"));
}

TEST(GaitPipeline, NothingOfTheSubjectIsInAReport) {
    const TemporaryFolder folder;
    std::filesystem::create_directories(folder / "Miller");
    model::Trial trial = walk_trial(3);
    for (model::PointInfo& info : trial.markers.info) info.subject = "Miller";
    trial.markers.info.front().label = "Millers own";  // what a laboratory may type
    trial.parameters.set("SUBJECTS", {"NAMES", "", false, {6, 1}, std::vector<std::string>{"Miller"}});
    trial.parameters.set("TRIAL", {"DATE", "", false, {10, 1}, std::vector<std::string>{"1962-07-15"}});
    const std::string in = written(folder, "Miller/Miller_1962-07-15.c3d", std::move(trial));
    for (const char* kind : {"html", "csv", "json"}) {
        const std::string out = (folder / (std::string("report.") + kind)).string();
        sinew_report({"gait", in, "-o", out, "--no-pictures"});
        const std::string text = test::read_text(out);
        EXPECT_GT(text.size(), 1000u) << kind;
        for (const char* word : {"Miller", "miller", "1962-07", "/tmp", "sinew-test", ".c3d"})
            EXPECT_EQ(text.find(word), std::string::npos) << word << " in " << kind;
    }
    sinew_report({"gait", in, "-o", (folder / "named.html").string(), "--no-pictures", "--keep-names"});
    EXPECT_NE(test::read_text(folder / "named.html").find("Miller"), std::string::npos);
}

TEST(AnimatePipeline, MarkersAreSolvedOnTheWay) {
    const TemporaryFolder folder;
    const std::string trial = written(folder, "walk.trc", walk_trial()), out = (folder / "out.glb").string();
    const std::string mesh = (folder / "mesh.obj").string();
    sinew_report({"sample", "man", "-o", (folder / "man.glb").string(), "--bare"});
    sinew_report({"convert", (folder / "man.glb").string(), mesh});
    const Json report = sinew_report({"animate", mesh, trial, "-o", out});
    EXPECT_LT(report["solve"]["rms_mm"].get<double>(), 5);
    EXPECT_EQ(report["skeleton_method"], "template");
    EXPECT_TRUE(report["unmeasured"].empty());
    const Json info = sinew_report({"info", out});
    EXPECT_EQ(info["kind"], "character");
    EXPECT_EQ(info["clips"], 1);
    EXPECT_EQ(info["frames"], report["solve"]["frames"]);
}

TEST(AnimatePipeline, WalkingAidsStandInTheFile) {
    const TemporaryFolder folder;
    const std::string man = (folder / "man.glb").string(), out = (folder / "out.glb").string();
    sinew_report({"sample", "man", "-o", man});
    sinew_report({"animate", man, "-o", out, "--clip", "walk", "--aid", "crutches"});
    const model::Skeleton with = io::read(out).character.skeleton;
    EXPECT_GE(with.find("crutch.left"), 0);
    EXPECT_GE(with.find("crutch.right"), 0);
    EXPECT_EQ(test::sinew({"animate", man, "-o", out, "--aid", "umbrella"}).exit_code, 2);
}

TEST(AnimatePipeline, TheVideoStandsBesideTheFilm) {
    const TemporaryFolder folder;
    if (std::system("command -v ffmpeg ffprobe >/dev/null 2>&1") != 0) GTEST_SKIP() << "no ffmpeg";
    const std::string man = (folder / "tube.glb").string(), film = (folder / "film.mp4").string();
    const std::string video = (folder / "video.mp4").string(), said = (folder / "size.txt").string();
    sinew_report({"sample", "tube", "-o", man});
    ASSERT_EQ(
        std::system(
            ("ffmpeg -v error -f lavfi -i testsrc=size=80x60:rate=10:duration=3 '" + video + "'").c_str()),
        0);
    const Json report = sinew_report({"animate", man, "-o", film, "--clip", "bend", "--size", "120x90",
                                      "--film-fps", "10", "--beside", video, "--beside-start", "0.5"});
    EXPECT_TRUE(has_warning(report, "beside-person"));
    ASSERT_EQ(
        std::system(("ffprobe -v error -select_streams v -show_entries stream=width,height -of csv=p=0 '" +
                     film + "' > '" + said + "'")
                        .c_str()),
        0);
    EXPECT_EQ(test::read_text(said), "240,90\n");
    EXPECT_EQ(test::sinew({"animate", man, "-o", (folder / "x.glb").string(), "--beside", video}).exit_code,
              1);
}

TEST(StudyPipeline, AnimationsAreNumberedBlindlyAndAnswersScored) {
    const TemporaryFolder folder;
    std::vector<std::string> command = {"study"};
    for (const char* name : {"Anna", "Berta", "Carla"}) {
        command.push_back((folder / (std::string(name) + ".glb")).string());
        sinew_report({"sample", "tube", "-o", command.back()});
    }
    const std::string out = (folder / "study").string();
    command.insert(command.end(), {"-o", out, "--seed", "3"});
    EXPECT_EQ(sinew_report(command)["items"], 3);
    for (const char* file : {"animation_1.glb", "animation_2.glb", "animation_3.glb", "form.html"}) {
        const std::string text = test::read_text(folder / "study" / file);
        ASSERT_FALSE(text.empty()) << file;
        for (const char* name : {"Anna", "Berta", "Carla"})
            EXPECT_EQ(text.find(name), std::string::npos) << file;
    }
    Json answers = Json::parse(test::read_text(folder / "study" / "key.json"));
    answers["matching"] = {{{"viewer", "one"}, {"chosen", answers["truth"]}}};
    answers["ratings"] = {{{"item", "A"}, {"joint", "hip"}, {"plane", "sagittal"}, {"value", 2}}};
    test::write_text(folder / "a.json", answers.dump());
    const Json scores =
        sinew_report({"study", (folder / "a.json").string(), "-o", (folder / "s.json").string()});
    EXPECT_EQ(scores["matching"]["right"], 3);
    EXPECT_EQ(scores["ratings"]["mean"], 2);
    test::write_text(folder / "b.json", "{}");
    EXPECT_EQ(
        test::sinew({"study", (folder / "b.json").string(), "-o", (folder / "s.json").string()}).exit_code,
        1);
}

}  // namespace
}  // namespace sinew
