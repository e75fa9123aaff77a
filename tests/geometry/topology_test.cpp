// SPDX-License-Identifier: MIT
#include "sinew/geometry/topology.h"

#include "support/shapes.h"
#include <gtest/gtest.h>

namespace sinew::geometry {
namespace {

TEST(Topology, Cube) {
    const Topology t = topology(test::cube());
    EXPECT_EQ(t.vertices, 8u);
    EXPECT_EQ(t.edges, 18u);
    EXPECT_EQ(t.faces, 12u);
    EXPECT_EQ(t.components, 1u);
    EXPECT_EQ(t.euler, 2);
    EXPECT_TRUE(t.closed && t.manifold && t.oriented);
    EXPECT_EQ(t.genus.value_or(-1), 0);
    EXPECT_EQ(t.border_loops, 0u);
}

TEST(Topology, TorusHasGenusOne) {
    const Topology t = topology(test::torus());
    EXPECT_EQ(t.euler, 0);
    EXPECT_EQ(t.genus.value_or(-1), 1);
}

TEST(Topology, SeveralShells) {
    Mesh mesh = test::cube();
    append(mesh, test::torus());
    append(mesh, test::cube({9, 0, 0}));
    const Topology t = topology(mesh);
    EXPECT_EQ(t.components, 3u);
    EXPECT_TRUE(t.closed && t.manifold);
    EXPECT_EQ(t.genus.value_or(-1), 1);
}

TEST(Topology, OpenSheetAndTube) {
    const Topology t = topology(test::sheet(4, 3));
    EXPECT_FALSE(t.closed);
    EXPECT_TRUE(t.manifold && t.oriented);
    EXPECT_FALSE(t.genus);
    EXPECT_EQ(t.border_edges, 10u);
    EXPECT_EQ(t.border_loops, 1u);
    EXPECT_EQ(t.euler, 1);
    EXPECT_EQ(topology(test::tube(3, 8, 1, 1)).border_loops, 2u);
}

TEST(Topology, EdgeWithThreeFacesIsNamed) {
    Mesh mesh;
    mesh.positions = {{9, 9, 9}, {0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}};
    mesh.triangles = {{1, 2, 3}, {2, 1, 4}, {1, 2, 5}};
    const Topology t = topology(mesh);
    EXPECT_FALSE(t.manifold);
    ASSERT_EQ(t.nonmanifold_edges.size(), 1u);
    EXPECT_EQ(t.nonmanifold_edges[0], (std::array<std::uint32_t, 2>{1, 2}));
    EXPECT_TRUE(t.nonmanifold_vertices.empty());
    EXPECT_EQ(t.isolated_vertices, 1u);
}

TEST(Topology, BowTieVertexIsNamed) {
    Mesh mesh;
    mesh.positions = {{1, 0, 0}, {1, 1, 0}, {0, 0, 0}, {-1, 0, 0}, {-1, -1, 0}};
    mesh.triangles = {{2, 0, 1}, {2, 3, 4}};
    const Topology t = topology(mesh);
    EXPECT_FALSE(t.manifold);
    EXPECT_EQ(t.nonmanifold_vertices, (std::vector<std::uint32_t>{2}));
    EXPECT_TRUE(t.nonmanifold_edges.empty());
    EXPECT_EQ(t.components, 1u);
}

TEST(Topology, TwoCubesAtACornerAreClosedButNotManifold) {
    Mesh mesh = test::cube({0, 0, 0});
    append(mesh, test::cube({1, 1, 1}));
    const Topology t = topology(mesh);
    EXPECT_EQ(t.duplicate_vertices, 1u);
    EXPECT_TRUE(t.closed);
    EXPECT_FALSE(t.manifold);
    EXPECT_EQ(t.nonmanifold_vertices, (std::vector<std::uint32_t>{7}));
    EXPECT_FALSE(t.genus);
}

TEST(Topology, MoebiusStripCannotBeOriented) {
    Mesh mesh;
    for (int i = 0; i < 12; ++i) {
        for (int j = 0; j < 3; ++j) {
            const double a = 2 * math::pi * i / 12, across = 0.3 * (j - 1);
            const double r = 1 + across * std::cos(a / 2);
            const Vec3d p(r * std::cos(a), r * std::sin(a), across * std::sin(a / 2));
            mesh.positions.emplace_back(p.cast<float>());
        }
    }
    mesh.triangles = test::grid(12, 3, true, false, true);
    const Topology t = topology(mesh);
    EXPECT_FALSE(t.oriented);
    EXPECT_TRUE(t.manifold);
    EXPECT_FALSE(t.closed);
    EXPECT_FALSE(t.genus);
    EXPECT_EQ(t.border_loops, 1u);  // a Moebius strip has one edge
    EXPECT_EQ(t.euler, 0);
}

TEST(Topology, OneFaceTurnedInsideOutIsNoticed) {
    Mesh mesh = test::cube();
    std::swap(mesh.triangles[5][0], mesh.triangles[5][1]);
    EXPECT_FALSE(topology(mesh).oriented);
    EXPECT_FALSE(topology(mesh).genus);
}

TEST(Topology, SeamsAreWelded) {
    // A cube whose twelve triangles share no vertex is still one closed surface.
    const Mesh whole = test::cube();
    Mesh split;
    for (const Triangle& t : whole.triangles) {
        const auto first = static_cast<std::uint32_t>(split.positions.size());
        for (const std::uint32_t v : t) split.positions.push_back(whole.positions[v]);
        split.triangles.push_back({first, first + 1, first + 2});
    }
    const Topology t = topology(split);
    EXPECT_EQ(t.duplicate_vertices, 28u);
    EXPECT_EQ(t.vertices, 8u);
    EXPECT_TRUE(t.closed && t.manifold && t.oriented);
    EXPECT_EQ(t.genus.value_or(-1), 0);
}

TEST(Topology, DegenerateFacesAreLeftOut) {
    Mesh mesh = test::cube();
    mesh.triangles.push_back({0, 0, 1});
    mesh.positions.push_back(mesh.positions[3]);
    mesh.triangles.push_back({3, 8, 1});  // degenerate only after welding
    const Topology t = topology(mesh);
    EXPECT_EQ(t.degenerate_faces, 2u);
    EXPECT_EQ(t.faces, 12u);
    EXPECT_TRUE(t.closed && t.manifold);
}

TEST(Topology, Nothing) {
    const Topology t = topology(Mesh{});
    EXPECT_FALSE(t.closed);
    EXPECT_EQ(t.components, 0u);
    EXPECT_FALSE(t.genus);
}

}  // namespace
}  // namespace sinew::geometry
