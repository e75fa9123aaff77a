// SPDX-License-Identifier: MIT
#include "sinew/geometry/detail/line_crossings.h"

#include <random>

#include "support/shapes.h"
#include <gtest/gtest.h>

#include "sinew/geometry/surface_queries.h"

namespace sinew::geometry {
namespace {

/// Where the lines lie: off the lattice by a little.
double line(const Lattice& lattice, int axis, std::size_t i) {
    const double off = lattice.step.x() * (axis == 0 ? 1.7e-4 : axis == 1 ? 2.9e-4 : 2.3e-4);
    return static_cast<double>(
        static_cast<float>(lattice.origin[axis] + lattice.step[axis] * static_cast<double>(i) + off));
}

std::vector<std::int8_t> votes_of(const Lattice& lattice, const Mesh& mesh, std::size_t axis) {
    const std::vector<std::int8_t> outwards(mesh.triangles.size(), 1);
    std::vector<std::int8_t> votes(lattice.size());
    LineCrossings(lattice, mesh, outwards).vote(axis, votes);
    return votes;
}

TEST(LineCrossings, EdgesAndCornersOnLinesCountOnce) {
    Box box;
    box.include(Vec3f(-1, -1, -1));
    box.include(Vec3f(1, 1, 1));
    const Lattice lattice = lattice_over(box, 0.25);
    // A cube from line 2 to line 6 of every axis: its sides, its diagonals and its corners lie on lines.
    Mesh mesh = test::cube();
    for (Vec3f& p : mesh.positions)
        for (int a = 0; a < 3; ++a) p[a] = static_cast<float>(line(lattice, a, p[a] > 0 ? 6 : 2));
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::vector<std::int8_t> votes = votes_of(lattice, mesh, axis);
        int inside = 0;
        for (std::size_t k = 0; k < lattice.points[2]; ++k)
            for (std::size_t j = 0; j < lattice.points[1]; ++j)
                for (std::size_t i = 0; i < lattice.points[0]; ++i) {
                    const int vote = votes[lattice.index(i, j, k)];
                    // Whole or not at all: an edge that counted twice, or never, would leave one direction
                    // alone.
                    ASSERT_TRUE(vote == 0 || vote == 2) << axis << ": " << i << " " << j << " " << k;
                    inside += vote / 2;
                    const auto within = [](std::size_t n) { return n > 2 && n < 6; };
                    if (within(i) && within(j) && within(k)) {
                        ASSERT_EQ(vote, 2);
                    }
                }
        // Four cells along the axis; across it the sides are on the lines: each belongs to one of two.
        EXPECT_EQ(inside % 4, 0);
        EXPECT_GE(inside, 4 * 9);
        EXPECT_LE(inside, 4 * 25);
    }
}

TEST(LineCrossings, AgreeWithRays) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> place(-1, 1);
    Mesh mesh;
    for (int t = 0; t < 60; ++t) {
        const auto v = static_cast<std::uint32_t>(mesh.positions.size());
        const Vec3f center(place(random), place(random), place(random));
        for (int c = 0; c < 3; ++c)
            mesh.positions.emplace_back(center + 0.5f * Vec3f(place(random), place(random), place(random)));
        mesh.triangles.push_back({v, v + 1, v + 2});
    }
    const Lattice lattice = lattice_over(bounds(mesh.positions), 0.07);
    const SurfaceQueries surface(mesh);
    std::vector<RayHit> hits;
    std::size_t wrong = 0, crossed = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const std::vector<std::int8_t> votes = votes_of(lattice, mesh, static_cast<std::size_t>(axis));
        for (std::size_t k = 0; k < lattice.points[2]; ++k)
            for (std::size_t j = 0; j < lattice.points[1]; ++j)
                for (std::size_t i = 0; i < lattice.points[0]; ++i) {
                    const std::size_t at[] = {i, j, k};
                    Vec3f origin, direction = Vec3f::Zero();
                    direction[axis] = 1;
                    for (int a = 0; a < 3; ++a)
                        origin[a] = static_cast<float>(line(lattice, a, a == axis ? 0 : at[a]));
                    const float here = static_cast<float>(at[axis]) * static_cast<float>(lattice.step[axis]);
                    surface.all_hits(origin, direction, hits);
                    int before = 0, beyond = 0;
                    for (const RayHit& hit : hits)
                        (hit.distance <= here ? before : beyond) += hit.entering ? 1 : -1;
                    const int want = std::clamp(before, -1, 1) + std::clamp(-beyond, -1, 1);
                    crossed += hits.empty() ? 0 : 1;
                    wrong += votes[lattice.index(i, j, k)] != want ? 1 : 0;
                }
    }
    EXPECT_GT(crossed, 10000u);
    EXPECT_EQ(wrong, 0u);
}

}  // namespace
}  // namespace sinew::geometry
