// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>

#include "io/mesh/mesh_support.h"

#include "sinew/io/mesh/mesh_formats.h"

namespace sinew::io {
namespace ply_test {

using geometry::Mesh;
using geometry::Triangle;
using geometry::Vec2f;
using geometry::Vec3f;
using test::read_error;
using test::read_mesh;

Mesh read_text(std::string_view text, Monitor& monitor = silent()) {
    return read_mesh(read_ply, text, monitor, "test.ply");
}
std::string error_of(std::string_view text) {
    return read_error(read_ply, text, "test.ply");
}

/// Appends values in either byte order.
template <class... Values>
void put(std::string& out, bool big, Values... values) {
    const auto one = [&](auto value) {
        std::string raw(sizeof(value), '\0');
        std::memcpy(raw.data(), &value, sizeof(value));
        if (big) std::reverse(raw.begin(), raw.end());
        out += raw;
    };
    (one(values), ...);
}

const std::string head =
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n";
const std::string corners = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n";

TEST(Ply, TextWithTrianglesAndPolygons) {
    const Mesh mesh = read_text(
        head + "comment hello\nelement face 2\nproperty list uchar int vertex_indices\nend_header\n" +
        corners + "3 0 1 2\n4 0 1 2 3\n");
    EXPECT_EQ(mesh.positions.at(2), Vec3f(1, 1, 0));
    EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 1, 2}, {0, 2, 3}}));
}

/// The same oddly ordered mesh in three encodings.
std::string odd_file(int encoding) {
    const char* names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    std::string text = fmt::format(
        "ply\nformat {} 1.0\nobj_info x\nelement camera 1\nproperty list uint short numbers\nproperty double "
        "f\n"
        "element vertex 3\nproperty uchar blue\nproperty double z\nproperty uint8 red\nproperty list uchar "
        "float extra\n"
        "property int16 y\nproperty float32 x\nproperty uchar green\nproperty float texture_v\nproperty "
        "float texture_u\n"
        "element face 2\nproperty int flags\nproperty list ushort uint vertex_index\nproperty list uchar "
        "float texcoord\n"
        "element edge 1\nproperty int a\nproperty int b\nend_header\n",
        names[encoding]);
    if (encoding == 0) {
        return text +
               "2 7 8 0.5\n"
               "255 3.5 0 0 -2 1 0 0.25 0.5\n0 4.5 255 2 9 9 -3 2 0 0.25 0.75\n0 5.5 0 1 9 -4 3 255 0.5 1\n"
               "77 3 0 1 2 0\n78 3 2 1 0 2 0.5 0.5\n0 1\n";
    }
    const bool big = encoding == 2;
    put(text, big, std::uint32_t{2}, std::int16_t{7}, std::int16_t{8}, 0.5);
    using U8 = std::uint8_t;
    using I16 = std::int16_t;
    put(text, big, U8{255}, 3.5, U8{0}, U8{0}, I16{-2}, 1.0f, U8{0}, 0.25f, 0.5f);
    put(text, big, U8{0}, 4.5, U8{255}, U8{2}, 9.0f, 9.0f, I16{-3}, 2.0f, U8{0}, 0.25f, 0.75f);
    put(text, big, U8{0}, 5.5, U8{0}, U8{1}, 9.0f, I16{-4}, 3.0f, U8{255}, 0.5f, 1.0f);
    put(text, big, 77, std::uint16_t{3}, 0u, 1u, 2u, U8{0});
    put(text, big, 78, std::uint16_t{3}, 2u, 1u, 0u, U8{2}, 0.5f, 0.5f);
    put(text, big, 0, 1);
    return text;
}

TEST(Ply, AnyOrderAndTypeInEveryEncoding) {
    for (int encoding = 0; encoding < 3; ++encoding) {
        Collector warnings;
        const Mesh mesh = read_text(odd_file(encoding), warnings);
        EXPECT_EQ(mesh.positions, (std::vector<Vec3f>{{1, -2, 3.5f}, {2, -3, 4.5f}, {3, -4, 5.5f}}))
            << encoding;
        EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {2, 1, 0}}));
        EXPECT_EQ(mesh.uvs[0], (std::vector<Vec2f>{{0.5f, 0.75f}, {0.75f, 0.75f}, {1, 0.5f}}));
        ASSERT_EQ(mesh.colors.size(), 3u);
        EXPECT_EQ(mesh.colors[0], math::Vec4f(0, 0, 1, 1));
        EXPECT_EQ(mesh.colors[1], math::Vec4f(1, 0, 0, 1));
        EXPECT_EQ(mesh.colors[2], math::Vec4f(0, 1, 0, 1));
        EXPECT_TRUE(warnings.has("ply-wedge-uvs"));
    }
}

TEST(Ply, NormalsFloatColorsAndNamesOfTextureCoordinates) {
    for (const auto& [u, v] :
         {std::pair{"s", "t"}, std::pair{"u", "v"}, std::pair{"texture_u", "texture_v"}}) {
        const Mesh mesh = read_text(fmt::format(
            "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
            "property float nx\nproperty float ny\nproperty float nz\nproperty float {}\nproperty float {}\n"
            "property float red\nproperty float green\nproperty float blue\n"
            "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
            "0 0 0 0 0 1 0.5 0 0.5 0 1\n1 0 0 0 0 1 1 0 0.5 0 1\n0 1 0 0 0 1 0 1 0.5 0 1\n3 0 1 2\n",
            u, v));
        EXPECT_EQ(mesh.normals.at(0), Vec3f(0, 0, 1));
        EXPECT_EQ(mesh.uvs[0].at(0), Vec2f(0.5f, 1));
        EXPECT_EQ(mesh.colors.at(0), math::Vec4f(0.5f, 0, 1, 1)) << "floating point is linear";
    }
}

TEST(Ply, TriangleStrips) {
    const Mesh mesh =
        read_text(head + "element tristrips 1\nproperty list int int vertex_indices\nend_header\n" + corners +
                  "8 0 1 3 2 -1 2 1 0\n");
    EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 3}, {3, 1, 2}, {2, 1, 0}}));
}

TEST(Ply, LineEndsOfTheHeader) {
    for (const std::string_view end : {"\r\n", "\r"}) {
        std::string text =
            "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty uchar x\nproperty uchar y\n"
            "property uchar z\nend_header\n";
        std::string other;
        for (const char c : text) c == '\n' ? other += end : other += c;
        EXPECT_EQ(read_text(other + "\n\r\n").positions.at(0), Vec3f(10, 13, 10))
            << "data that looks like line ends";
    }
}

TEST(Ply, ATextureNamedInACommentIsLoaded) {
    const test::TemporaryFolder folder;
    test::write_text(folder / "map.png", "\x89PNG\r\n\x1A\n ...");
    test::write_text(folder / "a.ply",
                     "ply\nformat ascii 1.0\ncomment TextureFile map.png\nelement vertex 3\nproperty float "
                     "x\nproperty float y\n"
                     "property float z\nproperty float s\nproperty float t\nelement face 1\nproperty list "
                     "uchar int vertex_indices\n"
                     "end_header\n0 0 0 0 0\n1 0 0 1 0\n0 1 0 0 1\n3 0 1 2\n");
    const Mesh mesh = read(folder / "a.ply").character.mesh;
    ASSERT_EQ(mesh.images.size(), 1u);
    EXPECT_EQ(mesh.materials.at(0).base_color_texture.image, 0);
    EXPECT_EQ(mesh.parts.at(0).material, 0);
}

TEST(Ply, BadFilesSayWhereAndWhy) {
    const std::string face = "element face 1\nproperty list uchar int vertex_indices\nend_header\n";
    EXPECT_HAS(error_of(""), "is not a PLY file");
    EXPECT_HAS(error_of("plyx\n"), "is not a PLY file");
    EXPECT_HAS(error_of("ply\nformat ascii 1.0\n"), "end_header");
    EXPECT_HAS(error_of("ply\nend_header\n"), "names no format");
    EXPECT_HAS(error_of("ply\nformat huffman 1.0\nend_header\n"), "test.ply:2: unknown format");
    EXPECT_HAS(error_of("ply\nformat ascii 1.0\nproperty float x\n"), "test.ply:3: a property before");
    EXPECT_HAS(error_of("ply\nformat ascii 1.0\nelement vertex 1\nproperty quad x\nend_header\n"),
               "test.ply:4: unknown type");
    EXPECT_HAS(error_of("ply\nformat ascii 1.0\nelement vertex many\nend_header\n"),
               "test.ply:3: expected the number");
    EXPECT_HAS(error_of("ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n0\n"),
               "no x, y and z");
    EXPECT_HAS(error_of(head + "end_header\n0 0 0\n1 1 1\n2 2 2\n333333 3"), "ends too early");
    EXPECT_HAS(error_of(head + "end_header\n0 0 0\n"), "4 \"vertex\" elements are announced");
    EXPECT_HAS(error_of(head + "end_header\n0 0 0\n1 x 1\n2 2 2\n3 3 3\n"),
               "test.ply:9: expected a number, found \"x\"");
    EXPECT_HAS(error_of(head + "end_header\n0 0 0\n1 inf 1\n2 2 2\n3 3 3\n"),
               "test.ply:9: vertex 1: y is not a finite number");
    EXPECT_HAS(error_of(head + face + corners + "3 0 1 4\n"), "test.ply:14: face 0 names vertex 4 of 4");
    EXPECT_HAS(error_of(head + face + corners + "200 0 1 3\n"), "more than the file holds");
    EXPECT_HAS(error_of("ply\nformat binary_little_endian 1.0\nelement vertex 99999999999\nproperty float "
                        "x\nproperty float y\n"
                        "property float z\nend_header\n0000"),
               "99999999999 \"vertex\" elements are announced");
    EXPECT_HAS(error_of(head + "element face 1\nproperty int vertex_indices\nend_header\n" + corners + "3\n"),
               "vertex_indices");
}

TEST(Ply, BrokenBinaryFilesNameTheByte) {
    Asset asset;
    asset.character.mesh = test::random_mesh(1, false, false, false);
    const std::string good = write_ply(asset, "test.ply", {}, silent());
    const std::size_t data = good.find("end_header\n") + 11;
    std::string bad = good;
    const float nan = std::nanf("");
    std::memcpy(bad.data() + data + 12 * 2 + 4, &nan, 4);
    EXPECT_HAS(error_of(bad),
               fmt::format("test.ply: byte {}: vertex 2 has a number that is not finite", data + 24));
    bad = good;
    const std::size_t faces = data + 12 * asset.character.mesh.positions.size();
    const std::uint32_t index = 1000;
    std::memcpy(bad.data() + faces + 13 + 1, &index, 4);
    EXPECT_HAS(error_of(bad), "face 1 names vertex 1000");
    EXPECT_FALSE(error_of(good.substr(0, good.size() - 1)).empty());
    EXPECT_FALSE(error_of(good.substr(0, data + 30)).empty());
}

TEST(Ply, RoundTripIsExactInBothEncodings) {
    for (unsigned seed = 0; seed < 64; ++seed) {
        Asset asset;
        asset.character.mesh = test::random_mesh(seed, seed & 1, seed & 2, seed & 4);
        const Mesh& mesh = asset.character.mesh;
        WriteOptions options;
        options.binary = (seed & 8) != 0;
        const Mesh again = read_text(write_ply(asset, "test.ply", options, silent()));
        EXPECT_EQ(again.positions, mesh.positions);
        EXPECT_EQ(again.triangles, mesh.triangles);
        EXPECT_EQ(again.normals, mesh.normals);
        EXPECT_EQ(again.uvs, mesh.uvs);
        EXPECT_EQ(again.colors, mesh.colors);
    }
}

TEST(Ply, ColorsOfBytesStayBytes) {
    Asset asset;
    Mesh& mesh = asset.character.mesh;
    for (int i = 0; i < 256; ++i) {
        mesh.positions.emplace_back(i, 0, 0);
        mesh.colors.emplace_back(linear_from_byte(static_cast<std::uint8_t>(i)), 0, 1,
                                 static_cast<float>(i) / 255);
    }
    mesh.triangles = {{0, 1, 2}};
    const std::string content = write_ply(asset, "test.ply", {}, silent());
    EXPECT_HAS(content, "property uchar red");
    EXPECT_EQ(read_text(content).colors, mesh.colors);
}

}  // namespace ply_test
}  // namespace sinew::io
