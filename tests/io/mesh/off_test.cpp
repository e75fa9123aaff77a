// SPDX-License-Identifier: MIT
#include "io/mesh/mesh_support.h"

#include "sinew/io/mesh/mesh_formats.h"

namespace sinew::io {
namespace off_test {

using geometry::Mesh;
using geometry::Triangle;
using geometry::Vec2f;
using geometry::Vec3f;
using test::read_error;
using test::read_mesh;

Mesh read_text(std::string_view text, Monitor& monitor = silent()) {
    return read_mesh(read_off, text, monitor, "test.off");
}
std::string error_of(std::string_view text) {
    return read_error(read_off, text, "test.off");
}

const std::string body = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3\n";

TEST(Off, EveryHeaderGivesTheSameMesh) {
    for (const std::string_view header :
         {"OFF\n4 2 0\n", "OFF 4 2 0\n", "4 2 0\n", "OFF\n# note\n\n 4 2 # behind\n", "OFF # x\n4 2 5\n",
          "\n# first\nOFF\n4 2 0\n"}) {
        const Mesh mesh = read_text(std::string(header) + body);
        EXPECT_EQ(mesh.positions.size(), 4u) << header;
        EXPECT_EQ(mesh.positions[2], Vec3f(1, 1, 0));
        EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}})) << header;
    }
}

TEST(Off, WordsEndAtAComment) {
    const Mesh mesh = read_text(
        "OFF# made by hand\n4 2 0#counts\n0 0 0# first\n1 0 0\n1 1 0#\n0 1 0\n"
        "3 0 1 2#a\n3 0 2 3 # b\n");
    EXPECT_EQ(mesh.positions.size(), 4u);
    EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}));
}

TEST(Off, AColourMayBeTheNumberOfOne) {
    Collector warnings;
    const Mesh mesh = read_text("COFF\n3 1 0\n0 0 0 7\n1 0 0 7\n1 1 0 2\n3 0 1 2\n", warnings);
    EXPECT_EQ(mesh.triangles.size(), 1u);
    EXPECT_TRUE(mesh.colors.empty());
    EXPECT_TRUE(warnings.has("off-color-index"));
    EXPECT_EQ(read_text("COFF\n3 1 0\n0 0 0 7\n1 0 0 1 0 0\n1 1 0 2\n3 0 1 2\n").colors.size(), 3u);
}

TEST(Off, LineEndsOfEveryKind) {
    const std::string text = "OFF\n4 2 0\n" + body;
    for (const std::string_view end : {"\r\n", "\r"}) {
        std::string other;
        for (const char c : text) c == '\n' ? other += end : other += c;
        EXPECT_EQ(read_text(other).triangles.size(), 2u);
    }
}

TEST(Off, PolygonsAndFaceColors) {
    Collector warnings;
    const Mesh mesh =
        read_text("OFF\n4 3 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3 255 0 0\n2 0 1\n3 1 2 3\n", warnings);
    EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}, {1, 2, 3}}));
    EXPECT_TRUE(warnings.has("off-face-colors"));
    EXPECT_TRUE(warnings.has("off-short-faces"));
}

TEST(Off, NormalsColorsAndTextureCoordinates) {
    const Mesh noff = read_text("NOFF\n3 1 0\n0 0 0 0 0 1\n1 0 0 0 0 2\n0 1 0 0 0 1\n3 0 1 2\n");
    ASSERT_EQ(noff.normals.size(), 3u);
    EXPECT_EQ(noff.normals[1], Vec3f(0, 0, 1));
    const Mesh coff =
        read_text("COFF\n3 1 0\n0 0 0 255 0 0 255\n1 0 0 0 255 0 255\n0 1 0 0 0 255 51\n3 0 1 2\n");
    ASSERT_EQ(coff.colors.size(), 3u);
    EXPECT_EQ(coff.colors[0], math::Vec4f(1, 0, 0, 1));
    EXPECT_FLOAT_EQ(coff.colors[2][3], 0.2f);
    const Mesh fractions = read_text("COFF\n3 1 0\n0 0 0 1 0 0\n1 0 0 0 1 0\n0 1 0 0 0 0.5\n3 0 1 2\n");
    EXPECT_NEAR(fractions.colors[2][2], 0.21404114, 1e-6);
    EXPECT_EQ(fractions.colors[2][3], 1);
    const Mesh stoff = read_text("STOFF\n3 1 0\n0 0 0 0 0\n1 0 0 1 0\n0 1 0 0 1\n3 0 1 2\n");
    EXPECT_EQ(stoff.uvs[0].at(0), Vec2f(0, 1));
    const Mesh all = read_text(
        "STCNOFF\n3 1 0\n0 0 0 0 0 1 1 1 1 .5 0\n1 0 0 0 0 1 1 1 1 1 0\n0 1 0 0 0 1 1 1 1 0 1\n3 0 1 2\n");
    EXPECT_EQ(all.uvs[0].at(0), Vec2f(.5f, 1))
        << "three channels are told from four by the length of the line";
    EXPECT_EQ(all.colors.at(2)[3], 1);
}

TEST(Off, ExtraColumnsAreWarnedAbout) {
    Collector warnings;
    EXPECT_EQ(read_text("OFF\n3 1 0\n0 0 0 9 9\n1 0 0 9 9\n0 1 0 9 9\n3 0 1 2\n", warnings).triangles.size(),
              1u);
    EXPECT_TRUE(warnings.has("off-extra-columns"));
}

TEST(Off, BadFilesSayWhereAndWhy) {
    EXPECT_HAS(error_of(""), "empty");
    EXPECT_HAS(error_of("OFF\n"), "file ends");
    EXPECT_HAS(error_of("hello world\n"), "is not an OFF file");
    EXPECT_HAS(error_of("OFF BINARY\n"), "binary OFF");
    EXPECT_HAS(error_of("4OFF\n1 1 1\n"), "three dimensions");
    EXPECT_HAS(error_of("OFF\n0 0 0\n"), "no vertices");
    EXPECT_HAS(error_of("OFF\n2000000000 1 0\n0 0 0\n"), "2000000000 vertices are announced");
    EXPECT_HAS(error_of("OFF\n1 2000000000 0\n0 0 0\n"), "2000000000 faces are announced");
    EXPECT_HAS(error_of("OFF\n-3 1 0\n0 0 0\n"), "test.off:2: ");
    EXPECT_HAS(error_of("OFF\n4 2 0\n0 0 0\n1 0 0\n1 1 0\n         \n#########\n"), "expected vertex 3 of 4");
    EXPECT_HAS(error_of("OFF\n4 2 0\n" + body.substr(0, body.size() - 8)), "expected face 1 of 2");
    EXPECT_HAS(error_of("OFF\n3 1 0\n0 0 0\n1 nan 0\n0 1 0\n3 0 1 2\n"),
               "test.off:4: vertex 1 is not a finite number");
    EXPECT_HAS(error_of("OFF\n3 1 0\n0 0 0\n1 0\n0 1 0\n3 0 1 2\n"),
               "test.off:4: expected a number of vertex 1");
    EXPECT_HAS(error_of("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n"),
               "test.off:6: face 0 names vertex 3 of 3");
    EXPECT_HAS(error_of("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n"), "test.off:6: face 0 names vertex -1");
    EXPECT_HAS(error_of("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n999999999 0 1 2\n"),
               "test.off:6: expected a number of face 0");
}

TEST(Off, RoundTripIsExact) {
    for (unsigned seed = 0; seed < 40; ++seed) {
        Asset asset;
        asset.character.mesh = test::random_mesh(seed, seed & 1, seed & 2, seed & 4);
        const Mesh& mesh = asset.character.mesh;
        const Mesh again = read_text(write_off(asset, "test.off", {}, silent()));
        EXPECT_EQ(again.positions, mesh.positions);
        EXPECT_EQ(again.triangles, mesh.triangles);
        EXPECT_EQ(again.normals, mesh.normals);
        EXPECT_EQ(again.uvs, mesh.uvs);
        test::expect_near(again.colors, mesh.colors, 1e-6, "colours");
    }
}

TEST(Off, RealMeshesKeepTheirCounts) {
    SINEW_NEEDS_DATA();
    const Mesh cheburashka = read(test::data("mesh/cheburashka.off")).character.mesh;
    EXPECT_EQ(cheburashka.positions.size(), 6669u);
    EXPECT_EQ(cheburashka.triangles.size(), 13334u);
    EXPECT_EQ(cheburashka.positions[0], Vec3f(0.851847f, 0.663643f, 0.509465f));
    const Mesh cow = read(test::data("mesh/cow_open.off")).character.mesh;
    EXPECT_EQ(cow.positions.size(), 2762u);
    EXPECT_EQ(cow.triangles.size(), 5520u);
}

}  // namespace off_test
}  // namespace sinew::io
