// SPDX-License-Identifier: MIT
// Reeb graph and thinning: what our own methods are compared with.

#include "sinew/published/curve_methods.h"

#include <algorithm>

#include "rig/bodies.h"
#include "support/random.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/published/skeletonize.h"
#include "sinew/rig/curve/skeleton_quality.h"

namespace sinew::published {
namespace {

SkeletonQuality quality_of(published::SkeletonMethod method, const geometry::Mesh& mesh) {
    published::SkeletonizeOptions options;
    options.method = method;
    const SkeletonizeResult result = published::skeletonize(mesh, options);
    EXPECT_EQ(result.method_name, published::name_of(method));
    return result.quality;
}

SkeletonQuality silhouette_quality(const geometry::Mesh& mesh) {
    rig::SkeletonizeOptions options;
    options.method = rig::SkeletonMethod::silhouette;
    return rig::skeletonize(mesh, options).quality;
}

/// The other methods find the limbs as well, but off their middle and with more turns.
void expect_worse_than_silhouette(const geometry::Mesh& mesh, int ends) {
    const SkeletonQuality ours = silhouette_quality(mesh);
    for (const SkeletonMethod method : {SkeletonMethod::reeb, SkeletonMethod::thinning}) {
        const SkeletonQuality quality = quality_of(method, mesh);
        EXPECT_EQ(quality.topology.ends, ends) << name_of(method);
        EXPECT_EQ(quality.topology.pieces, 1) << name_of(method);
        EXPECT_EQ(quality.inside_fraction, 1) << name_of(method);
        EXPECT_GT(quality.centredness.limb_mean, 1.5 * ours.centredness.limb_mean) << name_of(method);
        EXPECT_GT(quality.turning, 1.2 * ours.turning) << name_of(method);
    }
}

TEST(ComparisonSkeletons, AYHasThreeEndsByEveryMethodAndTheSilhouetteIsBetterCentred) {
    expect_worse_than_silhouette(test::body_of(test::y_tube()), 3);
}

TEST(ComparisonSkeletons, AGloveHasItsFingersAndTheSilhouetteIsBetterCentred) {
    expect_worse_than_silhouette(test::body_of(test::glove(), 0.06), 6);
}

TEST(ComparisonSkeletons, TheReebGraphOfARingHasARing) {
    EXPECT_EQ(topology_of(reeb_skeleton(test::torus())).rings, 1);
    EXPECT_EQ(topology_of(thinning_skeleton(test::torus())).rings, 0) << "a tree";
}

TEST(ComparisonSkeletons, EveryVertexHasANode) {
    const geometry::Mesh mesh = test::body_of(test::y_tube());
    for (const CurveSkeleton& curve : {reeb_skeleton(mesh), thinning_skeleton(mesh)}) {
        ASSERT_EQ(curve.node_of_vertex.size(), mesh.positions.size());
        EXPECT_GE(*std::ranges::min_element(curve.node_of_vertex), 0);
    }
}

TEST(ComparisonSkeletons, HardInputsGiveASkeletonOrAReason) {
    geometry::Mesh triangle;
    triangle.positions = {geometry::Vec3f(0, 0, 0), geometry::Vec3f(1, 0, 0), geometry::Vec3f(0, 1, 0)};
    triangle.triangles = {{0, 1, 2}};
    geometry::Mesh two = test::cube();
    geometry::append(two, test::cube(geometry::Vec3f(5, 0, 0)));
    for (const geometry::Mesh& mesh : {triangle, two, test::cube(), test::sheet()}) {
        EXPECT_FALSE(reeb_skeleton(mesh).empty());
        EXPECT_FALSE(thinning_skeleton(mesh).empty());
    }
    EXPECT_THROW(reeb_skeleton(geometry::Mesh{}), Error);
    EXPECT_THROW(thinning_skeleton(geometry::Mesh{}), Error);
}

constexpr CellBits bit(int i, int j, int k) {
    return CellBits{1} << (i + 1 + 3 * (j + 1) + 9 * (k + 1));
}

TEST(Thinning, SimpleCellsAreKnown) {
    EXPECT_TRUE(is_simple(bit(1, 0, 0))) << "the end of a curve";
    EXPECT_TRUE(is_simple(bit(1, 0, 0) | bit(1, 1, 0))) << "a corner of something";
    EXPECT_FALSE(is_simple(0)) << "all there is";
    EXPECT_FALSE(is_simple(bit(1, 0, 0) | bit(-1, 0, 0))) << "the inside of a curve";
    EXPECT_FALSE(is_simple((CellBits{1} << 27) - 1)) << "the inside of a solid";
    CellBits sheet = 0, wall = 0;
    for (int i = -1; i <= 1; ++i) {
        for (int j = -1; j <= 1; ++j) {
            sheet |= bit(i, j, 0);
            wall |= bit(i, j, 0) | bit(i, j, 1);
        }
    }
    EXPECT_FALSE(is_simple(sheet)) << "a hole would come into the sheet";
    EXPECT_TRUE(is_simple(wall)) << "the face of a solid";
}

/// Bodies, and cavities and tunnels by the number of Euler: cells as closed cubes.
struct Invariants {
    int parts = 0, euler = 0;
    bool operator==(const Invariants&) const = default;
};

geometry::VoxelSolid solid_of(std::size_t size) {
    geometry::VoxelSolid solid;
    solid.lattice.points = {size, size, size};
    solid.inside.assign(size * size * size, 0);
    return solid;
}

Invariants invariants(const geometry::VoxelSolid& solid) {
    const std::size_t n = solid.lattice.points[0];
    Invariants out;
    // Vertices - edges + squares + ... of all cells: each element counts once, by parity of its place.
    for (std::size_t k = 1; k < 2 * n; ++k) {
        for (std::size_t j = 1; j < 2 * n; ++j) {
            for (std::size_t i = 1; i < 2 * n; ++i) {
                bool is_there = false;
                for (std::size_t c = 0; c < 8; ++c) {
                    const std::size_t x = i - (i % 2 == 0 ? c % 2 : 0), y = j - (j % 2 == 0 ? c / 2 % 2 : 0),
                                      z = k - (k % 2 == 0 ? c / 4 : 0);
                    is_there = is_there ||
                               (x / 2 < n && y / 2 < n && z / 2 < n && solid.contains(x / 2, y / 2, z / 2));
                }
                const int odd = static_cast<int>(i % 2 + j % 2 + k % 2);
                if (is_there) out.euler += odd % 2 == 0 ? 1 : -1;
            }
        }
    }
    std::vector<std::uint8_t> left = solid.inside;
    for (std::size_t seed = 0; seed < left.size(); ++seed) {
        if (left[seed] == 0) continue;
        ++out.parts;
        std::vector<std::size_t> queue = {seed};
        left[seed] = 0;
        while (!queue.empty()) {
            const std::size_t cell = queue.back();
            queue.pop_back();
            for (std::size_t d = 0; d < 27; ++d) {
                const std::size_t next = cell + d % 3 + n * (d / 3 % 3) + n * n * (d / 9) - 1 - n - n * n;
                if (next >= left.size() || left[next] == 0) continue;
                left[next] = 0;
                queue.push_back(next);
            }
        }
    }
    return out;
}

TEST(Thinning, RandomSolidsKeepTheirTopology) {
    test::Random random(7);
    for (int round = 0; round < 20; ++round) {
        geometry::VoxelSolid solid = solid_of(12);
        for (std::size_t k = 1; k < 11; ++k) {
            for (std::size_t j = 1; j < 11; ++j) {
                for (std::size_t i = 1; i < 11; ++i) {
                    solid.inside[solid.lattice.index(i, j, k)] = random.uniform(0, 1) < 0.3 + 0.03 * round;
                }
            }
        }
        geometry::VoxelSolid thin = solid_of(12);
        for (const std::size_t cell : thinned(solid)) {
            EXPECT_NE(solid.inside[cell], 0) << "nothing is added";
            thin.inside[cell] = 1;
        }
        EXPECT_EQ(invariants(thin), invariants(solid)) << round;
    }
}

TEST(Thinning, ABarBecomesALine) {
    geometry::VoxelSolid solid = solid_of(16);
    for (std::size_t k = 6; k < 9; ++k) {
        for (std::size_t j = 6; j < 9; ++j) {
            for (std::size_t i = 1; i < 15; ++i) solid.inside[solid.lattice.index(i, j, k)] = 1;
        }
    }
    const std::vector<std::size_t> line = thinned(solid);
    EXPECT_GE(line.size(), 11u);
    EXPECT_LE(line.size(), 16u);
    for (const std::size_t cell : line) EXPECT_NEAR(static_cast<double>(cell / 16 % 16), 7, 1);
}

}  // namespace
}  // namespace sinew::published
