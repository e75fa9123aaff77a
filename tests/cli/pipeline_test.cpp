// SPDX-License-Identifier: MIT
// Whole journeys through the program, on built-in and on real files.

#include <set>

#include "command.h"
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "sinew/base/file.h"
#include "sinew/io/io.h"
#include "sinew/render/film.h"
#include "sinew/render/renderer.h"

namespace sinew {
namespace {

using test::sinew_report;
using test::TemporaryFolder;

std::vector<std::filesystem::path> files_in(std::string_view folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(test::data(folder))) {
        const std::string kind = entry.path().extension().string();
        if (kind != ".md") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

TEST(Pipeline, SkeletonizeWritesASkeletonAndItsFigures) {
    const test::TemporaryFolder folder;
    const std::string man = (folder / "man.glb").string(), bones = (folder / "bones.bvh").string();
    sinew_report({"sample", "man", "--bare", "-o", man});
    const Json report = sinew_report({"skeletonize", man, "-o", bones});
    EXPECT_GE(report["joints"].get<int>(), 12);
    EXPECT_GE(report["inside_fraction"].get<double>(), 0.95);
    EXPECT_TRUE(report.contains("method") && report.contains("bones") && report.contains("centredness"));
    EXPECT_EQ(sinew_report({"info", bones})["joints"], report["joints"]);
    const Json fitted = sinew_report({"skeletonize", man, "--template", "biped", "-o", bones});
    EXPECT_EQ(fitted["method"], "template");
    EXPECT_GT(fitted["confidence"].get<double>(), 0.4);
    // Counts and seconds of every stage, as the source lists them.
    const Json drawn = sinew_report({"skeletonize", man, "--method", "silhouette", "-o", bones});
    const Json& stages = drawn["stages"];
    // A triangulated outline of n points without holes has n - 2 triangles; every branch has an end.
    EXPECT_GT(stages["outline_points"], 50);
    EXPECT_EQ(stages["terminal_triangles"].get<int>() + stages["sleeve_triangles"].get<int>() +
                  stages["junction_triangles"].get<int>(),
              stages["outline_points"].get<int>() - 2);
    EXPECT_GE(stages["branches"], 5);
    double sum = 0;
    for (const char* stage : {"view", "silhouette", "axis", "decomposition", "refinement", "joints"}) {
        EXPECT_GT(stages["seconds"].at(stage).get<double>(), 0) << stage;
        sum += stages["seconds"][stage].get<double>();
    }
    EXPECT_LE(sum, drawn["seconds"]["skeletonize"].get<double>());
}

TEST(Pipeline, AMeshIsCutIntoPartsThatGiveSkeletons) {
    const TemporaryFolder folder;
    const std::string man = (folder / "man.obj").string(), parts = (folder / "parts.obj").string(),
                      tree = (folder / "parts.skel").string(), bones = (folder / "bones.glb").string();
    sinew_report({"sample", "man", "--bare", "-o", man});
    const Json cut = sinew_report({"segment", man, "-o", parts, "--hierarchy", tree});
    EXPECT_EQ(cut["method"], "skeleton");
    EXPECT_GE(cut["parts"].get<int>(), 10);
    EXPECT_EQ(cut["part_list"].size(), cut["parts"].get<std::size_t>());
    // With the parts and the tree of the files, and from the bare mesh with no preparation.
    const Json given =
        sinew_report({"skeletonize", parts, "--method", "opening", "--hierarchy", tree, "-o", bones});
    EXPECT_EQ(given["method"], "opening");
    EXPECT_FALSE(given["parts_automatic"].get<bool>());
    EXPECT_EQ(given["parts"], cut["parts"]);
    const Json bare = sinew_report({"skeletonize", man, "--method", "principal-axis", "-o", bones});
    EXPECT_TRUE(bare["parts_automatic"].get<bool>());
    EXPECT_EQ(bare["inside_fraction"].get<double>(), 1);
    EXPECT_EQ(sinew_report({"info", bones})["joints"], bare["joints"]);
}

TEST(Pipeline, PartsOfAMeshWithoutMaterialsHaveColours) {
    const TemporaryFolder folder;
    const std::string body = (folder / "man.stl").string(), parts = (folder / "parts.glb").string();
    sinew_report({"sample", "man", "--bare", "-o", body});
    const Json cut = sinew_report({"segment", body, "-o", parts});
    const std::string text(FileView(parts).text());
    std::size_t colours = 0;
    for (std::size_t at = text.find("baseColorFactor"); at != std::string::npos;
         at = text.find("baseColorFactor", at + 1))
        ++colours;
    EXPECT_EQ(colours, cut["parts"].get<std::size_t>());
}

TEST(Pipeline, PicturesComeOfWhateverIsMade) {
    const TemporaryFolder folder;
    const auto drawn = [&](const std::vector<std::string>& words, const char* name) {
        std::vector<std::string> all = words;
        const std::string path = (folder / name).string();
        all.insert(all.end(), {"-o", path});
        EXPECT_EQ(sinew_report(all)["output"], path);
        const std::string bytes = test::read_text(path);
        EXPECT_EQ(bytes.substr(1, 3), "PNG") << name;
        return bytes;
    };
    const std::string man = (folder / "man.obj").string();
    sinew_report({"sample", "man", "--bare", "-o", man});
    const std::string plain = drawn({"convert", man}, "man.png");
    EXPECT_NE(plain, drawn({"segment", man}, "parts.png"));
    EXPECT_NE(plain, drawn({"skeletonize", man}, "skeleton.png"));
}

TEST(Pipeline, AMeshBecomesARigAndWalks) {
    const TemporaryFolder folder;
    const std::string mesh = (folder / "man.obj").string(), rig = (folder / "rig.glb").string();
    sinew_report({"sample", "man", "--bare", "-o", mesh});
    const Json made = sinew_report({"rig", mesh, "--template", "biped-hands", "-o", rig});
    EXPECT_EQ(made["skeleton_method"], "template");
    EXPECT_EQ(made["bind_method"], "voxel");
    EXPECT_LE(made["max_influences"].get<int>(), 4);
    EXPECT_LT(made["leakage"].get<double>(), 0.01);
    EXPECT_GT(made["influence_sets"].get<int>(), 20);
    for (const char* stage : {"read", "skeletonize", "bind", "write"})
        EXPECT_GT(made["seconds"].at(stage).get<double>(), 0) << stage;
    const std::string man = (folder / "true.glb").string(), walk = (folder / "walk.glb").string();
    sinew_report({"sample", "man", "-o", man});
    const Json off = sinew_report({"measure", man, rig, "--what", "skeletons"});
    EXPECT_GT(off["recall"].get<double>(), 0.9);
    EXPECT_GT(off["inside_fraction"].get<double>(), 0.95);
    const Json moved = sinew_report({"animate", rig, man, "-o", walk});
    EXPECT_GT(moved["mapped"].size(), 40u);
}

TEST(Pipeline, JointFramesRunAlongTheBonesAndTheSkinMovesTheSame) {
    const TemporaryFolder folder;
    const auto path = [&](const std::string& name) { return (folder / name).string(); };
    sinew_report({"sample", "man", "--bare", "-o", path("man.obj")});
    sinew_report({"sample", "man", "-o", path("man.glb")});
    sinew_report({"convert", path("man.glb"), "-o", path("walk.bvh")});
    std::vector<geometry::Mesh> posed;
    for (const std::string frames : {"bone", "world"}) {
        const std::string out = path(frames + ".glb"), mesh = path(frames + ".ply");
        sinew_report({"animate", path("man.obj"), path("walk.bvh"), "--joint-frames", frames, "-o", out});
        sinew_report({"deform", out, "--frame", "7", "-o", mesh});
        posed.push_back(io::read(mesh).character.mesh);
        const model::Skeleton skeleton = io::read(out).character.skeleton;
        const auto world = model::rest_world_matrices(skeleton);
        std::vector<double> nearest(skeleton.size(), 1);  // cosine between y and the nearest bone
        std::vector<char> any(skeleton.size(), 0);
        for (const model::Bone& bone : model::bones(skeleton, world)) {
            const auto j = static_cast<std::size_t>(bone.joint);
            const double along = world[j].block<3, 1>(0, 1).dot((bone.end - bone.start).normalized());
            nearest[j] = any[j] != 0 ? std::max(nearest[j], along) : along;
            any[j] = 1;
        }
        const double worst = *std::min_element(nearest.begin(), nearest.end());
        EXPECT_EQ(worst > 1 - 1e-6, frames == "bone") << worst;
    }
    for (std::size_t v = 0; v < posed[0].vertex_count(); ++v)
        ASSERT_LT((posed[0].positions[v] - posed[1].positions[v]).norm(), 1e-5f);
    // A template that has rotations at rest keeps them.
    sinew_report({"rig", path("man.obj"), "--template", path("bone.glb"), "--joint-frames", "world", "-o",
                  path("own.glb")});
    EXPECT_TRUE(io::read(path("own.glb"))
                    .character.skeleton.joints[3]
                    .rest.rotation.isApprox(math::Quatd::Identity()));
}

TEST(Pipeline, BindTakesWeightsFromATableAndFromAnotherMesh) {
    const TemporaryFolder folder;
    const auto path = [&](const char* name) { return (folder / name).string(); };
    sinew_report({"sample", "tube", "-o", path("tube.glb")});
    sinew_report({"convert", path("tube.glb"), "-o", path("weights.csv")});
    sinew_report({"bind", path("tube.glb"), path("tube.glb"), "--weights", path("weights.csv"), "-o",
                  path("again.glb")});
    EXPECT_LT(sinew_report({"measure", path("tube.glb"), path("again.glb")})["mean_l1"].get<double>(), 1e-5);
    sinew_report({"bind", path("tube.glb"), path("tube.glb"), "--transfer", path("tube.glb"), "-o",
                  path("moved.glb")});
    EXPECT_LT(sinew_report({"measure", path("tube.glb"), path("moved.glb")})["mean_l1"].get<double>(), 1e-3);
    sinew_report({"convert", path("tube.glb"), "-o", path("rig.json")});
    EXPECT_EQ(sinew_report({"info", path("rig.json")})["joints"],
              sinew_report({"info", path("tube.glb")})["joints"]);
}

TEST(Pipeline, AMeshThatStandsInAFrameIsBoundThere) {
    const TemporaryFolder folder;
    const auto path = [&](const char* name) { return (folder / name).string(); };
    sinew_report({"sample", "tube", "-o", path("tube.glb")});
    sinew_report({"deform", path("tube.glb"), "--frame", "8", "--method", "lbs", "-o", path("bent.obj")});
    sinew_report({"bind", path("bent.obj"), path("tube.glb"), "--frame", "8", "--method", "rigid", "-o",
                  path("rig.glb")});
    // Played to the same frame, the rig is the mesh that was bound.
    sinew_report({"deform", path("rig.glb"), "--frame", "8", "--method", "lbs", "-o", path("played.obj")});
    const model::Character bent = io::read(path("bent.obj")).character;
    const model::Character played = io::read(path("played.obj")).character;
    ASSERT_EQ(bent.mesh.vertex_count(), played.mesh.vertex_count());
    for (std::size_t v = 0; v < bent.mesh.vertex_count(); ++v)
        EXPECT_LT((bent.mesh.positions[v] - played.mesh.positions[v]).norm(), 1e-4f);
}

TEST(Pipeline, BindingsAreComparedInATableAndInPictures) {
    const TemporaryFolder folder;
    const std::string tube = (folder / "tube.glb").string();
    sinew_report({"sample", "tube", "-o", tube});
    const Json report = sinew_report({"bind", tube, tube, "--compare", (folder / "all").string()});
    EXPECT_EQ(report["bindings"].size(), 8u) << "seven methods and the given weights";
    for (const char* file : {"comparison.csv", "comparison.md", "weights.png"})
        EXPECT_TRUE(std::filesystem::exists(folder / "all" / file)) << file;
    int bends = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "all"))
        bends += entry.path().filename().string().starts_with("bend_") ? 1 : 0;
    EXPECT_GE(bends, 1);
    // Each binding from the front and from behind, and weights that are seen to differ.
    const render::Picture sheet = render::load_picture(folder / "all/weights.png");
    const int wide = (sheet.width - 20) / 4, high = (sheet.height - 20) / 4;
    std::set<std::vector<render::Pixel>> seen;
    for (int n = 0; n < 16; ++n) {
        std::vector<render::Pixel> panel;
        int colored = 0;
        for (int y = 30; y < high; ++y) {
            for (int x = 0; x < wide; ++x) {
                const render::Pixel p = sheet.at(4 + (n % 4) * (wide + 4) + x, 4 + (n / 4) * (high + 4) + y);
                colored += std::max({p[0], p[1], p[2]}) > std::min({p[0], p[1], p[2]}) + 60 ? 1 : 0;
                panel.push_back(p);
            }
        }
        EXPECT_GT(colored, 2000) << n;
        seen.insert(panel);
    }
    EXPECT_GE(seen.size(), 5u);
}

TEST(Pipeline, SettingsComeFromAFileAndTheCommandLineCountsMore) {
    const TemporaryFolder folder;
    const auto path = [&](const char* name) { return (folder / name).string(); };
    sinew_report({"sample", "tube", "-o", path("tube.glb")});
    write_file(folder / "rig.ini", "# for tubes\nbind-method = rigid\nmax-influences = 2\n");
    const Json rigid =
        sinew_report({"rig", path("tube.glb"), "--settings", path("rig.ini"), "-o", path("a.glb")});
    EXPECT_EQ(rigid["bind_method"], "rigid");
    const Json heat = sinew_report({"rig", path("tube.glb"), "--settings", path("rig.ini"), "--bind-method",
                                    "heat", "-o", path("b.glb")});
    EXPECT_EQ(heat["bind_method"], "heat");
    EXPECT_LE(heat["max_influences"].get<int>(), 2);
    // What is wrong is told with its line: the text, the name, the value, and what only the verb can judge.
    for (const auto& [line, reason] :
         {std::pair{"max influences = 2", "write `name = value`"},
          std::pair{"max-influenzes = 2", "did you mean --max-influences?"},
          std::pair{"bind-method = dqs", "--bind-method: dqs is not one of"},
          std::pair{"template = human", "--template human: there is no template"}}) {
        write_file(folder / "bad.ini", fmt::format("# wrong\n{}\n", line));
        const test::CommandResult bad =
            test::sinew({"rig", path("tube.glb"), "--settings", path("bad.ini"), "-o", path("c.glb")});
        EXPECT_EQ(bad.exit_code, 2);
        EXPECT_NE(bad.err.find("bad.ini:2: "), std::string::npos) << bad.err;
        EXPECT_NE(bad.err.find(reason), std::string::npos) << bad.err;
    }
}

TEST(Pipeline, ManyMeshesAreRiggedAndOneThatFailsDoesNotStopTheOthers) {
    const TemporaryFolder folder;
    const auto path = [&](const char* name) { return (folder / name).string(); };
    sinew_report({"sample", "tube", "-o", path("tube.glb")});
    const test::CommandResult run =
        test::sinew({"rig", path("none.obj"), path("tube.glb"), "-o", path("rigs/")});
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_TRUE(std::filesystem::exists(folder / "rigs/tube.glb"));
}

TEST(Pipeline, StagesOfASkeletonAreDrawn) {
    const TemporaryFolder folder;
    const std::string tube = (folder / "tube.obj").string();
    sinew_report({"sample", "tube", "--bare", "-o", tube});
    sinew_report({"render", tube, "--stages", "-o", (folder / "stages").string()});
    for (const char* stage : {"silhouette", "triangulation", "axis", "depth", "parts", "joints"})
        EXPECT_TRUE(std::filesystem::exists(folder / "stages" / (std::string(stage) + ".png"))) << stage;
    sinew_report({"render", tube, "--stages", "-o", (folder / "sheet.png").string()});
    EXPECT_TRUE(std::filesystem::exists(folder / "sheet.png"));
}

TEST(Pipeline, DemoWritesModelPagePictureAndFilm) {
    const TemporaryFolder folder;
    const Json report = sinew_report({"demo", "-o", (folder / "out").string()});
    // The page is there unless the program was built without node and npm.
    const bool page = std::filesystem::exists(folder / "out/walk.html");
    const std::size_t expected = 2 + (render::has_ffmpeg() ? 1 : 0) + (page ? 1 : 0);
    ASSERT_EQ(report["files"].size(), expected);
    for (const Json& file : report["files"])
        EXPECT_GT(std::filesystem::file_size(file.get<std::string>()), 10'000u);
    const Json info = sinew_report({"info", (folder / "out/walk.glb").string()});
    EXPECT_EQ(info["kind"], "character");
    EXPECT_GE(info["joints"], 20);
    EXPECT_TRUE(info["closed"].get<bool>() && info["manifold"].get<bool>());
    EXPECT_EQ(info["genus"], 0);
}

TEST(Pipeline, TheKhronosValidatorFindsNothingInWhatVerbsWrite) {
    const TemporaryFolder folder;
    const auto path = [&](const char* name) { return (folder / name).string(); };
    sinew_report({"sample", "tube", "-o", path("tube.glb")});
    sinew_report({"sample", "walk-trial", "-o", path("walk.c3d")});
    sinew_report({"convert", path("tube.glb"), "-o", path("text.gltf")});
    sinew_report({"rig", path("tube.glb"), "-o", path("rig.glb")});
    sinew_report(
        {"bind", path("tube.glb"), path("tube.glb"), "--method", "nearest", "-o", path("bound.glb")});
    sinew_report({"blend", path("tube.glb"), path("tube.glb"), "-o", path("blend.glb")});
    sinew_report({"solve", path("walk.c3d"), "-o", path("solved.glb")});
    sinew_report({"deform", path("tube.glb"), "--close-gaps", "--method", "rigid", "--clip", "bend", "-o",
                  path("closed.glb")});
    sinew_report({"deform", path("tube.glb"), "--clip", "bend", "-o", path("frames.pc2")});
    sinew_report(
        {"fit", path("frames.pc2"), "--rest", path("tube.glb"), "--bones", "3", "-o", path("fit.glb")});
    std::string command = SINEW_SOURCE_DIR "/tools/gltf-validate";
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
        const std::string kind = entry.path().extension().string();
        if (kind != ".glb" && kind != ".gltf") continue;
        command += " '" + entry.path().string() + "'";
        ++count;
    }
    EXPECT_EQ(count, 8);
    const int status = std::system(command.c_str());
    if (WIFEXITED(status) && (WEXITSTATUS(status) == 3 || WEXITSTATUS(status) >= 126))
        GTEST_SKIP() << "node or the npm package gltf-validator is not installed: run npm ci";
    EXPECT_EQ(status, 0);
}

TEST(Pipeline, ReportsHaveTheCommonKeys) {
    const TemporaryFolder folder;
    const Json report = sinew_report({"sample", "tube", "-o", (folder / "tube.glb").string()});
    for (const char* key :
         {"verb", "inputs", "output", "seconds", "warnings", "name", "vertices", "joints"}) {
        EXPECT_TRUE(report.contains(key)) << key;
    }
    const Json info = sinew_report({"info", (folder / "tube.glb").string()});
    for (const char* key :
         {"kind", "vertices", "triangles", "joints", "clips", "frames", "fps", "markers", "influence_sets",
          "max_influences", "closed", "manifold", "genus", "components"}) {
        EXPECT_TRUE(info.contains(key)) << key;
    }
}

TEST(Pipeline, DeformTwistedTubeKeepsVolumeByDualQuaternionsOnly) {
    const TemporaryFolder folder;
    const std::string tube = (folder / "tube.glb").string();
    sinew_report({"sample", "tube", "-o", tube});
    const Json info = sinew_report({"info", tube});
    std::size_t last = 0;
    for (const Json& clip : info["clip_list"]) {
        if (clip["name"] == "twist") last = clip["frames"].get<std::size_t>() - 1;
    }
    ASSERT_GT(last, 0u);
    const auto volume = [&](const std::string& method) {
        return sinew_report({"deform", tube, "-o", (folder / (method + ".obj")).string(), "--method", method,
                             "--clip", "twist", "--frame", std::to_string(last)})["volume_ratio"]
            .get<double>();
    };
    EXPECT_LT(volume("lbs"), 0.97);
    EXPECT_NEAR(volume("dqs"), 1, 0.02);
}

TEST(Pipeline, DeformComparesAllMethods) {
    const TemporaryFolder folder;
    const std::string tube = (folder / "tube.glb").string(), picture = (folder / "all.png").string();
    sinew_report({"sample", "tube", "-o", tube});
    const Json report =
        sinew_report({"deform", tube, "--method", "all", "--clip", "bend", "--time", "1", "-o", picture});
    ASSERT_GE(report["methods"].size(), 9u);
    for (const Json& row : report["methods"]) {
        EXPECT_GT(row["ns_per_vertex"], 0);
        EXPECT_GT(row["volume_ratio"], 0.5);
        if (row["method"] == "dqs") {
            EXPECT_EQ(row["max_difference_percent"], 0);
        }
    }
    EXPECT_GT(std::filesystem::file_size(picture), 10'000u);
}

TEST(Pipeline, DifferencesAreDrawnAsHeat) {
    const TemporaryFolder folder;
    const std::string tube = (folder / "tube.glb").string(), heat = (folder / "heat.png").string();
    sinew_report({"sample", "tube", "-o", tube});
    const Json report = sinew_report({"render", tube, "--difference", "lbs,dqs", "--clip", "twist", "--time",
                                      "0.9", "--size", "200x200", "-o", heat});
    EXPECT_GT(report["max_difference_percent"], 5);
    EXPECT_GT(report["width"], 230) << "the colour bar stands beside the picture";
    EXPECT_GT(std::filesystem::file_size(heat), 5'000u);
    sinew_report({"deform", tube, "--method", "all", "--heat", "--against", "lbs", "--clip", "twist",
                  "--time", "0.9", "-o", heat});
    EXPECT_GT(std::filesystem::file_size(heat), 20'000u);
    EXPECT_EQ(test::sinew({"render", tube, "--difference", "lbs", "-o", heat}).exit_code, 2);
}

TEST(Pipeline, DeformExportsPalettesAndTransforms) {
    const TemporaryFolder folder;
    const std::string tube = (folder / "tube.glb").string(), npy = (folder / "vertices.npy").string(),
                      csv = (folder / "palette.csv").string();
    sinew_report({"sample", "tube", "-o", tube});
    const Json info = sinew_report({"info", tube});
    const Json report =
        sinew_report({"deform", tube, "--clip", "bend", "--export-transforms", npy, "--export-palette", csv});
    EXPECT_EQ(report["files"].size(), 2u);
    const std::size_t frames = 61, vertices = info["vertices"];
    const std::string bytes = test::read_text(npy);
    EXPECT_EQ(bytes.size() % 64, frames * vertices * 48 % 64);
    EXPECT_NE(bytes.find(fmt::format("'shape': ({}, {}, 3, 4)", frames, vertices)), std::string::npos);
    const std::string table = test::read_text(csv);
    EXPECT_EQ(std::ranges::count(table, '\n'), static_cast<std::ptrdiff_t>(1 + frames * 2));
    EXPECT_NE(table.find("\n0,1,1,0,0,0,0,1,0,0,0,0,1,0\n"), std::string::npos)
        << "the identity at the start";
    sinew_report({"deform", tube, "--clip", "bend", "--frame", "30", "--dual-quaternions",
                  "--export-transforms", npy});
    EXPECT_NE(test::read_text(npy).find(fmt::format("'shape': (1, {}, 8)", vertices)), std::string::npos);
    EXPECT_EQ(test::sinew({"deform", tube, "--method", "lbs", "--clip", "bend", "--frame", "30",
                           "--dual-quaternions", "--export-transforms", npy})
                  .exit_code,
              1)
        << "linear blends are not rigid";
}

TEST(Pipeline, DeformWritesAllFramesAsASequence) {
    const TemporaryFolder folder;
    const std::string tube = (folder / "tube.glb").string();
    sinew_report({"sample", "tube", "-o", tube});
    const Json report = sinew_report({"deform", tube, "-o", (folder / "frames").string(), "--clip", "bend"});
    EXPECT_GT(report["frames"], 5);
    const Json info = sinew_report({"info", (folder / "frames").string()});
    EXPECT_EQ(info["kind"], "sequence");
    EXPECT_EQ(info["frames"], report["frames"]);
    const Json same = sinew_report({"measure", (folder / "frames").string(), (folder / "frames").string()});
    EXPECT_EQ(same["error_percent"], 0);
}

TEST(Pipeline, ConvertChangesUnitsAxesAndRate) {
    const TemporaryFolder folder;
    const std::string man = (folder / "man.glb").string(), big = (folder / "big.glb").string();
    sinew_report({"sample", "man", "-o", man});
    sinew_report({"convert", man, big, "--scale", "100", "--up", "z", "--fps", "15", "--start", "0.5",
                  "--end", "1.5"});
    const Json before = sinew_report({"info", man}), after = sinew_report({"info", big});
    const double height = before["high"][1].get<double>() - before["low"][1].get<double>();
    const double turned = after["high"][2].get<double>() - after["low"][2].get<double>();
    EXPECT_NEAR(turned, 100 * height, 1e-3 * turned);
    EXPECT_EQ(after["frames"], 16);
    EXPECT_NEAR(after["fps"].get<double>(), 15, 1e-6);
}

TEST(Pipeline, RendersPicturesOfEveryKind) {
    const TemporaryFolder folder;
    const std::string man = (folder / "man.glb").string(), bvh = (folder / "walk.bvh").string();
    sinew_report({"sample", "man", "-o", man});
    sinew_report({"convert", man, bvh});
    for (const std::vector<std::string>& extra :
         std::vector<std::vector<std::string>>{{"--camera", "front"},
                                               {"--style", "weights"},
                                               {"--skeleton", "xray", "--time", "0.5"},
                                               {"--joint", "Hips"}}) {
        std::vector<std::string> arguments = {"render", man,      "-o", (folder / "x.png").string(),
                                              "--size", "320x240"};
        arguments.insert(arguments.end(), extra.begin(), extra.end());
        const Json report = sinew_report(arguments);
        EXPECT_EQ(report["width"], 320);
        EXPECT_GT(std::filesystem::file_size(folder / "x.png"), 2000u);
    }
    sinew_report({"render", bvh, "-o", (folder / "y.png").string(), "--frame", "10"});
}

TEST(Pipeline, InfoAndConvertEveryRealFileThereAndBack) {
    SINEW_NEEDS_DATA();
    const TemporaryFolder folder;
    for (const char* kind : {"mesh", "gltf"}) {
        for (const auto& file : files_in(kind)) {
            const std::string glb = (folder / "there.glb").string(),
                              back = (folder / ("back" + file.extension().string())).string();
            const Json before = sinew_report({"info", file.string()});
            sinew_report({"convert", file.string(), glb});
            sinew_report({"convert", glb, back});
            const Json after = sinew_report({"info", back});
            for (const char* key : {"vertices", "triangles", "joints", "clips", "components", "closed"}) {
                EXPECT_EQ(before.value(key, Json()), after.value(key, Json())) << file << " " << key;
            }
        }
    }
}

TEST(Pipeline, MotionsSurviveBvhToGlbToBvh) {
    SINEW_NEEDS_DATA();
    const TemporaryFolder folder;
    for (const auto& file : files_in("bvh")) {
        const std::string glb = (folder / "there.glb").string(), back = (folder / "back.bvh").string();
        sinew_report({"convert", file.string(), glb});
        sinew_report({"convert", glb, back});
        const Json difference = sinew_report({"measure", file.string(), back, "--what", "motions"});
        EXPECT_LT(difference["max_percent"], 0.01) << file;
        const Json before = sinew_report({"info", file.string()}), after = sinew_report({"info", back});
        EXPECT_EQ(before["frames"], after["frames"]) << file;
        EXPECT_NEAR(before["fps"].get<double>(), after["fps"].get<double>(), 1e-3) << file;
    }
}

TEST(Pipeline, AnimateWithItsOwnClip) {
    SINEW_NEEDS_DATA();
    const TemporaryFolder folder;
    const std::string file = test::data("gltf/CesiumMan.glb").string();
    const Json info = sinew_report({"info", file});
    EXPECT_EQ(info["joints"], 19);
    sinew_report({"animate", file, "-o", (folder / "own.glb").string()});
    const Json report = sinew_report({"animate", file, file, "-o", (folder / "again.glb").string()});
    EXPECT_EQ(report["mapped"].size(), 19u);
    EXPECT_TRUE(report["unmapped"].empty());
    const Json difference = sinew_report(
        {"measure", (folder / "own.glb").string(), (folder / "again.glb").string(), "--what", "motions"});
    EXPECT_LT(difference["max_percent"], 1e-3);
}

}  // namespace
}  // namespace sinew
