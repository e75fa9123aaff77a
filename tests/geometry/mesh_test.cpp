// SPDX-License-Identifier: MIT
#include "sinew/geometry/mesh.h"

#include <limits>

#include "support/shapes.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"

namespace sinew::geometry {
namespace {

using test::cube;

TEST(Mesh, BoxOfNothingAndOfPoints) {
    EXPECT_TRUE(bounds({}).empty());
    EXPECT_EQ(bounds({}).diagonal(), 0);
    EXPECT_EQ(bounds({}).center(), Vec3f(0, 0, 0));
    const Box box = bounds({{1, 2, 3}, {-1, 5, 3}});
    EXPECT_EQ(box.low, Vec3f(-1, 2, 3));
    EXPECT_EQ(box.high, Vec3f(1, 5, 3));
    EXPECT_FLOAT_EQ(box.diagonal(), std::sqrt(13.0f));
}

TEST(Mesh, SignedVolume) {
    const Mesh mesh = cube({5, -3, 100}, 2);
    EXPECT_NEAR(signed_volume(mesh.positions, mesh.triangles), 8, 1e-5);
    std::vector<Triangle> inside_out = mesh.triangles;
    for (Triangle& t : inside_out) std::swap(t[0], t[1]);
    EXPECT_NEAR(signed_volume(mesh.positions, inside_out), -8, 1e-5);
}

TEST(Mesh, NormalsPointOutAndAreUnit) {
    const Mesh mesh = test::torus(48, 32);
    const std::vector<Vec3f> normals = vertex_normals(mesh.positions, mesh.triangles);
    for (std::size_t v = 0; v < normals.size(); ++v) {
        const Vec3f& p = mesh.positions[v];
        const Vec3f ring = 2 * Vec3f(p.x(), p.y(), 0).normalized();
        EXPECT_NEAR(normals[v].norm(), 1, 1e-6);
        EXPECT_GT(normals[v].dot((p - ring).normalized()), 0.99f);
    }
}

TEST(Mesh, NormalsOfSeamsMeetOnlyWhenWelded) {
    // Two triangles at a right angle that share a place but not the vertices.
    const std::vector<Vec3f> positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const std::vector<Triangle> triangles = {{0, 1, 2}, {3, 4, 5}};
    const auto apart = vertex_normals(positions, triangles, false);
    EXPECT_EQ(apart[0], Vec3f(0, 0, 1));
    EXPECT_EQ(apart[3], Vec3f(1, 0, 0));
    const auto together = vertex_normals(positions, triangles, true);
    EXPECT_EQ(together[0], together[3]);
    EXPECT_NEAR(together[0].x(), std::sqrt(0.5f), 1e-6);
    EXPECT_EQ(together[1], Vec3f(0, 0, 1));
}

TEST(Mesh, NormalsOfUnusedAndFlatVerticesAreUnitToo) {
    const std::vector<Vec3f> positions = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {9, 9, 9}};
    for (const Vec3f& n : vertex_normals(positions, {{0, 1, 2}})) EXPECT_NEAR(n.norm(), 1, 1e-6);
}

TEST(Mesh, AppendKeepsBothSidesWhole) {
    Mesh a = cube();
    a.name = "a";
    a.materials.resize(2);
    a.images.resize(1);
    Mesh b = cube({3, 0, 0});
    b.name = "b";
    b.normals = vertex_normals(b.positions, b.triangles);
    b.materials.resize(1);
    b.materials[0].base_color_texture.image = 0;
    b.images.resize(1);
    b.parts = {{"left", 0, 4, 0}, {"right", 4, 8, -1}};
    b.morphs = {{"smile", 2, {{0, 1, 0}}, {}, 0.5f}};
    append(a, b);
    validate(a, "both");
    EXPECT_EQ(a.vertex_count(), 16u);
    EXPECT_EQ(a.triangles.size(), 24u);
    ASSERT_EQ(a.parts.size(), 3u);
    EXPECT_EQ(a.parts[0].count, 12u);
    EXPECT_EQ(a.parts[1].first, 12u);
    EXPECT_EQ(a.parts[1].material, 2);
    EXPECT_EQ(a.parts[2].material, -1);
    EXPECT_EQ(a.materials[2].base_color_texture.image, 1);
    EXPECT_FALSE(a.materials[2].normal_texture.used());
    EXPECT_EQ(a.normals.size(), 16u);
    EXPECT_EQ(a.normals[8], b.normals[0]);
    EXPECT_EQ(a.morphs[0].first, 10u);
    EXPECT_NEAR(signed_volume(a.positions, a.triangles), 2, 1e-5);
}

TEST(Mesh, PartsOfAMeshWithoutParts) {
    const Mesh mesh = cube();
    ASSERT_EQ(parts_of(mesh).size(), 1u);
    EXPECT_EQ(parts_of(mesh)[0].count, 12u);
    EXPECT_EQ(parts_of(mesh)[0].material, -1);
}

/// A mesh that validate accepts, with every optional array filled.
Mesh full_cube() {
    Mesh mesh = cube();
    mesh.normals = vertex_normals(mesh.positions, mesh.triangles);
    mesh.tangents.assign(8, Vec4f(1, 0, 0, 1));
    mesh.colors.assign(8, Vec4f::Ones());
    mesh.uvs[0].assign(8, Vec2f::Zero());
    mesh.uvs[1].assign(8, Vec2f::Zero());
    mesh.materials.resize(1);
    mesh.images.resize(1);
    mesh.materials[0].emissive_texture.image = 0;
    mesh.parts = {{"one", 0, 5, 0}, {"two", 5, 7, -1}};
    mesh.morphs = {{"m", 4, std::vector<Vec3f>(4, Vec3f::Zero()), std::vector<Vec3f>(4, Vec3f::Zero()), 0}};
    return mesh;
}

TEST(Mesh, ValidateRefusesEveryBrokenInvariant) {
    EXPECT_NO_THROW(validate(full_cube(), "m"));
    EXPECT_NO_THROW(validate(Mesh{}, "m"));
    const auto refuses = [](auto&& damage) {
        Mesh mesh = full_cube();
        damage(mesh);
        try {
            validate(mesh, "cube.obj");
        } catch (const Error& error) {
            return error.location() == "cube.obj" && !error.reason().empty();
        }
        return false;
    };
    static constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_TRUE(refuses([](Mesh& m) { m.triangles[3][1] = 8; }));
    EXPECT_TRUE(refuses([](Mesh& m) { m.normals.pop_back(); }));
    EXPECT_TRUE(refuses([](Mesh& m) { m.tangents.pop_back(); }));
    EXPECT_TRUE(refuses([](Mesh& m) { m.colors.emplace_back(); }));
    EXPECT_TRUE(refuses([](Mesh& m) { m.uvs[0].pop_back(); }));
    EXPECT_TRUE(refuses([](Mesh& m) { m.uvs[1].pop_back(); }));
    EXPECT_TRUE(refuses([](Mesh& m) { m.positions[7].y() = nan; }));
    EXPECT_TRUE(refuses([](Mesh& m) { m.positions[0].x() = std::numeric_limits<float>::infinity(); }));
    EXPECT_TRUE(refuses([](Mesh& m) { m.parts[1].first = 6; }));
    EXPECT_TRUE(refuses([](Mesh& m) { m.parts[1].count = 6; }));
    EXPECT_TRUE(refuses([](Mesh& m) { m.parts[0].material = 1; }));
    EXPECT_TRUE(refuses([](Mesh& m) { m.parts[0].material = -2; }));
    EXPECT_TRUE(refuses([](Mesh& m) { m.images.clear(); }));
    EXPECT_TRUE(refuses([](Mesh& m) { m.morphs[0].first = 5; }));
    EXPECT_TRUE(refuses([](Mesh& m) { m.morphs[0].normals.pop_back(); }));
    EXPECT_TRUE(refuses([](Mesh& m) { m.morphs[0].positions[1].z() = nan; }));
    EXPECT_TRUE(refuses([](Mesh& m) { m.morphs[0].weight = nan; }));
}

}  // namespace
}  // namespace sinew::geometry
