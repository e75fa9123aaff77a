// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>
#include <tuple>

#include "support/random.h"
#include "support/shapes.h"
#include <gtest/gtest.h>

#include "sinew/geometry/topology.h"

namespace sinew::geometry {
namespace {

TEST(Adjacency, WeldMapFindsTheFirstTwin) {
    const std::vector<Vec3f> positions = {{0, 1, 2}, {1, 0, 0}, {0, 1, 2}, {-0.0f, 1, 2}, {0, 1, 2.0000002f}};
    EXPECT_EQ(weld_map(positions), (std::vector<std::uint32_t>{0, 1, 0, 0, 4}));
    EXPECT_TRUE(weld_map({}).empty());
}

TEST(Adjacency, WeldMapAgainstBruteForce) {
    test::Random random;
    const auto coordinate = [&] { return 0.1f * static_cast<float>(random.integer(-3, 3)); };
    std::vector<Vec3f> positions;
    for (int i = 0; i < 600; ++i) positions.emplace_back(coordinate(), coordinate(), coordinate());
    const auto map = weld_map(positions);
    for (std::uint32_t v = 0; v < positions.size(); ++v) {
        std::uint32_t first = 0;
        while (positions[first] != positions[v]) ++first;
        EXPECT_EQ(map[v], first);
    }
}

TEST(Adjacency, WeldedReplacesCorners) {
    EXPECT_EQ(welded({{3, 4, 5}}, {0, 1, 2, 0, 4, 1}), (std::vector<Triangle>{{0, 4, 1}}));
}

TEST(Adjacency, VertexTrianglesListEveryCornerOnce) {
    const Mesh mesh = test::torus();
    const Rows rows = vertex_triangles(mesh.vertex_count(), mesh.triangles);
    ASSERT_EQ(rows.size(), mesh.vertex_count());
    for (std::uint32_t v = 0; v < rows.size(); ++v) {
        EXPECT_EQ(rows[v].size(), 6u);
        EXPECT_TRUE(std::is_sorted(rows[v].begin(), rows[v].end()));
        for (const std::uint32_t t : rows[v]) EXPECT_EQ(std::ranges::count(mesh.triangles[t], v), 1);
    }
    EXPECT_EQ(rows.items.size(), mesh.triangles.size() * 3);
}

TEST(Adjacency, NeighborsAgainstSets) {
    test::Random random;
    const auto any = [&] { return static_cast<std::uint32_t>(random.integer(0, 39)); };
    std::vector<Triangle> triangles;  // a soup, with degenerate faces among them
    for (int i = 0; i < 200; ++i) triangles.push_back({any(), any(), any()});
    std::vector<std::set<std::uint32_t>> expected(41);
    for (const Triangle& t : triangles) {
        for (const auto& [a, b] : {std::pair{t[0], t[1]}, {t[1], t[2]}, {t[2], t[0]}}) {
            if (a != b) expected[a].insert(b), expected[b].insert(a);
        }
    }
    const Rows rows = vertex_neighbors(41, triangles);
    for (std::size_t v = 0; v < 41; ++v) EXPECT_TRUE(std::ranges::equal(rows[v], expected[v])) << v;
}

TEST(Adjacency, EdgeTableOfACube) {
    const Mesh mesh = test::cube();
    const EdgeTable table = edge_table(mesh.triangles);
    EXPECT_EQ(table.edges.size(), 18u);
    const auto before = [](const Edge& x, const Edge& y) { return std::tie(x.a, x.b) < std::tie(y.a, y.b); };
    EXPECT_TRUE(std::is_sorted(table.edges.begin(), table.edges.end(), before));
    for (const Edge& edge : table.edges) {
        EXPECT_LT(edge.a, edge.b);
        EXPECT_EQ(edge.count, 2u);
        for (const std::uint32_t t : table.around(edge)) {
            EXPECT_EQ(std::ranges::count(mesh.triangles[t], edge.a), 1);
            EXPECT_EQ(std::ranges::count(mesh.triangles[t], edge.b), 1);
        }
    }
}

TEST(Adjacency, EdgeTableLeavesOutSidesWithoutLength) {
    const EdgeTable table = edge_table({{0, 0, 1}, {2, 2, 2}});
    ASSERT_EQ(table.edges.size(), 1u);
    EXPECT_EQ(table.edges[0].count, 2u);  // the same triangle runs along it twice
    EXPECT_TRUE(edge_table({}).edges.empty());
}

}  // namespace
}  // namespace sinew::geometry
