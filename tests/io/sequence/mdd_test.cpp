// SPDX-License-Identifier: MIT
#include "io/mesh/mesh_support.h"

#include "sinew/io/interchange.h"
#include "sinew/io/sequence/sequence.h"

namespace sinew::io {
namespace mdd_test {

using geometry::Vec3f;

Asset two_frames() {
    Asset asset;
    asset.sequence.rest.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    asset.sequence.rest.triangles = {{0, 1, 2}};
    asset.sequence.rate = 24;
    asset.sequence.frames = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 0, 1}, {1, 0, 2}, {0.1f, 1, -3}}};
    return asset;
}

std::string error_with(const std::string& content) {
    try {
        read_mdd_cache(as_bytes(content), "a.mdd", silent());
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

TEST(Mdd, ByHand) {
    // Two frames of one point at 0 and 1/2 second: big-endian words.
    const unsigned char bytes[] = {0,    0,    0, 2, 0,    0, 0, 1, 0,    0,    0, 0, 0x3F, 0, 0, 0,  //
                                   0x3F, 0x80, 0, 0, 0x40, 0, 0, 0, 0x40, 0x40, 0, 0,                 //
                                   0xBF, 0x80, 0, 0, 0,    0, 0, 0, 0,    0,    0, 0};
    const PointCache cache = read_mdd_cache(
        as_bytes(std::string_view(reinterpret_cast<const char*>(bytes), sizeof(bytes))), "a.mdd", silent());
    EXPECT_EQ(cache.points, 1u);
    EXPECT_DOUBLE_EQ(cache.rate, 2);
    ASSERT_EQ(cache.frames.size(), 2u);
    EXPECT_EQ(cache.frames[0][0], Vec3f(1, 2, 3));
    EXPECT_EQ(cache.frames[1][0], Vec3f(-1, 0, 0));
}

TEST(Mdd, RoundTripIsExactAndFindsItsRestMesh) {
    const test::TemporaryFolder folder;
    const Asset asset = two_frames();
    write(folder / "animation.mdd", asset);
    Asset mesh;
    mesh.character.mesh = asset.sequence.rest;
    write(folder / "rest.obj", mesh);
    for (const std::filesystem::path& path : {folder / "animation.mdd", folder.path()}) {
        const Asset again = read(path);
        EXPECT_EQ(again.sequence.frames, asset.sequence.frames);
        EXPECT_EQ(again.sequence.rest.triangles, asset.sequence.rest.triangles);
        EXPECT_NEAR(again.sequence.rate, 24, 1e-4);
    }
    const CacheStream stream(folder / "animation.mdd", {}, silent());
    ASSERT_EQ(stream.size(), 2u);
    EXPECT_NEAR(stream.rate(), 24, 1e-4);
    EXPECT_EQ(stream.rest().triangles, asset.sequence.rest.triangles);
    for (std::size_t f = 0; f < 2; ++f) EXPECT_EQ(stream.frame(f), asset.sequence.frames[f]);
}

TEST(Mdd, BrokenFilesAreNamed) {
    const std::string good = write_mdd(two_frames(), "a.mdd", {}, silent());
    EXPECT_EQ(error_with(good), "");
    EXPECT_HAS(error_with(good.substr(0, 6)), "header is truncated");
    EXPECT_HAS(error_with(good.substr(0, good.size() - 1)), "2 frames of 3 points");
    EXPECT_HAS(error_with(std::string(8, '\0')), "0 points, 0 frames");
    EXPECT_HAS(error_with(std::string(64, '\xFF')), "4294967295 frames");
    std::string bad = good;
    for (std::size_t i = 0; i < 4; ++i) bad[8 + 8 + 12 + i] = '\xFF';
    EXPECT_HAS(error_with(bad), "byte 28: frame 0, vertex 1: the position is not finite");
}

TEST(Mdd, TimesThatDoNotRiseAreSaid) {
    std::string content = write_mdd(two_frames(), "a.mdd", {}, silent());
    for (std::size_t i = 0; i < 4; ++i) content[12 + i] = '\0';
    Collector monitor;
    EXPECT_EQ(read_mdd_cache(as_bytes(content + "more"), "a.mdd", monitor).rate, scene_rate);
    EXPECT_TRUE(monitor.has("mdd-rate"));
    EXPECT_TRUE(monitor.has("mdd-trailing"));
}

}  // namespace mdd_test
}  // namespace sinew::io
