// SPDX-License-Identifier: MIT
#include <cmath>
#include <sstream>

#include "io/mesh/mesh_support.h"

#include "sinew/base/parallel.h"
#include "sinew/geometry/topology.h"
#include "sinew/io/mesh/mesh_formats.h"

namespace sinew::io {
namespace obj_test {

using geometry::Mesh;
using geometry::Triangle;
using geometry::Vec2f;
using geometry::Vec3f;
using test::expect_near;
using test::read_error;
using test::read_mesh;

Mesh read_text(std::string_view text, Monitor& monitor = silent()) {
    return read_mesh(read_obj, text, monitor, "test.obj");
}
std::string error_of(std::string_view text) {
    return read_error(read_obj, text, "test.obj");
}

double area_of(const Mesh& mesh) {
    double sum = 0;
    for (const Triangle& t : mesh.triangles) {
        const auto edge = [&](std::size_t i) {
            return (mesh.positions[t[i]] - mesh.positions[t[0]]).cast<double>().eval();
        };
        sum += edge(1).cross(edge(2)).norm() / 2;
    }
    return sum;
}

TEST(Obj, VerticesAndTrianglesAreAsInTheFile) {
    const Mesh mesh =
        read_text("# a comment\nv 1 2 3\nv 4 5 6 # behind\nv 7 8 9\nv 10 11 12\n\nf 1 2 3\n  f 2 4 3\n");
    ASSERT_EQ(mesh.positions.size(), 4u);
    EXPECT_EQ(mesh.positions[3], Vec3f(10, 11, 12));
    EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {1, 3, 2}}));
    EXPECT_TRUE(mesh.parts.empty());
    EXPECT_TRUE(mesh.normals.empty());
    EXPECT_TRUE(mesh.uvs[0].empty());
}

TEST(Obj, LooseVerticesAndRepeatedCornersAreKept) {
    const Mesh mesh = read_text("v 9 9 9\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 8 8 8\nf 2 3 4\nf 2 2 4\n");
    EXPECT_EQ(mesh.positions.size(), 5u);
    EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{1, 2, 3}, {1, 1, 3}}));
}

TEST(Obj, EveryLineEndGivesTheSameMesh) {
    const std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    for (const std::string_view end : {"\r\n", "\r"}) {
        std::string other;
        for (const char c : text) c == '\n' ? other += end : other += c;
        const Mesh mesh = read_text(other);
        EXPECT_EQ(mesh.positions.size(), 3u);
        EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}}));
        EXPECT_HAS(error_of(other + "f 1 2 9" + std::string(end)), "test.obj:5: ");
    }
    EXPECT_EQ(read_text(text.substr(0, text.size() - 1)).triangles.size(), 1u) << "no line end at the end";
}

TEST(Obj, BackslashContinuesALineButNotAComment) {
    const Mesh mesh = read_text("v 0 0 \\\n0\nv 1 0 0\r\nv 0 1 0\n# C:\\models\\\nf 1 \\\r\n 2 \\\n3\n");
    EXPECT_EQ(mesh.positions.size(), 3u);
    EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}}));
    EXPECT_HAS(error_of("v 0 0 \\\n 0\nv 1 x 0\n"), "test.obj:3: ");
}

TEST(Obj, EveryFormOfIndex) {
    const std::string head = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nvn 0 0 1\n";
    for (const std::string_view face : {"f 1/1/1 2/2/1 3/3/1", "f -3/-3/-1 -2/-2/-1 -1/-1/-1"}) {
        const Mesh mesh = read_text(head + std::string(face));
        EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}})) << face;
        ASSERT_EQ(mesh.uvs[0].size(), 3u);
        EXPECT_EQ(mesh.uvs[0][0], Vec2f(0, 1)) << "the upper left corner is 0 0";
        EXPECT_EQ(mesh.uvs[0][2], Vec2f(0, 0));
        EXPECT_EQ(mesh.normals[1], Vec3f(0, 0, 1));
    }
    const Mesh only_uv = read_text(head + "f 1/1 2/2 3/3\n");
    EXPECT_TRUE(only_uv.normals.empty());
    EXPECT_EQ(only_uv.uvs[0].size(), 3u);
    const Mesh only_normal = read_text(head + "f 1//1 2//1 3//1\n");
    EXPECT_TRUE(only_normal.uvs[0].empty());
    EXPECT_EQ(only_normal.normals.size(), 3u);
    const Mesh neither = read_text(head + "f 1// 2/ 3\n");
    EXPECT_TRUE(neither.normals.empty());
}

TEST(Obj, NegativeIndicesCountFromTheirLine) {
    const Mesh mesh =
        read_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 5 0 0\nv 6 0 0\nv 5 1 0\nf -3 -2 -1\n");
    EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {3, 4, 5}}));
    EXPECT_HAS(error_of("v 0 0 0\nf -2 -1 -1\n"), "test.obj:2: face names position -2");
}

TEST(Obj, SplitVerticesStandBehindTheVerticesOfTheFile) {
    // The middle edge 2-3 has other texture coordinates on each side.
    const Mesh mesh = read_text(
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nvt .1 0\nvt .2 0\nvt .3 0\nvt .4 0\nvt .5 0\nvt .6 0\n"
        "f 1/1 2/2 3/3\nf 4/4 3/5 2/6\nf 1/1 2/2 3/3\n");
    ASSERT_EQ(mesh.positions.size(), 6u);
    EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {3, 4, 5}, {0, 1, 2}}));
    EXPECT_EQ(mesh.positions[4], mesh.positions[2]);
    EXPECT_EQ(mesh.positions[5], mesh.positions[1]);
    EXPECT_FLOAT_EQ(mesh.uvs[0][4][0], 0.5f);
    EXPECT_FLOAT_EQ(mesh.uvs[0][1][0], 0.2f);
}

TEST(Obj, CornersWithAndWithoutNormalsMix) {
    Collector warnings;
    const Mesh mesh = read_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 2\nf 1 2 3\nf 1//1 2//1 3//1\n", warnings);
    EXPECT_EQ(mesh.positions.size(), 6u)
        << "the first face has none, so its vertices are not those of the second";
    EXPECT_TRUE(warnings.has("missing-normals"));
    for (const Vec3f& normal : mesh.normals) EXPECT_FLOAT_EQ(normal[2], 1);
}

TEST(Obj, ConvexPolygonsBecomeFans) {
    const Mesh quad = read_text("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
    EXPECT_EQ(quad.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}));
    std::string text;
    std::string face = "f";
    for (int i = 0; i < 12; ++i) {
        text += fmt::format("v {} 0 {}\n", std::cos(i * math::pi / 6), std::sin(i * math::pi / 6));
        face += fmt::format(" {}", i + 1);
    }
    const Mesh ring = read_text(text + face);
    EXPECT_EQ(ring.triangles.size(), 10u);
    EXPECT_NEAR(area_of(ring), 3, 1e-5);
}

TEST(Obj, ConcavePolygonsKeepTheirArea) {
    // An arrow head whose fan from the first corner would cover area outside.
    const Mesh arrow = read_text("v 2 0 0\nv 0 1 0\nv 0.5 0 0\nv 0 -1 0\nf 2 3 4 1\n");
    EXPECT_NEAR(area_of(arrow), 1.5, 1e-6);
    // A comb with six teeth, standing on a slope.
    std::string text = "v 0 -1 -1\n";
    std::string face = "f 1";
    double area = 0;
    for (int i = 0; i <= 12; ++i) {
        const double height = i % 2 == 0 ? 0 : 3;
        text += fmt::format("v {} {} {}\n", i, height, height);
        face += fmt::format(" {}", i + 2);
        if (i > 0) area += (1.5 + 1) * std::sqrt(2.0);
    }
    text += "v 12 -1 -1\n";
    const Mesh comb = read_text(text + face + " 15");
    EXPECT_EQ(comb.triangles.size(), 13u);
    EXPECT_NEAR(area_of(comb), area, 1e-4);
    for (const Triangle& t : comb.triangles) {
        const auto& p = comb.positions;
        EXPECT_LT((p[t[1]] - p[t[0]]).cross(p[t[2]] - p[t[0]])[2], 0) << "all look to the same side";
    }
}

TEST(Obj, GroupsAndMaterialsBecomeParts) {
    Collector warnings;
    const Mesh mesh = read_text(
        "v 0 0 0\nv 1 0 0\nv 0 1 0\no left arm\nusemtl red\nf 1 2 3\ng left arm\nf 1 2 3\nusemtl blue\nf 1 2 "
        "3\no\n"
        "usemtl\nf 3 2 1\ng unused\n",
        warnings);
    ASSERT_EQ(mesh.parts.size(), 3u);
    EXPECT_EQ(mesh.parts[0].name, "left arm");
    EXPECT_EQ(mesh.parts[0].count, 2u);
    EXPECT_EQ(mesh.parts[1].name, "left arm");
    EXPECT_EQ(mesh.parts[1].material, 1);
    EXPECT_EQ(mesh.parts[2].name, "");
    EXPECT_EQ(mesh.parts[2].material, -1);
    EXPECT_EQ(mesh.materials.at(1).name, "blue");
    EXPECT_TRUE(warnings.has("missing-material"));
}

TEST(Obj, OtherElementsAreCountedAndWarnedAbout) {
    Collector warnings;
    read_text("v 0 0 0\nv 1 0 0\nv 0 1 0\ns 1\nl 1 2\np 3\np 1\nf 1 2\ncurv 0 1 1 2\nwhatever\nf 1 2 3\n",
              warnings);
    ASSERT_EQ(warnings.warnings().size(), 4u);
    EXPECT_EQ(warnings.warnings()[1].code, "obj-lines-points");
    EXPECT_HAS(warnings.warnings()[1].text, "test.obj:5: 3 ");
    for (const char* code : {"obj-short-faces", "obj-free-form", "obj-unknown"})
        EXPECT_TRUE(warnings.has(code)) << code;
}

TEST(Obj, ColorsBehindPositions) {
    const Mesh mesh = read_text("v 0 0 0 1 0 0.5\nv 1 0 0 0 1 0\nv 0 1 0 0 0 1\nf 1 2 3\n");
    ASSERT_EQ(mesh.colors.size(), 3u);
    EXPECT_FLOAT_EQ(mesh.colors[0][0], 1);
    EXPECT_NEAR(mesh.colors[0][2], 0.21404114, 1e-6) << "0.5 of the screen in linear light";
    EXPECT_TRUE(read_text("v 0 0 0 1\nv 1 0 0 1\nv 0 1 0 1\nf 1 2 3\n").colors.empty())
        << "a weight is not a colour";
}

TEST(Obj, BadFilesSayWhereAndWhy) {
    const std::string head = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    EXPECT_HAS(error_of(""), "no vertex");
    EXPECT_HAS(error_of("# nothing\n\n"), "no vertex");
    EXPECT_HAS(error_of(std::string("v 0 0 0\0\1\2", 10)), "binary");
    EXPECT_HAS(error_of(head + "f 1 2 4\n"), "test.obj:4: face names position 4, but there are 3");
    EXPECT_HAS(error_of(head + "f 0 1 2\n"), "test.obj:4: face names position 0");
    EXPECT_HAS(error_of(head + "f 1/1 2/1 3/1\n"), "texture coordinate 1, but there are 0");
    EXPECT_HAS(error_of(head + "f 1 2 x\n"), "test.obj:4: expected a corner");
    EXPECT_HAS(error_of(head + "f 1 2 3.5\n"), "test.obj:4: expected a corner");
    EXPECT_HAS(error_of(head + "f 1 2 99999999999999999999\n"), "test.obj:4");
    EXPECT_HAS(error_of(head + "v 1 2\n"),
               "test.obj:4: expected a number of position 4, found the end of the line");
    EXPECT_HAS(error_of(head + "v 1 2"),
               "test.obj:4: expected a number of position 4, found the end of the file");
    EXPECT_HAS(error_of("v 0 0 0\nv 1 nan 0\n"), "test.obj:2: position 2 is not a finite number: \"nan\"");
    EXPECT_HAS(error_of("v 0 0 0\nv 1 0 1e99\n"), "test.obj:2: position 2 is not a finite number");
    EXPECT_HAS(error_of("v 0 0 -inf\n"), "test.obj:1: position 1 is not a finite number");
    EXPECT_HAS(error_of(head + "vn 0 0 x\n"), "test.obj:4: expected a number of normal 1");
}

TEST(Obj, TheFirstErrorOfALargeFileIsReported) {
    std::string text;
    for (int i = 0; i < 60000; ++i) text += "v 0.125 0.25 0.5\n";
    text += "v 1 2 bad1\n";
    for (int i = 0; i < 60000; ++i) text += "v 0.125 0.25 0.5\n";
    text += "v 1 2 bad2\n";
    for (int run = 0; run < 5; ++run) EXPECT_HAS(error_of(text), "test.obj:60001: ");
}

TEST(Obj, ManyPiecesGiveTheMeshOfOneThread) {
    std::ostringstream text;
    test::Random random(3);
    for (int i = 0; i < 30000; ++i) {
        text << "v " << random.uniform(-1, 1) << ' ' << random.uniform(-1, 1) << ' ' << i << '\n';
        if (i % 2 == 0) text << "vt " << random.uniform() << ' ' << random.uniform() << '\n';
        if (i % 1000 == 0) text << "g part " << i << '\n';
        if (i > 4) text << "f -1/-1 -2/-2 -3/-1 -4/-3\nf " << 1 + random.integer(0, i) << " 1 2\n";
    }
    set_thread_count(1);
    const Mesh one = read_text(text.str());
    set_thread_count(0);
    const Mesh many = read_text(text.str());
    EXPECT_EQ(one.triangles, many.triangles);
    EXPECT_EQ(one.positions, many.positions);
    EXPECT_EQ(one.uvs, many.uvs);
    ASSERT_EQ(one.parts.size(), many.parts.size());
    EXPECT_EQ(one.parts.size(), 30u);
}

TEST(Obj, RoundTripIsExact) {
    for (unsigned seed = 0; seed < 40; ++seed) {
        const Mesh mesh = test::random_mesh(seed, seed & 1, seed & 2, false);
        Asset asset;
        asset.character.mesh = mesh;
        const Mesh again = read_text(write_obj(asset, "test.obj", {}, silent()));
        EXPECT_EQ(again.positions, mesh.positions);
        EXPECT_EQ(again.triangles, mesh.triangles);
        EXPECT_EQ(again.uvs, mesh.uvs);
        EXPECT_EQ(again.normals, mesh.normals);
    }
    Asset colored;
    colored.character.mesh = test::random_mesh(50, true, true, true);
    const Mesh again = read_text(write_obj(colored, "test.obj", {}, silent()));
    expect_near(again.colors, colored.character.mesh.colors, 1e-6, "colours");
}

const std::string png("\x89PNG\r\n\x1A\n just the first bytes", 30);

TEST(Obj, MaterialsAndPicturesAreReadBesideTheFile) {
    const test::TemporaryFolder folder;
    test::write_text(folder / "skin map.png", png);
    test::write_text(
        folder / "a.mtl",
        "newmtl skin\nKd 0.5 0.25 1\nKe 0 1 0\nd 0.5\nmap_Kd -s 1 1 1 -clamp on skin map.png\nNs 10\n"
        "newmtl glass\nTr 0.75\nmap_Kd gone.png\nnewmtl bad\nKd x y z\n");
    test::write_text(
        folder / "a.obj",
        "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl glass\nf 1 2 3\nusemtl skin\nf 1 2 3\n");
    Collector warnings;
    const Mesh mesh = read(folder / "a.obj", {}, warnings).character.mesh;
    ASSERT_EQ(mesh.materials.size(), 3u);
    EXPECT_EQ(mesh.materials[0].base_color, math::Vec4f(0.5f, 0.25f, 1, 0.5f));
    EXPECT_EQ(mesh.materials[0].emissive, Vec3f(0, 1, 0));
    EXPECT_EQ(mesh.materials[0].alpha_mode, geometry::AlphaMode::blend);
    EXPECT_EQ(mesh.materials[0].base_color_texture.wrap_u, geometry::Wrap::clamp);
    EXPECT_FLOAT_EQ(mesh.materials[1].base_color[3], 0.25f);
    ASSERT_EQ(mesh.images.size(), 1u);
    EXPECT_EQ(as_text(Bytes(mesh.images[0].bytes)), png);
    EXPECT_EQ(mesh.images[0].mime_type, "image/png");
    EXPECT_EQ(mesh.parts.at(0).material, 1);
    EXPECT_EQ(mesh.parts.at(1).material, 0);
    EXPECT_TRUE(warnings.has("missing-picture"));
    EXPECT_TRUE(warnings.has("mtl-number"));
}

TEST(Obj, MaterialsThatAreNotDefinedAreCountedInWords) {
    const auto said = [](const std::string& text) {
        Collector warnings;
        read_text(text, warnings);
        for (const Warning& warning : warnings.warnings())
            if (warning.code == "missing-material") return warning.text;
        return std::string();
    };
    const std::string faces = "f 1 2 3\n";
    const std::string plain = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    const std::string one = said(plain + "usemtl red\n" + faces);
    EXPECT_NE(one.find("one material is not defined and became plain white: red"), std::string::npos) << one;
    const std::string two = said(plain + "usemtl red\n" + faces + "usemtl blue\n" + faces);
    EXPECT_NE(two.find("2 materials are not defined and became plain white: red, blue"), std::string::npos)
        << two;
    const std::string colored = said("v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 0 1 0 0 0 1\nusemtl red\n" + faces);
    EXPECT_NE(colored.find("became white under the colours of the vertices: red"), std::string::npos)
        << colored;
}

TEST(Obj, MissingMaterialFileIsAWarning) {
    Collector warnings;
    const Mesh mesh = read_text("mtllib gone.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl x\nf 1 2 3\n", warnings);
    EXPECT_TRUE(warnings.has("missing-material-file"));
    EXPECT_TRUE(warnings.has("missing-material"));
    EXPECT_EQ(mesh.materials.size(), 1u);
}

TEST(Obj, PartsMaterialsAndPicturesRoundTrip) {
    Asset asset;
    Mesh& mesh = asset.character.mesh;
    mesh = test::random_mesh(5, true, true, false);
    const auto count = static_cast<std::uint32_t>(mesh.triangles.size());
    mesh.materials.resize(2);
    mesh.materials[0].name = "same";
    mesh.materials[0].base_color = {0.1f, 0.2f, 0.3f, 0.4f};
    mesh.materials[0].alpha_mode = geometry::AlphaMode::blend;
    mesh.materials[1].name = "same";
    mesh.materials[1].metallic = 0.25f;
    mesh.materials[1].base_color_texture.image = 0;
    mesh.images.push_back({"a/b c", "image/png", {as_bytes(png).begin(), as_bytes(png).end()}});
    mesh.parts = {{"", 0, 1, -1}, {"head", 1, 1, 0}, {"head", 2, count - 2, 1}};
    const test::TemporaryFolder folder;
    write(folder / "x.obj", asset);
    Collector warnings;
    const Mesh again = read(folder / "x.obj", {}, warnings).character.mesh;
    EXPECT_TRUE(warnings.warnings().empty());
    ASSERT_EQ(again.parts.size(), 3u);
    EXPECT_EQ(again.parts[0].material, -1);
    EXPECT_EQ(again.parts[1].name, "head");
    EXPECT_EQ(again.parts[2].material, 1);
    EXPECT_EQ(again.materials.at(0).base_color, mesh.materials[0].base_color);
    EXPECT_EQ(again.materials.at(1).name, "same_2");
    EXPECT_EQ(again.materials.at(1).metallic, 0.25f);
    ASSERT_EQ(again.images.size(), 1u);
    EXPECT_EQ(again.images[0].bytes, mesh.images[0].bytes);
}

TEST(Obj, RealMeshesKeepTheirCounts) {
    SINEW_NEEDS_DATA();
    const std::tuple<const char*, std::size_t, std::size_t> known[] = {
        {"arm.obj", 8311, 16618},      {"armadillo.obj", 43243, 86482},  {"cat.obj", 7949, 15894},
        {"elephant.obj", 6034, 12064}, {"hand_closed.obj", 7993, 15982}, {"homer.obj", 6002, 12000},
        {"horse.obj", 8431, 16843},    {"woody.obj", 694, 1267}};
    for (const auto& [name, vertices, triangles] : known) {
        Collector warnings;
        const Mesh mesh = read(test::data("mesh") / name, {}, warnings).character.mesh;
        EXPECT_EQ(mesh.positions.size(), vertices) << name;
        EXPECT_EQ(mesh.triangles.size(), triangles) << name;
        EXPECT_TRUE(warnings.warnings().empty()) << name;
    }
    const Mesh armadillo = read(test::data("mesh/armadillo.obj")).character.mesh;
    EXPECT_EQ(armadillo.positions[0], Vec3f(-0.354446f, 0.351858f, 0.219842f));
    EXPECT_EQ(armadillo.triangles[0], (Triangle{39369, 38991, 38543}));
    EXPECT_TRUE(geometry::topology(armadillo).closed);
}

}  // namespace obj_test
}  // namespace sinew::io
