// SPDX-License-Identifier: MIT
#include <cstring>
#include <set>

#include "io/mesh/mesh_support.h"

#include "sinew/geometry/topology.h"
#include "sinew/io/mesh/mesh_formats.h"

namespace sinew::io {
namespace stl_test {

using geometry::Mesh;
using geometry::Triangle;
using geometry::Vec3f;
using test::read_error;
using test::read_mesh;

Mesh read_text(std::string_view text, Monitor& monitor = silent()) {
    return read_mesh(read_stl, text, monitor, "test.stl");
}
std::string error_of(std::string_view text) {
    return read_error(read_stl, text, "test.stl");
}

std::string facet(const char* a, const char* b, const char* c) {
    return fmt::format(
        "facet normal 0 0 1\n outer loop\n  vertex {}\n  vertex {}\n  vertex {}\n endloop\nendfacet\n", a, b,
        c);
}

Asset tetrahedron() {
    Asset asset;
    asset.character.mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    asset.character.mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    return asset;
}

TEST(Stl, TextFacetsAreJoined) {
    const Mesh mesh = read_text("solid box top\n" + facet("0 0 0", "1 0 0", "1 1 0") +
                                facet("-0 0 0", "1e0 1.0 0", "0 1 0") + "endsolid box top\n");
    EXPECT_EQ(mesh.positions.size(), 4u) << "-0 and 0 are one place";
    EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}));
    ASSERT_EQ(mesh.parts.size(), 1u);
    EXPECT_EQ(mesh.parts[0].name, "box top");
}

TEST(Stl, SeveralSolidsAreParts) {
    const Mesh mesh =
        read_text("solid a\n" + facet("0 0 0", "1 0 0", "1 1 0") + "endsolid\nSOLID b\n" +
                  facet("5 0 0", "6 0 0", "6 1 0") + facet("5 0 0", "6 0 0", "6 2 0") + "ENDSOLID b\n");
    ASSERT_EQ(mesh.parts.size(), 2u);
    EXPECT_EQ(mesh.parts[1].name, "b");
    EXPECT_EQ(mesh.parts[1].count, 2u);
}

TEST(Stl, DegenerateFacetsAreWarnedAbout) {
    Collector warnings;
    const Mesh mesh = read_text(
        "solid\n" + facet("0 0 0", "1 0 0", "1 1 0") + facet("0 0 0", "0 0 0", "1 1 0") + "endsolid\n",
        warnings);
    EXPECT_EQ(mesh.triangles.size(), 1u);
    EXPECT_TRUE(warnings.has("stl-degenerate"));
}

TEST(Stl, BinaryThatStartsWithSolidIsBinary) {
    std::string content = write_stl(tetrahedron(), "test.stl", {}, silent());
    EXPECT_EQ(content.size(), 84u + 4 * 50);
    content.replace(0, 11, "solid facet");
    const Mesh mesh = read_text(content);
    EXPECT_EQ(mesh.positions.size(), 4u);
    EXPECT_EQ(mesh.triangles.size(), 4u);
}

TEST(Stl, RoundTripsKeepTheSurface) {
    for (const bool binary : {true, false}) {
        WriteOptions options;
        options.binary = binary;
        for (unsigned seed = 0; seed < 20; ++seed) {
            Asset asset = tetrahedron();
            if (seed > 0) asset.character.mesh = test::random_mesh(seed, false, false, false);
            const Mesh& mesh = asset.character.mesh;
            const Mesh again = read_text(write_stl(asset, "test.stl", options, silent()));
            ASSERT_EQ(again.positions.size(), mesh.positions.size());
            ASSERT_EQ(again.triangles.size(), mesh.triangles.size());
            for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
                for (std::size_t i = 0; i < 3; ++i) {
                    EXPECT_EQ(again.positions[again.triangles[t][i]], mesh.positions[mesh.triangles[t][i]]);
                }
            }
        }
    }
    EXPECT_TRUE(geometry::topology(read_text(write_stl(tetrahedron(), "test.stl", {}, silent()))).closed);
}

TEST(Stl, FacetNormalsPointOutwards) {
    const std::string content = write_stl(tetrahedron(), "test.stl", {}, silent());
    Vec3f normal;
    std::memcpy(normal.data(), content.data() + 84, 12);
    EXPECT_EQ(normal, Vec3f(0, 0, -1));
}

TEST(Stl, BadFilesSayWhereAndWhy) {
    const std::string good = write_stl(tetrahedron(), "test.stl", {}, silent());
    EXPECT_HAS(error_of(""), "empty");
    EXPECT_HAS(error_of("\1\2\3"), "too few");
    EXPECT_HAS(error_of(good.substr(0, 200)), "4 facets are announced");
    std::string bad = good;
    const float inf = std::numeric_limits<float>::infinity();
    std::memcpy(bad.data() + 84 + 50 + 12, &inf, 4);
    EXPECT_HAS(error_of(bad), "test.stl: byte 134: facet 1 has a corner that is not finite");
    bad = good;
    std::memcpy(bad.data() + 80, "\xFF\xFF\xFF\xFF", 4);
    EXPECT_HAS(error_of(bad), "4294967295 facets are announced");
    EXPECT_HAS(error_of(std::string(84, '\0')), "no facets");
    EXPECT_HAS(error_of("solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0\nvertex 1 0 0\n"),
               "test.stl:5: expected a number, found \"vertex\"");
    EXPECT_HAS(error_of("solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 nan\n"),
               "test.stl:4: a corner of facet 0 is not a finite number");
    EXPECT_HAS(error_of("solid x\nfacet normal 0 0 1\nouter loop\n"),
               "expected \"vertex\", found the end of the file");
    EXPECT_HAS(error_of("solid x\nendsolid x\n"), "no facets");
    EXPECT_HAS(error_of("solid x\nfacet normal 0 0 1\nloop\n"),
               "test.stl:3: expected \"outer\", found \"loop\"");
    Collector warnings;
    read_text(good + "more", warnings);
    EXPECT_TRUE(warnings.has("stl-trailing"));
    read_text("solid x\n" + facet("0 0 0", "1 0 0", "1 1 0"), warnings);
    EXPECT_TRUE(warnings.has("stl-no-end"));
}

}  // namespace stl_test
}  // namespace sinew::io
