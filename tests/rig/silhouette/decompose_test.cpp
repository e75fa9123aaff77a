// SPDX-License-Identifier: MIT
#include "sinew/rig/silhouette/decompose.h"

#include <numeric>

#include "rig/bodies.h"
#include <gtest/gtest.h>

namespace sinew::rig {
namespace {

constexpr double thick = 1, thin = 0.1;

/// A thick arm along y and a thin finger that leaves its side.
std::vector<test::Limb> arm_and_finger() {
    return {{{0, -3, 0}, {0, 3, 0}, thick}, {{0, 0, 0}, {3, 0, 0}, thin}};
}

MedialGraph::Branch line(const Vec3d& from, const Vec3d& to, double radius, std::array<int, 2> ends) {
    MedialGraph::Branch out;
    out.ends = ends;
    for (int i = 0; i <= 60; ++i) out.nodes.push_back({from + (to - from) * i / 60, radius});
    return out;
}

/// Branch 2 is the finger; it starts where it leaves the arm.
MedialGraph graph_of_arm() {
    MedialGraph graph;
    graph.junctions.push_back({Vec3d::Zero(), thick});
    graph.branches.push_back(line({0, -3, 0}, {0, -0.1, 0}, thick, {-1, 0}));
    graph.branches.push_back(line({0, 0.1, 0}, {0, 3, 0}, thick, {0, -1}));
    graph.branches.push_back(line({1, 0, 0}, {3, 0, 0}, thin, {0, -1}));
    return graph;
}

/// Part of the vertices whose part, arm or finger, is not the one whose surface they lie on.
double wrong(const Decomposition& parts, const WeldedSurface& surface) {
    const auto limbs = arm_and_finger();
    std::size_t count = 0;
    for (std::size_t v = 0; v < surface.positions.size(); ++v) {
        const Vec3d& at = surface.positions[v];
        const bool finger = limbs[1].distance(at) - thin < limbs[0].distance(at) - thick;
        count += finger != (parts.branch[v] == 2);
    }
    return static_cast<double>(count) / static_cast<double>(surface.positions.size());
}

Decomposition decomposed(const WeldedSurface& surface, DecompositionCost cost) {
    return decompose(graph_of_arm(), surface, cost);
}

TEST(Decompose, RatioTellsAThickArmFromAThinFinger) {
    const WeldedSurface surface = welded_surface(test::body_of(arm_and_finger(), 0.05));
    const double ratio = wrong(decomposed(surface, DecompositionCost::ratio), surface);
    const double nearest = wrong(decomposed(surface, DecompositionCost::nearest), surface);
    EXPECT_LT(ratio, 0.01);
    EXPECT_GT(nearest, 0.01) << "the finger's axis is near to the skin of the arm";
    EXPECT_GT(nearest, ratio);
    for (const auto cost : {DecompositionCost::signed_diff, DecompositionCost::abs_diff}) {
        EXPECT_LT(wrong(decomposed(surface, cost), surface), nearest);
    }
}

TEST(Decompose, NumberingOfTheVerticesDoesNotMatter) {
    const geometry::Mesh mesh = test::body_of(arm_and_finger(), 0.1);
    std::vector<std::uint32_t> place(mesh.positions.size());
    std::iota(place.begin(), place.end(), 0u);
    std::mt19937 engine(3);
    std::ranges::shuffle(place, engine);
    geometry::Mesh shuffled = mesh;
    for (std::size_t v = 0; v < place.size(); ++v) shuffled.positions[place[v]] = mesh.positions[v];
    for (Triangle& t : shuffled.triangles) {
        for (auto& v : t) v = place[v];
    }
    std::ranges::reverse(shuffled.triangles);
    const Decomposition a = decomposed(welded_surface(mesh), DecompositionCost::ratio);
    const Decomposition b = decomposed(welded_surface(shuffled), DecompositionCost::ratio);
    std::size_t different = 0;
    for (std::size_t v = 0; v < place.size(); ++v) different += a.branch[v] != b.branch[place[v]];
    EXPECT_EQ(different, 0u);
}

TEST(Decompose, LabelsReachOnlyBranchesThatMeet) {
    // A U. The upper part of its right arm claims a radius that makes it look better to the inner side of the
    // left arm than that arm's own axis; but they do not meet.
    const std::vector<test::Limb> limbs{
        {{0, 0, 0}, {0, 4, 0}, 0.2}, {{1, 0, 0}, {1, 4, 0}, 0.2}, {{0, 0, 0}, {1, 0, 0}, 0.2}};
    MedialGraph graph;
    graph.junctions = {{Vec3d(0, 0, 0), 0.2}, {Vec3d(1, 0, 0), 0.2}, {Vec3d(1, 1.9, 0), 0.2}};
    graph.branches.push_back(line({0, 0.2, 0}, {0, 3.9, 0}, 0.2, {0, -1}));
    graph.branches.push_back(line({1, 2, 0}, {1, 3.9, 0}, 0.85, {2, -1}));
    graph.branches.push_back(line({0.1, 0, 0}, {0.9, 0, 0}, 0.2, {0, 1}));
    graph.branches.push_back(line({1, 0.2, 0}, {1, 1.8, 0}, 0.2, {1, 2}));
    const WeldedSurface surface = welded_surface(test::body_of(limbs, 0.08));
    const Decomposition parts = decompose(graph, surface);
    std::size_t stolen = 0, tempted = 0;
    for (std::size_t v = 0; v < surface.positions.size(); ++v) {
        const Vec3d& at = surface.positions[v];
        if (at.x() > 0.3 || at.y() < 0.8) continue;
        tempted += at.y() > 2 && at.y() < 3.9 && Vec3d(at.x() - 1, 0, at.z()).norm() / 0.85 < 0.95;
        stolen += parts.branch[v] == 1;
    }
    EXPECT_GT(tempted, 20u);
    EXPECT_EQ(stolen, 0u);
}

TEST(Decompose, OutlineSeedsTheBranchItTouches) {
    const WeldedSurface surface = welded_surface(test::body_of(arm_and_finger(), 0.1));
    const Projection projection = test::seen_along_z(surface);
    const Silhouette outline = find_silhouette(surface, projection);
    const MedialGraph graph = graph_of_arm();
    const std::vector<Seed> seeds = silhouette_seeds(graph, outline, projection.frame);
    ASSERT_GT(seeds.size(), 50u);
    std::size_t fingers = 0;
    for (const Seed& seed : seeds) {
        const Vec3d& at = surface.positions[seed.vertex];
        fingers += seed.branch == 2;
        if (at.x() > 0.9 && at.x() < 1.05) continue;  // where they meet
        const int arm = at.y() < 0 ? 0 : 1;
        EXPECT_EQ(seed.branch, at.x() > 1 ? 2 : arm) << at.transpose();
    }
    EXPECT_GT(fingers, 10u);
    EXPECT_LT(wrong(decompose(graph, surface, {}, seeds), surface), 0.01);
}

TEST(Decompose, EveryLabelIsOnePatchAndNodesBelongToTheirBranch) {
    const geometry::Mesh mesh = test::body_of(arm_and_finger(), 0.1);
    const WeldedSurface surface = welded_surface(mesh);
    const MedialGraph graph = graph_of_arm();
    const Decomposition parts = decompose(graph, surface);
    const auto neighbors = geometry::vertex_neighbors(surface.positions.size(), surface.triangles);
    for (int label = 0; label < 3; ++label) {
        std::vector<char> seen(parts.branch.size(), 0);
        int patches = 0;
        for (std::uint32_t start = 0; start < seen.size(); ++start) {
            if (seen[start] != 0 || parts.branch[start] != label) continue;
            ++patches;
            std::vector<std::uint32_t> stack{start};
            seen[start] = 1;
            while (!stack.empty()) {
                const std::uint32_t v = stack.back();
                stack.pop_back();
                for (const std::uint32_t n : neighbors[v]) {
                    if (seen[n] != 0 || parts.branch[n] != label) continue;
                    seen[n] = 1;
                    stack.push_back(n);
                }
            }
        }
        EXPECT_EQ(patches, 1) << label;
    }
    const auto numbers = curve_nodes_of(graph);
    for (std::size_t v = 0; v < parts.branch.size(); ++v) {
        const auto& row = numbers[static_cast<std::size_t>(parts.branch[v])];
        EXPECT_TRUE(std::ranges::binary_search(row, parts.node[v]));
    }
}

TEST(Decompose, TwinsOfSeamsAndLooseShellsHaveALabel) {
    geometry::Mesh mesh = test::body_of(arm_and_finger(), 0.15);
    const auto count = static_cast<std::uint32_t>(mesh.positions.size());
    mesh.positions.push_back(mesh.positions[mesh.triangles[0][0]]);
    mesh.triangles[0][0] = count;
    geometry::append(mesh, test::cube(geometry::Vec3f(2.5f, 0.16f, 0), 0.02f));
    const WeldedSurface surface = welded_surface(mesh);
    const Decomposition parts = decompose(graph_of_arm(), surface);
    EXPECT_EQ(parts.branch[count], parts.branch[surface.weld[count]]);
    for (std::size_t v = count + 1; v < parts.branch.size(); ++v) EXPECT_EQ(parts.branch[v], 2);
}

TEST(Decompose, TreesOfBallsFindWhatTryingEveryNodeFinds) {
    test::Random random(8);
    MedialGraph graph;
    for (const std::size_t count : {0u, 1u, 4u, 5u, 37u, 90u}) {
        MedialGraph::Branch branch;
        Vec3d at = random.vector(1);
        for (std::size_t i = 0; i < count; ++i) {
            at += random.vector(0.1);
            branch.nodes.push_back({at, random.uniform(0, 0.3)});
        }
        graph.branches.push_back(branch);
    }
    for (const DecompositionCost kind : {DecompositionCost::abs_diff, DecompositionCost::signed_diff,
                                         DecompositionCost::ratio, DecompositionCost::nearest}) {
        const BranchCosts costs(graph, 1, kind);
        std::size_t hint = 0;
        for (int i = 0; i < 300; ++i) {
            const Vec3d at = random.vector(1.5);
            BranchCosts::Best all;
            for (std::size_t b = 0; b < graph.branches.size(); ++b) {
                BranchCosts::Best own;
                for (std::size_t n = 0; n < graph.branches[b].nodes.size(); ++n) {
                    const CurveNode& node = graph.branches[b].nodes[n];
                    const double d = (at - node.position).norm(), l = std::max(node.radius, 1e-4);
                    const double cost = kind == DecompositionCost::abs_diff      ? std::abs(d - l)
                                        : kind == DecompositionCost::signed_diff ? d - l
                                        : kind == DecompositionCost::ratio       ? d / l
                                                                                 : d;
                    if (cost < own.cost) own = {cost, b, n};
                }
                EXPECT_EQ(costs.of_branch(at, b).cost, own.cost);
                EXPECT_EQ(costs.of_branch(at, b).node, own.node);
                if (own.cost < all.cost) all = own;
            }
            const BranchCosts::Best found = costs.of_all(at, hint);
            EXPECT_EQ(found.cost, all.cost);
            EXPECT_EQ(std::pair(found.branch, found.node), std::pair(all.branch, all.node));
        }
    }
}

}  // namespace
}  // namespace sinew::rig
