// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "support/random.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/geometry/topology.h"
#include "sinew/geometry/voxel_solid.h"

namespace sinew::geometry {
namespace {

double ball(const Vec3d& p) {
    return p.norm() - 1;
}

Box cube(float half) {
    Box box;
    box.include(Vec3f::Constant(-half));
    box.include(Vec3f::Constant(half));
    return box;
}

void expect_closed(const Mesh& mesh) {
    const Topology t = topology(mesh);
    EXPECT_TRUE(t.closed);
    EXPECT_TRUE(t.manifold) << t.nonmanifold_edges.size() << " edges, " << t.nonmanifold_vertices.size()
                            << " vertices";
    EXPECT_TRUE(t.oriented);
    EXPECT_EQ(t.degenerate_faces, 0u);
}

/// Random solid voxels with an empty rim; jittered so that no two vertices coincide by chance.
std::vector<float> random_voxels(const Lattice& lattice, test::Random& random, double filling) {
    std::vector<float> values(lattice.size(), 1.0f);
    for (std::size_t k = 1; k + 1 < lattice.points[2]; ++k)
        for (std::size_t j = 1; j + 1 < lattice.points[1]; ++j)
            for (std::size_t i = 1; i + 1 < lattice.points[0]; ++i)
                values[lattice.index(i, j, k)] =
                    static_cast<float>((random.uniform() < filling ? -1 : 1) * random.uniform(0.5, 1.5));
    return values;
}

TEST(SurfaceNets, BallHasGenusZeroAndItsVolume) {
    const Mesh mesh = surface_nets(ball, lattice_over(cube(1), 0.05));
    expect_closed(mesh);
    const Topology t = topology(mesh);
    EXPECT_EQ(t.components, 1u);
    EXPECT_EQ(t.genus, 0);
    EXPECT_NEAR(signed_volume(mesh.positions, mesh.triangles), 4 * math::pi / 3, 0.02);
    for (const Vec3f& p : mesh.positions) EXPECT_NEAR(p.norm(), 1, 0.05 * 0.2);
}

TEST(SurfaceNets, TorusHasGenusOne) {
    const auto torus = [](const Vec3d& p) {
        return Vec3d(std::hypot(p.x(), p.y()) - 1, p.z(), 0).norm() - 0.4;
    };
    const Mesh mesh = surface_nets(torus, lattice_over(cube(1.5f), 0.08));
    expect_closed(mesh);
    EXPECT_EQ(topology(mesh).genus, 1);
    EXPECT_NEAR(signed_volume(mesh.positions, mesh.triangles), 2 * math::pi * math::pi * 0.16, 0.06);
}

TEST(SurfaceNets, RandomVoxelsStayManifold) {
    test::Random random(7);
    Lattice lattice;
    lattice.points = {14, 13, 12};
    for (const double filling : {0.1, 0.3, 0.5, 0.7, 0.9})
        for (int n = 0; n < 6; ++n)
            expect_closed(surface_nets(lattice, random_voxels(lattice, random, filling)));
}

TEST(SurfaceNets, VolumeGrowsWithTheNumberOfVoxels) {
    // Dual cells round the corners off, but the sign and size of the volume must be those of the interior.
    Lattice lattice;
    lattice.points = {8, 8, 8};
    std::vector<float> values(lattice.size(), 1.0f);
    for (std::size_t k = 2; k < 6; ++k)
        for (std::size_t j = 2; j < 6; ++j)
            for (std::size_t i = 2; i < 6; ++i) values[lattice.index(i, j, k)] = -1;
    const Mesh mesh = surface_nets(lattice, values);
    expect_closed(mesh);
    const double volume = signed_volume(mesh.positions, mesh.triangles);
    EXPECT_LT(volume, 64);
    EXPECT_GT(volume, 50);
}

TEST(SurfaceNets, BentLatticeIsFinerWhereItIsDense) {
    Lattice lattice;
    lattice.points = {41, 41, 41};
    lattice.bend = [](const Vec3d& index) {
        const Vec3d u = (index - Vec3d::Constant(20)) / 20;
        return Vec3d(1.4 * u.x() + 0.3 * (u.x() * u.x() - 1), 1.3 * u.y(), 1.3 * u.z());
    };
    const Mesh mesh = surface_nets(ball, lattice);
    expect_closed(mesh);
    EXPECT_NEAR(signed_volume(mesh.positions, mesh.triangles), 4 * math::pi / 3, 0.04);
    const auto left =
        std::count_if(mesh.positions.begin(), mesh.positions.end(), [](const Vec3f& p) { return p.x() < 0; });
    EXPECT_GT(static_cast<double>(left), 0.52 * static_cast<double>(mesh.positions.size()));
}

TEST(SurfaceNets, SkippingBlocksChangesNothing) {
    const Lattice lattice = lattice_over(cube(1.3f), 0.06);
    const Mesh all = surface_nets(ball, lattice), skipped = surface_nets(ball, lattice, 1);
    EXPECT_EQ(all.positions, skipped.positions);
    EXPECT_EQ(all.triangles, skipped.triangles);
}

TEST(SurfaceNets, SameForEveryThreadCount) {
    const Lattice lattice = lattice_over(cube(1), 0.07);
    set_thread_count(1);
    const Mesh one = surface_nets(ball, lattice);
    set_thread_count(4);
    const Mesh four = surface_nets(ball, lattice);
    set_thread_count(0);
    EXPECT_EQ(one.positions, four.positions);
    EXPECT_EQ(one.triangles, four.triangles);
}

TEST(SurfaceNets, OpenWhereTheSolidLeavesTheLattice) {
    const Mesh mesh = surface_nets(ball, lattice_over(cube(0.7f), 0.1));
    const Topology t = topology(mesh);
    EXPECT_FALSE(t.closed);
    EXPECT_TRUE(t.manifold);
}

TEST(SurfaceNets, EmptyAndBadInput) {
    EXPECT_TRUE(surface_nets(ball, lattice_over(Box(), 0.1)).empty());
    Lattice lattice;
    lattice.points = {3, 3, 3};
    EXPECT_TRUE(surface_nets(lattice, std::vector<float>(27, NAN)).empty());
    EXPECT_THROW(surface_nets(lattice, std::vector<float>(26, 1.0f)), Error);
    EXPECT_THROW(lattice_over(cube(1), 0), Error);
    EXPECT_THROW(lattice_over(cube(1), 1e-9), Error);
}

}  // namespace
}  // namespace sinew::geometry
