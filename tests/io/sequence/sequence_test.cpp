// SPDX-License-Identifier: MIT
#include "sinew/io/sequence/sequence.h"

#include <cstring>

#include "io/mesh/mesh_support.h"

#include "sinew/io/mesh/mesh_formats.h"

namespace sinew::io {
namespace sequence_test {

using geometry::Vec3f;

/// The message of the error that reading a path gives.
std::string error_of(const std::filesystem::path& path, const ReadOptions& options = {}) {
    try {
        read(path, options);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

std::string quad(double height, std::string_view face = "f 1 2 3 4\n") {
    return fmt::format("v 0 0 {0}\nv 1 0 {0}\nv 1 1 {0}\nv 0 1 {0}\n{1}", height, face);
}

Asset moving_mesh(unsigned seed) {
    Asset asset;
    asset.sequence.rest = test::random_mesh(seed, true, true, false);
    test::Random random(seed);
    for (int f = 0; f < 12; ++f) {
        auto& frame = asset.sequence.frames.emplace_back();
        for (std::size_t v = 0; v < asset.sequence.rest.positions.size(); ++v)
            frame.push_back(random.vector().cast<float>());
    }
    return asset;
}

TEST(Sequence, NaturalOrderOfNames) {
    const std::vector<std::string> sorted = {"a",   "a1", "a01",  "a2",    "a10",  "a10b",
                                             "a11", "b",  "b1c2", "b1c10", "b2c1", "c"};
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        for (std::size_t k = 0; k < sorted.size(); ++k) {
            if (i == 1 && k == 2) continue;  // equal numbers: some order, but not both
            if (i == 2 && k == 1) continue;
            EXPECT_EQ(natural_less(sorted[i], sorted[k]), i < k) << sorted[i] << " " << sorted[k];
        }
    }
    EXPECT_NE(natural_less("a1", "a01"), natural_less("a01", "a1"));
    EXPECT_TRUE(natural_less("f9999999999999999999998", "f9999999999999999999999"));
}

TEST(Sequence, FramesComeInNaturalOrder) {
    const test::TemporaryFolder folder;
    for (const int i : {10, 9, 1, 2}) test::write_text(folder / fmt::format("f{}.obj", i), quad(i));
    test::write_text(folder / "notes.txt", "x");
    test::write_text(folder / ".hidden.obj", "broken");
    const Asset asset = read(folder.path());
    EXPECT_FALSE(asset.character.has_mesh());
    ASSERT_EQ(asset.sequence.frames.size(), 4u);
    EXPECT_EQ(asset.sequence.rest.positions[0][2], 1);
    EXPECT_EQ(asset.sequence.frames[2][0][2], 9);
    EXPECT_EQ(asset.sequence.frames[3][0][2], 10);
    EXPECT_EQ(asset.sequence.rest.triangles.size(), 2u);
    // Nothing says how fast: that is a guess, and the user knows better.
    ASSERT_EQ(asset.guesses.size(), 1u);
    EXPECT_EQ(asset.guesses[0].subject, "fps");
    ReadOptions options;
    options.rate = 12;
    const Asset told = read(folder.path(), options);
    EXPECT_EQ(told.sequence.rate, 12);
    EXPECT_TRUE(told.guesses.empty());
}

TEST(Sequence, PolygonsAreCutAsInTheFirstFrameWhateverTheirShape) {
    const test::TemporaryFolder folder;
    test::write_text(folder / "1.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
    // Not convex now, and the text of the face is written in another way.
    test::write_text(folder / "2.obj", "v 0 0 0\nv 1 0 0\nv .1 .1 0\nv 0 1 0\nf  1 2 3 4\n");
    const Asset asset = read(folder.path());
    EXPECT_EQ(asset.sequence.frames.size(), 2u);
    EXPECT_EQ(asset.sequence.frames[1][2], Vec3f(0.1f, 0.1f, 0));
}

TEST(Sequence, FramesWithOtherConnectivityAreNamedWithBothCounts) {
    const test::TemporaryFolder folder;
    test::write_text(folder / "1.obj", quad(1));
    test::write_text(folder / "2.obj", quad(2));
    test::write_text(folder / "3.obj", quad(3, "v 7 7 7\nf 1 2 3 4\n"));
    EXPECT_HAS(error_of(folder.path()), "3.obj: has 5 vertices, but 1.obj has 4");
    test::write_text(folder / "3.obj", quad(3, "f 1 2 3\n"));
    EXPECT_HAS(error_of(folder.path()), "3.obj: has 1 triangles, but 1.obj has 2");
    test::write_text(folder / "3.obj", quad(3, "f 1 2 3\nf 1 4 3\n"));
    EXPECT_HAS(error_of(folder.path()), "3.obj: triangle 1 joins other vertices than in 1.obj");
    test::write_text(folder / "3.obj", quad(3, "f 1 2 3\nf 1 3 4 # the same\n"));
    EXPECT_EQ(read(folder.path()).sequence.frames.size(), 3u);
    test::write_text(folder / "3.obj", "v 0 0 0\nv 0 x 0\n");
    EXPECT_HAS(error_of(folder.path()), "3.obj:2: expected a number");
    std::filesystem::remove(folder / "3.obj");
    test::write_text(folder / "3.ply", "ply\n");
    EXPECT_HAS(error_of(folder.path()), "several formats");
}

TEST(Sequence, OffAndPlyFrames) {
    const Asset moving = moving_mesh(3);
    for (const char* name : {"off", "ply"}) {
        const test::TemporaryFolder folder;
        Asset frame;
        frame.character.mesh.triangles = moving.sequence.rest.triangles;
        for (std::size_t f = 0; f < moving.sequence.frames.size(); ++f) {
            frame.character.mesh.positions = moving.sequence.frames[f];
            write(folder / fmt::format("{}.{}", f, name), frame);
        }
        const Asset again = read(folder.path());
        EXPECT_EQ(again.sequence.frames, moving.sequence.frames) << name;
        std::swap(frame.character.mesh.triangles[0][0], frame.character.mesh.triangles[0][1]);
        write(folder / fmt::format("5.{}", name), frame);
        EXPECT_HAS(error_of(folder.path()), fmt::format("5.{}: triangle 0 joins other vertices", name));
    }
}

TEST(Sequence, SeamsOfTheRestMeshAreRepeatedInEveryFrame) {
    const test::TemporaryFolder folder;
    test::write_text(folder / "rest.obj",
                     "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nvt 0 0\nvt 1 1\nf 1/1 2/1 3/1\nf 4/1 3/2 2/2\n");
    std::filesystem::create_directory(folder / "frames");
    for (int f = 1; f <= 3; ++f) {
        test::write_text(folder / fmt::format("frames/{}.obj", f),
                         fmt::format("v 0 0 {0}\nv 1 0 {0}\nv 0 1 {0}\nv 1 1 {0}\nf 1 2 3\nf 4 3 2\n", f));
    }
    const Asset asset = read(folder.path());
    ASSERT_EQ(asset.sequence.rest.positions.size(), 6u);
    ASSERT_EQ(asset.sequence.frames.size(), 3u);
    EXPECT_EQ(asset.sequence.frames[1][4], Vec3f(0, 1, 2));
    EXPECT_EQ(asset.sequence.frames[1][5], Vec3f(1, 0, 2));
    // A point cache of the four vertices of the file fits the same rest mesh.
    Asset cache;
    cache.sequence.rest.positions.assign(asset.sequence.rest.positions.begin(),
                                         asset.sequence.rest.positions.begin() + 4);
    cache.sequence.frames = {{{5, 0, 0}, {6, 0, 0}, {7, 0, 0}, {8, 0, 0}}};
    write(folder / "other.pc2", cache);
    const Asset cached = read(folder / "other.pc2");
    EXPECT_EQ(cached.sequence.frames.at(0).at(4), Vec3f(7, 0, 0));
}

TEST(Sequence, PointCacheRoundTripIsExact) {
    const test::TemporaryFolder folder;
    Asset asset = moving_mesh(4);
    asset.sequence.rate = 24;
    write(folder / "a.pc2", asset);
    Asset mesh;
    mesh.character.mesh = asset.sequence.rest;
    write(folder / "mesh.obj", mesh);
    EXPECT_HAS(error_of(folder / "a.pc2"), "name the rest mesh");
    ReadOptions options;
    options.rest = folder / "mesh.obj";
    const Asset again = read(folder / "a.pc2", options);
    EXPECT_EQ(again.sequence.frames, asset.sequence.frames);
    EXPECT_EQ(again.sequence.rest.triangles, asset.sequence.rest.triangles);
    EXPECT_NEAR(again.sequence.rate, 24, 1e-5);
    // The layout that other programs expect.
    const std::string content = test::read_text(folder / "a.pc2");
    EXPECT_EQ(content.substr(0, 12), std::string("POINTCACHE2\0", 12));
    EXPECT_EQ(content.size(), 32 + 12 * asset.sequence.rest.positions.size() * 12);
    mesh.character.mesh.positions.emplace_back(0, 0, 0);
    write(folder / "mesh.obj", mesh);
    EXPECT_HAS(error_of(folder / "a.pc2", options),
               fmt::format("has {} points, but", asset.sequence.rest.positions.size()));
}

TEST(Sequence, BrokenPointCaches) {
    const test::TemporaryFolder folder;
    const Asset asset = moving_mesh(5);
    Asset mesh;
    mesh.character.mesh = asset.sequence.rest;
    write(folder / "rest.obj", mesh);
    write(folder / "a.pc2", asset);
    const std::string good = test::read_text(folder / "a.pc2");
    const auto error_with = [&](const std::string& content) {
        test::write_text(folder / "b.pc2", content);
        return error_of(folder / "b.pc2");
    };
    EXPECT_EQ(error_with(good), "");
    EXPECT_HAS(error_with(good.substr(0, good.size() - 1)), "12 frames of");
    EXPECT_HAS(error_with(good.substr(0, 20)), "header is truncated");
    EXPECT_HAS(error_with(""), "is not a PC2");
    std::string bad = good;
    std::memset(bad.data() + 28, 0x7F, 4);
    EXPECT_HAS(error_with(bad), "2139062143 frames of");
    bad = good;
    std::memset(bad.data() + 16, 0xFF, 4);
    EXPECT_HAS(error_with(bad), "-1 points");
    bad = good;
    std::memset(bad.data() + 32 + 12, 0xFF, 4);
    EXPECT_HAS(error_with(bad), "byte 44: frame 0, vertex 1: the position is not finite");
}

TEST(Sequence, FolderRoundTripIsExact) {
    const test::TemporaryFolder folder;
    const Asset asset = moving_mesh(6);
    for (int run = 0; run < 2; ++run) {  // the second run replaces the folder of the first
        write(folder / "out", asset);
        const Asset again = read(folder / "out");
        EXPECT_EQ(again.sequence.frames, asset.sequence.frames);
        EXPECT_EQ(again.sequence.rest.positions, asset.sequence.rest.positions);
        EXPECT_EQ(again.sequence.rest.uvs, asset.sequence.rest.uvs);
        EXPECT_EQ(again.sequence.rest.triangles, asset.sequence.rest.triangles);
    }
    test::write_text(folder / "out/precious.txt", "x");
    EXPECT_THROW(write(folder / "out", asset), Error);
    EXPECT_EQ(test::read_text(folder / "out/precious.txt"), "x");
    EXPECT_THROW(write(folder / "no/such/out", asset), Error);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()),
                            std::filesystem::directory_iterator()),
              1)
        << "nothing is left beside";
}

TEST(Sequence, FoldersWithoutOneAreErrors) {
    const test::TemporaryFolder folder;
    EXPECT_HAS(error_of(folder.path()), "without a mesh sequence");
}

TEST(Sequence, RealSequencesAreRead) {
    SINEW_NEEDS_DATA();
    const std::tuple<const char*, std::size_t, std::size_t> known[] = {{"cat-poses", 9, 7207},
                                                                       {"horse-collapse", 53, 8431},
                                                                       {"horse-gallop", 48, 8431},
                                                                       {"pcow", 204, 2904}};
    for (const auto& [name, frames, vertices] : known) {
        Collector warnings;
        const Asset asset = read(test::data("sequence") / name, {}, warnings);
        EXPECT_EQ(asset.sequence.frames.size(), frames) << name;
        EXPECT_EQ(asset.sequence.rest.positions.size(), vertices) << name;
        EXPECT_EQ(asset.sequence.rate, 30) << name;
        EXPECT_TRUE(warnings.warnings().empty()) << name;
    }
    const Asset gallop = read(test::data("sequence/horse-gallop"));
    EXPECT_EQ(gallop.sequence.frames[0][0], Vec3f(-0.0227390159f, 0.9790707f, -0.636148499f));
}

}  // namespace sequence_test
}  // namespace sinew::io
