#include "sinew/render/gl/mesh.h"

#include "render/scenes.h"
#include <gtest/gtest.h>


namespace sinew::render {
namespace {

using gl::facing_of, gl::is_inside_out, gl::Facing, gl::SmoothNormals;

void flip(geometry::Mesh& mesh) {
    for (geometry::Triangle& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
}

TEST(Facing, ClosedMeshesKnowTheirOutside) {
    geometry::Mesh tube = test::bent_tube().mesh;
    EXPECT_EQ(facing_of(tube), Facing::outward);
    EXPECT_FALSE(is_inside_out(tube.positions, tube.triangles));
    flip(tube);
    EXPECT_EQ(facing_of(tube), Facing::inward);
    EXPECT_TRUE(is_inside_out(tube.positions, tube.triangles));
}

TEST(Facing, OpenEmptyOrMixedMeshesDoNot) {
    geometry::Mesh tube = test::bent_tube().mesh;
    geometry::Mesh flipped = tube;
    flip(flipped);
    for (auto& position : flipped.positions) position.x() += 3;
    geometry::Mesh both = tube;
    geometry::append(both, flipped);
    EXPECT_EQ(facing_of(both), Facing::any) << "one shell outward, one inward";
    tube.triangles.pop_back();
    EXPECT_EQ(facing_of(tube), Facing::any);
    EXPECT_EQ(facing_of(test::quad(-1, -1, 1, 1)), Facing::any);
    EXPECT_EQ(facing_of(geometry::Mesh{}), Facing::any);
    EXPECT_FALSE(is_inside_out({}, {}));
}

TEST(SmoothNormals, SeamsAreInvisibleAndHardEdgesStayHard) {
    // A roof of two rectangles whose ridge vertices are split.
    geometry::Mesh roof;
    roof.positions = {{-1, 0, 0}, {-1, 0, 1}, {0, 1, 1}, {0, 1, 0},
                      {0, 1, 0},  {0, 1, 1},  {1, 0, 1}, {1, 0, 0}};
    roof.triangles = {{0, 1, 2}, {0, 2, 3}, {4, 5, 7}, {5, 6, 7}};
    std::vector<geometry::Vec3f> normals;
    SmoothNormals(roof).compute(roof.positions, normals);
    EXPECT_TRUE(normals[2].isApprox(geometry::Vec3f::UnitY(), 1e-6f));
    EXPECT_EQ(normals[2], normals[5]);
    EXPECT_TRUE(normals[0].isApprox(geometry::Vec3f(-1, 1, 0).normalized(), 1e-6f));
    roof.normals.assign(4, geometry::Vec3f(-1, 1, 0).normalized());
    roof.normals.insert(roof.normals.end(), 4, geometry::Vec3f(1, 1, 0).normalized());
    SmoothNormals(roof).compute(roof.positions, normals);
    EXPECT_TRUE(normals[2].isApprox(roof.normals[2], 1e-6f)) << "the file's normals say it is an edge";
}

}  // namespace
}  // namespace sinew::render
