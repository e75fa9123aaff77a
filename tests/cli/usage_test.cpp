// SPDX-License-Identifier: MIT
// Help that teaches, errors that say what to do next, exit codes, nothing half-written.

#include <cstdlib>
#include <regex>
#include <set>
#include <sstream>

#include "command.h"
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sinew/io/io.h"

namespace sinew {
namespace {

using test::CommandResult;
using test::TemporaryFolder;

/// The verbs that the program has, as its help lists them.
const std::vector<std::string>& verbs() {
    static const std::vector<std::string> all = [] {
        std::vector<std::string> names;
        const std::string help = test::sinew({"--help"}).out;
        const std::regex line("\\n  ([a-z]+) +[A-Z]");
        const std::string list = help.substr(std::min(help.find("Verbs:"), help.size()));
        for (std::sregex_iterator at(list.begin(), list.end(), line), end; at != end; ++at)
            names.push_back((*at)[1]);
        return names;
    }();
    return all;
}

TEST(Usage, TheHelpListsTheVerbs) {
    EXPECT_GE(verbs().size(), 20u);
    for (const char* verb : {"animate", "rig", "studio", "info"})
        EXPECT_EQ(std::count(verbs().begin(), verbs().end(), verb), 1) << verb;
}

/// Names of the options in a text: "--output", "--frame".
std::set<std::string> options_in(const std::string& text) {
    static const std::regex option("--[a-z][a-z-]*");
    std::set<std::string> names;
    for (std::sregex_iterator at(text.begin(), text.end(), option), end; at != end; ++at)
        names.insert((*at)[0]);
    return names;
}

TEST(Usage, HelpOfEveryVerbFitsAScreenAndShowsExamples) {
    for (const std::string& verb : verbs()) {
        const CommandResult result = test::sinew({verb, "--help"});
        EXPECT_EQ(result.exit_code, 0) << verb;
        EXPECT_NE(result.out.find("\nExamples:\n  sinew " + verb), std::string::npos) << result.out;
        EXPECT_NE(result.out.find("--report"), std::string::npos) << verb;
        EXPECT_LE(std::count(result.out.begin(), result.out.end(), '\n'), 40) << verb << "\n" << result.out;
        std::istringstream lines(result.out);
        for (std::string line; std::getline(lines, line);)
            EXPECT_LE(line.size(), 100u) << verb << ": " << line;
    }
    const std::string all = test::sinew({"--help"}).out;
    EXPECT_LE(std::count(all.begin(), all.end(), '\n'), 40) << all;
    for (const std::string& verb : verbs()) EXPECT_NE(all.find(verb), std::string::npos);
}

TEST(Usage, OptionsInHelpAndExamplesExist) {
    for (const std::string& verb : verbs()) {
        const std::string usual = test::sinew({verb, "--help"}).out,
                          full = test::sinew({verb, "--help-all"}).out;
        std::set<std::string> listed = options_in(full.substr(0, full.find("\nExamples:\n")));
        listed.insert("--help-all");
        if (verb == "studio") continue;  // what follows goes on to sinew-studio
        for (const std::string& option : options_in(usual + full.substr(full.find("\nExamples:\n"))))
            EXPECT_TRUE(listed.contains(option)) << verb << " has no " << option;
    }
}

TEST(Usage, HelpIsInGroupsWithValuesInPlainWords) {
    for (const std::string& verb : verbs()) {
        const CommandResult result = test::sinew({verb, "--help-all"});
        for (const char* jargon : {"ENUM", "UINT", "FLOAT", ":{", "in [", "{false}"})
            EXPECT_EQ(result.out.find(jargon), std::string::npos) << verb << ": " << jargon;
    }
    const std::string help = test::sinew({"render", "--help-all"}).out;
    EXPECT_NE(help.find("--film-fps 1..240"), std::string::npos);
    EXPECT_NE(help.find("--style material|clay|weights|sets|parts"), std::string::npos);
    EXPECT_LT(help.find("--output"), help.find("Reading files:"));
    EXPECT_LT(help.find("Pictures and films:"), help.find("For all verbs:"));
}

TEST(Usage, HelpShowsWhatPeopleUseAndHelpAllTheRest) {
    EXPECT_EQ(test::sinew({"rig", "--help"}).out.find("--radius-scale"), std::string::npos);
    EXPECT_NE(test::sinew({"rig", "--help-all"}).out.find("--max-parent-angle"), std::string::npos);
    EXPECT_NE(test::sinew({"rig", "--help"}).out.find("--template"), std::string::npos);
    EXPECT_NE(test::sinew({"rig", "--help"}).out.find("`sinew rig --help-all` lists"), std::string::npos);
    EXPECT_NE(test::sinew({"rig", "--help"}).out.find("heat, voxel"), std::string::npos)
        << "choices in a line";
    EXPECT_EQ(test::sinew({"demo", "--help"}).out.find("--help-all"), std::string::npos)
        << "there is no more";
}

TEST(Usage, TopicsAreExplained) {
    const std::string topics = test::sinew({"help"}).out;
    for (const char* topic :
         {"formats", "motions", "methods", "units", "reports", "settings", "exit-codes"}) {
        EXPECT_NE(topics.find(topic), std::string::npos) << topic;
        const CommandResult result = test::sinew({"help", topic});
        EXPECT_EQ(result.exit_code, 0) << topic;
        EXPECT_GT(result.out.size(), 60u) << topic;
    }
    const std::string pages =
        test::read_text(std::filesystem::path(SINEW_SOURCE_DIR) / "docs/reference/formats.md");
    for (const io::Format& format : io::formats())
        EXPECT_NE(pages.find("`." + std::string(format.suffix) + "`"), std::string::npos)
            << format.suffix << " has no page in docs/reference/formats.md";
    for (const io::Format& format : io::formats())
        EXPECT_NE(test::sinew({"help", "formats"}).out.find(" ." + std::string(format.suffix) + " "),
                  std::string::npos)
            << format.suffix;
    EXPECT_NE(test::sinew({"help", "methods"}).out.find("\n  dqs = "), std::string::npos);
    EXPECT_EQ(test::sinew({"help", "rig"}).out, test::sinew({"rig", "--help"}).out);
    const CommandResult unknown = test::sinew({"help", "formts"});
    EXPECT_EQ(unknown.exit_code, 2);
    EXPECT_NE(unknown.err.find("there is no topic formts; did you mean formats?"), std::string::npos)
        << unknown.err;
}

TEST(Usage, AReportCanGoToStandardOutput) {
    const TemporaryFolder folder;
    const std::string tube = (folder / "tube.glb").string();
    const CommandResult made = test::sinew({"sample", "tube", "-o", tube, "--report", "-", "--seed", "3"});
    ASSERT_EQ(made.exit_code, 0) << made.err;
    const Json report = Json::parse(made.out);
    EXPECT_EQ(report["output"], tube);
    EXPECT_EQ(report["options"]["seed"], "3");
    EXPECT_NE(made.err.find("tube.glb"), std::string::npos) << "lines for the person go to standard error";
    EXPECT_FALSE(std::filesystem::exists("-"));
}

TEST(Usage, ANameThatIsNotUtf8IsNoReasonToFail) {
    const TemporaryFolder folder;
    const std::string tube = (folder / "caf\xe9.glb").string();
    ASSERT_EQ(test::sinew({"sample", "tube", "-o", tube}).exit_code, 0);
    const Json report = test::sinew_report({"info", tube});
    EXPECT_NE(report["inputs"][0].get<std::string>().find("caf\xef\xbf\xbd"), std::string::npos);
}

TEST(Usage, WrongUsageExitsWithTwo) {
    EXPECT_EQ(test::sinew({}).exit_code, 2);
    EXPECT_EQ(test::sinew({"dance"}).exit_code, 2);
    const CommandResult moved = test::sinew({"bench", "skinning"});
    EXPECT_EQ(moved.exit_code, 2);
    EXPECT_NE(moved.err.find("now the program sinew-bench"), std::string::npos) << moved.err;
    EXPECT_EQ(test::sinew({"info"}).exit_code, 2);
    EXPECT_EQ(test::sinew({"info", "--colour", "x.glb"}).exit_code, 2);
    EXPECT_EQ(test::sinew({"deform", "x.glb", "-o", "y.obj", "--method", "magic"}).exit_code, 2);
    EXPECT_EQ(test::sinew({"render", "x.glb", "-o", "y.png", "--frame", "1", "--time", "2"}).exit_code, 2);
}

TEST(Usage, WrongWordsAreNamedWithTheRightOnes) {
    const auto said = [](const std::vector<std::string>& words, const std::string& expected) {
        const CommandResult result = test::sinew(words);
        EXPECT_EQ(result.exit_code, 2);
        EXPECT_NE(result.err.find(expected), std::string::npos) << result.err;
    };
    said({"rendr", "x.glb"}, "there is no verb rendr; did you mean render?");
    said({"inof", "x.glb"}, "there is no verb inof; did you mean info?");  // two letters swapped
    said({"render", "--bogus"}, "there is no option --bogus\n`sinew render --help`");
    said({"render", "x.glb", "-o", "y.png", "--camra", "front"}, "did you mean --camera?");
    said({"render", "x.glb", "-o", "y.png", "--camera", "up"},
         "--camera: up is not one of three-quarter, front, back, left,");
    said({"segment", "a.obj", "b.obj", "-o", "c.obj"}, "unexpected argument \"b.obj\"");
    said({}, "a verb is missing");
    said({"a.obj"}, "a.obj is not a verb: write first what to do with it, such as sinew info a.obj");
    said({"render", "x.glb", "--out", "y.png"}, "there is no option --out; did you mean --output?");
    said({"rig", "x.obj", "--json"}, "did you mean --report -?");
    said({"rig", "x.obj"}, "--output is missing: sinew rig MESH... --output RIG\n");
    said({"rig", "-o", "y.glb"}, "MESH... is missing");
    said({"rig", "x.obj", "-o"}, "--output needs a value\n");
    said({"rig", "x.obj", "-o", "y.glb", "-o", "z.glb"}, "--output is given 2 times\n");
    said({"rig", "x.obj", "-o", "y.glb", "--softness", "5"}, "--softness: 5 is not a number from 0 to 1\n");
    said({"convert", "x.obj", "y.glb", "--scale", "0"}, "--scale: 0 is not above 0\n");
    said({"convert", "x.obj", "y.glb", "--fps", "fast"}, "--fps: fast is not a number\n");
    said({"convert", "x.obj", "y.glb", "--names", "mixammo"},
         "mixammo is not one of sinew, mixamo, vrm, unreal; did you mean mixamo?");
    said({"rig", "my", "body.obj", "-o", "y.glb"}, "put it in quotes");
}

TEST(Usage, WhatIsWrongWithAnOptionExitsWithTwo) {
    const TemporaryFolder folder;
    const std::string man = (folder / "man.glb").string(), out = (folder / "x.png").string();
    test::sinew_report({"sample", "tube", "-o", man});
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"render", man, "-o", out, "--size", "100"},
          {"render", man, "-o", out, "--size", "0x0"},
          {"render", man, "-o", out, "--difference", "lbs"},
          {"render", man, "-o", out, "--clip", "dance"},
          {"rig", man, "-o", (folder / "x.glb").string(), "--template", "human"}}) {
        const CommandResult result = test::sinew(words);
        EXPECT_EQ(result.exit_code, 2) << result.err;
        EXPECT_EQ(result.err.find("sinew: error: --"), 0u) << result.err;
    }
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"convert", man, (folder / "x.zzz").string()},
          {"convert", man, "-"},
          {"convert", man, "-.bvh", "--report", "-"},
          {"animate", man, "-o", out, "--clip", "dance"},
          {"publish", man, "-o", (folder / "x.html").string(), "--clip", "dance"},
          {"sample", "man"}})
        EXPECT_EQ(test::sinew(words).exit_code, 2) << words.back();
}

TEST(Usage, NearNamesOfFilesMethodsAndSwappedFilesAreNamed) {
    const TemporaryFolder folder;
    const auto path = [&](const char* name) { return (folder / name).string(); };
    test::sinew_report({"sample", "man", "--bare", "-o", path("man.obj")});
    test::sinew_report({"sample", "man", "-o", path("man.glb")});
    test::sinew_report({"convert", path("man.glb"), path("walk.bvh")});
    const auto said = [](const std::vector<std::string>& words) { return test::sinew(words).err; };
    EXPECT_NE(said({"info", path("walk.bhv")}).find("did you mean walk.bvh?"), std::string::npos);
    EXPECT_NE(said({"animate", path("man.obj"), path("wlak.bvh"), "-o", path("x.glb")})
                  .find("did you mean walk.bvh?"),
              std::string::npos);
    EXPECT_NE(said({"collide", path("man.glb"), path("walk")}).find("did you mean walk.bvh?"),
              std::string::npos);
    EXPECT_NE(said({"info", path("nowhere/man.glb")}).find("there is no folder"), std::string::npos);
    EXPECT_NE(said({"deform", path("man.glb"), "-o", path("x.obj"), "--method", "linear"})
                  .find("did you mean lbs?"),
              std::string::npos);
    EXPECT_NE(said({"info", path("man.glb"), "--units", "meters"}).find("did you mean m?"),
              std::string::npos);
    EXPECT_NE(said({"animate", path("walk.bvh"), path("man.obj"), "-o", path("x.glb")})
                  .find("write the mesh first"),
              std::string::npos);
}

TEST(Usage, InfoAndMeasurePrintJson) {
    const TemporaryFolder folder;
    const std::string tube = (folder / "tube.glb").string();
    test::sinew_report({"sample", "tube", "-o", tube});
    const Json info = Json::parse(test::sinew({"info", tube, "--json"}).out);
    EXPECT_EQ(info["joints"], 2);
    EXPECT_EQ(info["verb"], "info");
    EXPECT_EQ(Json::parse(test::sinew({"measure", tube, tube, "--json"}).out)["mean_l1"], 0.0);
    const CommandResult absent = test::sinew({"info", (folder / "absent.glb").string(), "--json"});
    EXPECT_EQ(absent.exit_code, 1);
    EXPECT_TRUE(Json::parse(absent.out).contains("error"));
}

/// Where a mesh is bound in other units than its joints have, the size is that of what is seen.
TEST(Usage, InfoTellsTheSizeThatIsSeen) {
    const TemporaryFolder folder;
    const std::string tube = (folder / "tube.glb").string(), large = (folder / "large.glb").string();
    test::sinew_report({"sample", "tube", "-o", tube});
    io::Asset asset = io::read(tube);
    for (geometry::Vec3f& position : asset.character.mesh.positions) position *= 100;
    math::Mat4d smaller = math::Mat4d::Identity();
    smaller.topLeftCorner<3, 3>() /= 100;
    for (model::SkinJoint& joint : asset.character.skin.joints) joint.inverse_bind *= smaller;
    io::write(large, asset);
    const Json one = test::sinew_report({"info", tube}), other = test::sinew_report({"info", large});
    for (const char* corner : {"low", "high"})
        for (std::size_t i = 0; i < 3; ++i)
            EXPECT_NEAR(one[corner][i].get<double>(), other[corner][i].get<double>(), 1e-4);
}

TEST(Usage, ShellsCompleteWhatThereIs) {
    const TemporaryFolder folder;
    const auto made = [&](const std::string& kind) {
        const CommandResult result = test::sinew({"completion", kind});
        EXPECT_EQ(result.exit_code, 0) << kind;
        test::write_text(folder / kind, result.out);
        for (const std::string& verb : verbs())
            EXPECT_NE(result.out.find(verb), std::string::npos) << kind << verb;
        return (folder / kind).string();
    };
    made("zsh");
    made("fish");
    const std::string ask =
        "source '" + made("bash") +
        "' && COMP_WORDS=(sinew render x.glb --camera f) COMP_CWORD=4 && _sinew && "
        "[ \"${COMPREPLY[*]}\" = front ] && COMP_WORDS=(sinew an) COMP_CWORD=1 && _sinew && "
        "[ \"${COMPREPLY[*]}\" = animate ] && COMP_WORDS=(sinew rig x.obj --bind-method b) COMP_CWORD=4 && "
        "_sinew && "
        "[ \"${COMPREPLY[*]}\" = biharmonic ] && COMP_WORDS=(sinew rig --joint-f) COMP_CWORD=2 && _sinew && "
        "[ \"${COMPREPLY[*]}\" = --joint-frames ]";
    test::write_text(folder / "ask", ask);
    EXPECT_EQ(std::system(("bash '" + (folder / "ask").string() + "'").c_str()), 0);
    const std::string page = test::read_text(made("man"));
    EXPECT_NE(page.find("\n.SS sinew animate\n"), std::string::npos);
    EXPECT_NE(page.find("\\fB\\-\\-camera\\fR"), std::string::npos);
}

TEST(Usage, ProgressIsLinesForProgramsThatAsk) {
    const TemporaryFolder folder;
    const std::string tube = (folder / "tube.obj").string();
    ASSERT_EQ(test::sinew({"sample", "tube", "--bare", "-o", tube, "--quiet"}).exit_code, 0);
    const std::vector<std::string> rig = {"rig", tube, "-o", (folder / "rig.glb").string(), "--quiet"};
    EXPECT_EQ(test::sinew(rig).err, "");
    std::vector<std::string> told = rig;
    told.push_back("--progress");
    EXPECT_TRUE(std::regex_search(test::sinew(told).err, std::regex("progress [01]\\.[0-9]{3} [a-z]")));
}

TEST(Usage, JointsGetTheNamesOfOtherPrograms) {
    const TemporaryFolder folder;
    const std::string man = (folder / "man.glb").string(), out = (folder / "out.glb").string();
    test::sinew_report({"sample", "man", "-o", man});
    const auto names = [&](const std::string& word) {
        test::sinew_report({"convert", man, out, "--names", word});
        std::set<std::string> all;
        for (const model::Joint& joint : io::read(out).character.skeleton.joints) all.insert(joint.name);
        return all;
    };
    for (const char* name : {"mixamorig:Hips", "mixamorig:Spine", "mixamorig:Spine1", "mixamorig:LeftForeArm",
                             "mixamorig:RightUpLeg", "mixamorig:LeftToeBase", "mixamorig:RightHandIndex1"})
        EXPECT_TRUE(names("mixamo").contains(name)) << name;
    for (const char* name :
         {"pelvis", "spine_01", "spine_02", "lowerarm_l", "thigh_r", "ball_l", "index_01_r"})
        EXPECT_TRUE(names("unreal").contains(name)) << name;
    for (const char* name : {"hips", "leftLowerArm", "rightUpperLeg", "rightIndexProximal"})
        EXPECT_TRUE(names("vrm").contains(name)) << name;
    EXPECT_TRUE(names("sinew").contains("LeftLowerArm"));
    // Named by another program, they are still known here.
    test::sinew_report({"convert", man, out, "--names", "unreal"});
    const std::string back = (folder / "back.glb").string();
    test::sinew_report({"convert", out, back, "--names", "sinew"});
    EXPECT_GE(io::read(back).character.skeleton.find("RightUpperLeg"), 0);
}

TEST(Usage, BadInputExitsWithOneAndNamesPlaceAndReason) {
    const TemporaryFolder folder;
    const std::string broken = (folder / "broken.obj").string();
    test::write_text(broken, "v 0 0 0\nv 1 0 0\nf 1 2 3\n");
    const CommandResult result = test::sinew({"info", broken});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_NE(result.err.find("broken.obj:3"), std::string::npos) << result.err;
    EXPECT_EQ(test::sinew({"info", (folder / "absent.glb").string()}).exit_code, 1);
    EXPECT_EQ(test::sinew({"info", folder.path().string()}).exit_code, 1);
    test::write_text(folder / "notes.xyz", "hello");
    const CommandResult unknown = test::sinew({"info", (folder / "notes.xyz").string()});
    EXPECT_EQ(unknown.exit_code, 1);
    EXPECT_NE(unknown.err.find("glb"), std::string::npos) << "lists what can be read: " << unknown.err;
}

TEST(Usage, AFailedRunLeavesNoOutputAndKeepsTheOldOne) {
    const TemporaryFolder folder;
    const std::string broken = (folder / "broken.off").string(), out = (folder / "out.glb").string();
    test::write_text(broken, "OFF\n3 1 0\n0 0 0\n1 0 0\n");
    EXPECT_EQ(test::sinew({"convert", broken, out}).exit_code, 1);
    EXPECT_FALSE(std::filesystem::exists(out));
    test::write_text(out, "precious");
    EXPECT_EQ(test::sinew({"convert", broken, out}).exit_code, 1);
    EXPECT_EQ(test::read_text(out), "precious");
    EXPECT_EQ(test::sinew({"sample", "tube", "-o", (folder / "no/such/folder/x.glb").string()}).exit_code, 1);
    std::size_t files = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path())) ++files;
    EXPECT_EQ(files, 2u) << "a partial file was left behind";
}

// The input is absent in all of these: that the output is named proves that nothing was done yet.
TEST(Usage, OutputsThatCannotBeWrittenAreRefusedBeforeAnyWork) {
    const TemporaryFolder folder;
    test::write_text(folder / "file", "no folder");
    const auto said = [](std::vector<std::string> words, const std::string& output,
                         const std::string& expected) {
        words.insert(words.end(), {"-o", output});
        const CommandResult result = test::sinew(words);
        const bool usage =
            expected.find("suffix") != std::string::npos || expected.starts_with("cannot write .");
        EXPECT_EQ(result.exit_code, usage ? 2 : 1) << words[0];
        EXPECT_NE(result.err.find(output + ": " + expected), std::string::npos) << result.err;
    };
    const std::vector<std::vector<std::string>> calls = {
        {"animate", "a.glb"},  {"bind", "a.obj", "b.glb"}, {"blend", "a.bvh", "b.bvh"},
        {"collide", "a.glb"},  {"convert", "a.glb"},       {"deform", "a.glb"},
        {"fit", "a.pc2"},      {"gait", "a.c3d"},          {"publish", "a.glb"},
        {"render", "a.glb"},   {"rig", "a.obj"},           {"retarget", "a.bvh", "b.bvh"},
        {"sample", "man"},     {"segment", "a.obj"},       {"solve", "a.c3d"},
        {"study", "key.json"}, {"skeletonize", "a.obj"},
    };
    for (const std::vector<std::string>& call : calls) {
        said(call, (folder / "x.foo").string(), "cannot write .foo files: " + call[0] + " writes ");
        const std::string suffix = call[0] == "gait" || call[0] == "collide" || call[0] == "study" ? ".json"
                                   : call[0] == "publish"                                          ? ".html"
                                                                                                   : ".png";
        said(call, (folder / "no/such/x").string() + suffix,
             "cannot write: the folder " + (folder / "no/such").string() + " does not exist; make it first");
        said(call, (folder / "file/x").string() + suffix, "cannot write: ");
        said(call, "/proc/sys/x" + suffix, "cannot write: no permission for the folder /proc/sys");
    }
    said({"demo"}, (folder / "file/x").string(), "cannot write: " + (folder / "file").string());
    said({"deform", "a.glb", "--method", "all"}, (folder / "x.obj").string(), "cannot write .obj files");
    said({"segment", "a.obj"}, folder.path().string(), "the name has no suffix");
    said({"segment", "a.obj"}, (folder / "x").string(), "the name has no suffix to choose the format");
    const CommandResult report = test::sinew({"info", "a.glb", "--report", (folder / "no/x.json").string()});
    EXPECT_NE(report.err.find("does not exist; make it first"), std::string::npos) << report.err;
}

TEST(Usage, ARefusedSuffixListsAllThatCanBeWritten) {
    const CommandResult result = test::sinew({"convert", "a.glb", "x.foo"});
    const std::string listed = result.err.substr(result.err.find("writes ")) + " ";
    for (const io::Format& format : io::formats()) {
        if (!format.can_write()) continue;
        EXPECT_NE(listed.find(" " + std::string(format.suffix) + " "), std::string::npos) << listed;
    }
    EXPECT_NE(listed.find("and folders"), std::string::npos) << listed;
}

TEST(Usage, AFailedRunStillReports) {
    const TemporaryFolder folder;
    const std::string report = (folder / "report.json").string();
    EXPECT_EQ(test::sinew({"info", "absent.glb", "--report", report}).exit_code, 1);
    const Json json = Json::parse(test::read_text(report));
    EXPECT_EQ(json["verb"], "info");
    EXPECT_NE(json["error"].get<std::string>().find("absent.glb"), std::string::npos);
}

TEST(Usage, PipesSeeNoProgressBarAndQuietIsQuiet) {
    const TemporaryFolder folder;
    const std::string out = (folder / "man.glb").string();
    const CommandResult loud = test::sinew({"sample", "man", "-o", out});
    EXPECT_EQ(loud.err, "");
    EXPECT_NE(loud.out, "");
    const CommandResult quiet = test::sinew({"sample", "man", "-o", out, "--quiet"});
    EXPECT_EQ(quiet.out + quiet.err, "");
}

/// What the program writes to a terminal; nothing where the system has none.
std::string on_terminal(std::vector<std::string> words, const char* no_color) {
    int terminal = -1;
    const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
    if (child == 0) {
        words.insert(words.begin(), SINEW_CLI);
        std::vector<char*> raw;
        for (std::string& word : words) raw.push_back(word.data());
        raw.push_back(nullptr);
        ::setenv("TERM", "xterm", 1);
        ::setenv("NO_COLOR", no_color, 1);
        ::execv(raw[0], raw.data());
        ::_exit(127);
    }
    if (child < 0) return {};
    std::string text;
    char part[4096];
    for (ssize_t count = 0; (count = ::read(terminal, part, sizeof(part))) > 0;)
        text.append(part, static_cast<std::size_t>(count));
    ::close(terminal);
    ::waitpid(child, nullptr, 0);
    return text;
}

TEST(Usage, ColoursAreForTerminalsAndNoColorTurnsThemOff) {
    const std::vector<std::string> words = {"info", "absent.glb"};
    if (::access("/dev/pts/ptmx", F_OK) != 0) GTEST_SKIP() << "this system has no pseudo-terminals";
    EXPECT_NE(on_terminal(words, "").find("sinew: \x1b[1;31merror:\x1b[0m absent.glb"), std::string::npos);
    EXPECT_NE(on_terminal(words, "1").find("sinew: error: absent.glb"), std::string::npos);
    EXPECT_EQ(test::sinew(words).err.find('\x1b'), std::string::npos);
}

TEST(Usage, TheSameInputGivesTheSameBytesOnAnyNumberOfThreads) {
    const TemporaryFolder folder;
    const std::string one = (folder / "one.glb").string(), two = (folder / "two.glb").string();
    EXPECT_EQ(test::sinew({"sample", "man", "-o", one, "--threads", "1"}).exit_code, 0);
    EXPECT_EQ(test::sinew({"sample", "man", "-o", two, "--threads", "2"}).exit_code, 0);
    EXPECT_EQ(test::read_text(one), test::read_text(two));
}

}  // namespace
}  // namespace sinew
