// SPDX-License-Identifier: MIT
#include "sinew/geometry/voxel_solid.h"

#include "support/shapes.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/geometry/topology.h"

namespace sinew::geometry {
namespace {

/// Volume of the cells inside, without those that the surface only touches.
double volume(const Mesh& mesh, int resolution = 64) {
    const VoxelSolid solid = voxel_solid(mesh, {.resolution = resolution, .with_surface = false});
    return static_cast<double>(solid.count()) * std::pow(solid.cell(), 3);
}

Mesh turned_inside_out(Mesh mesh) {
    for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
    return mesh;
}

TEST(Shells, TwoCubesAndASplitSeam) {
    Mesh mesh = test::cube();
    append(mesh, test::cube(Vec3f(3, 0, 0)));
    EXPECT_EQ(shells_of(mesh).count, 2u);
    EXPECT_EQ(shells_of(mesh).of_triangle.front(), 0u);
    EXPECT_EQ(shells_of(mesh).of_vertex.back(), 1u);
    // A third cube whose corner lies on a corner of the first is one shell with it.
    append(mesh, test::cube(Vec3f(1, 1, 1)));
    EXPECT_EQ(shells_of(mesh).count, 2u);
}

TEST(VoxelSolid, VolumeOfCubes) {
    EXPECT_NEAR(volume(test::cube()), 1, 0.05);
    EXPECT_NEAR(volume(turned_inside_out(test::cube())), 1, 0.05);
    Mesh overlapping = test::cube();
    append(overlapping, turned_inside_out(test::cube(Vec3f(0.5f, 0, 0))));
    EXPECT_NEAR(volume(overlapping), 1.5, 0.08) << "the union, whichever way the shells are turned";
}

TEST(VoxelSolid, AnOpenBoxIsStillSolid) {
    Mesh open = test::cube();
    open.triangles.resize(10);  // one side is missing
    EXPECT_NEAR(volume(open), 1, 0.25);
}

TEST(VoxelSolid, AHollowShellIsFilled) {
    Mesh hollow = test::cube(Vec3f::Zero(), 2);
    append(hollow, turned_inside_out(test::cube()));
    EXPECT_NEAR(volume(hollow), 8, 0.4);
}

TEST(VoxelSolid, AThinSheetKeepsItsCells) {
    Mesh sheet;
    sheet.positions = {Vec3f(0, 0, 0), Vec3f(1, 0, 0), Vec3f(1, 1, 0), Vec3f(0, 1, 0)};
    test::add_quad(sheet, 0, 1, 2, 3);
    EXPECT_GT(voxel_solid(sheet, {.resolution = 32}).count(), 30u * 30u);
    EXPECT_EQ(voxel_solid(sheet, {.resolution = 32, .with_surface = false}).count(), 0u);
}

/// Open sheets across x, one behind the other: one near, six far.
Mesh sheets() {
    Mesh mesh;
    for (const float x : {0.0f, 0.6f, 0.68f, 0.76f, 0.84f, 0.92f, 1.0f}) {
        const auto first = static_cast<std::uint32_t>(mesh.positions.size());
        for (const auto& [y, z] : {std::pair(0, 0), {1, 0}, {1, 1}, {0, 1}})
            mesh.positions.push_back(Vec3f(x, static_cast<float>(y), static_cast<float>(z)));
        test::add_quad(mesh, first, first + 1, first + 2, first + 3);
    }
    return mesh;
}

TEST(VoxelSolid, NoCellOfTheBorderIsInside) {
    for (const bool centered : {false, true}) {
        const VoxelSolid solid = voxel_solid(sheets(), {.resolution = 32, .centered = centered});
        const auto& points = solid.lattice.points;
        std::size_t at_border = 0;
        for (std::size_t k = 0; k < points[2]; ++k)
            for (std::size_t j = 0; j < points[1]; ++j)
                for (const std::size_t i : {std::size_t{0}, points[0] - 1})
                    at_border += solid.contains(i, j, k);
        EXPECT_EQ(at_border, 0u);
    }
}

TEST(VoxelSolid, SheetsOneBehindTheOtherDoNotOutvoteOtherDirections) {
    const VoxelSolid solid = voxel_solid(sheets(), {.resolution = 32, .with_surface = false});
    EXPECT_FALSE(solid.contains(math::Vec3d(0.3, 0.5, 0.5))) << "open on four sides of six";
}

TEST(VoxelSolid, ContainsPoints) {
    const VoxelSolid solid = voxel_solid(test::cube());
    EXPECT_TRUE(solid.contains(math::Vec3d(0, 0, 0)));
    EXPECT_TRUE(solid.contains(math::Vec3d(0.45, 0.45, -0.45)));
    EXPECT_FALSE(solid.contains(math::Vec3d(0.55, 0, 0)));
    EXPECT_FALSE(solid.contains(math::Vec3d(100, 0, 0)));
    EXPECT_FALSE(solid.contains(math::Vec3d(std::nan(""), 0, 0)));
}

TEST(VoxelSolid, DistancesAgreeWithBruteForce) {
    const VoxelSolid solid = voxel_solid(test::cube(), {.resolution = 10});
    const std::vector<float> distance = signed_distance(solid);
    const Lattice& lattice = solid.lattice;
    const auto place = [&](std::size_t i) {
        return lattice.point(Vec3d(static_cast<double>(i % lattice.points[0]),
                                   static_cast<double>(i / lattice.points[0] % lattice.points[1]),
                                   static_cast<double>(i / lattice.points[0] / lattice.points[1])));
    };
    for (std::size_t i = 0; i < distance.size(); i += 7) {
        double best = 1e9;
        for (std::size_t j = 0; j < distance.size(); ++j) {
            if (solid.inside[j] != solid.inside[i]) best = std::min(best, (place(i) - place(j)).norm());
        }
        const double expected = (best - 0.5 * solid.cell()) * (solid.inside[i] != 0 ? -1 : 1);
        EXPECT_NEAR(distance[i], expected, 1e-5);
    }
}

TEST(VoxelSolid, ItsSurfaceIsClosedAndOfTheLargestPart) {
    Mesh two = test::cube();
    append(two, test::cube(Vec3f(3, 0, 0), 0.4f));
    const VoxelSolid solid = voxel_solid(two, {.resolution = 64});
    const Mesh largest = surface_of(solid);
    EXPECT_TRUE(topology(largest).closed);
    EXPECT_TRUE(topology(largest).manifold);
    EXPECT_EQ(topology(largest).components, 1u);
    EXPECT_EQ(topology(surface_of(solid, false)).components, 2u);
}

TEST(VoxelSolid, NothingToFill) {
    EXPECT_THROW(voxel_solid(Mesh{}), Error);
    Mesh point;
    point.positions.assign(3, Vec3f(1, 1, 1));
    point.triangles = {{0, 1, 2}};
    EXPECT_THROW(voxel_solid(point), Error);
}

}  // namespace
}  // namespace sinew::geometry
