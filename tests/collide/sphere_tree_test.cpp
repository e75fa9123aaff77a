// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "reference/collide/subdivide.h"
#include "scenes.h"
#include "support/shapes.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/collide/tree/weight_corners.h"

namespace sinew::collide {
namespace {

using test::Random;

std::set<std::vector<int>> rounded(const WeightCorners& corners) {
    std::set<std::vector<int>> result;
    for (std::size_t k = 0; k < corners.count(); ++k) {
        std::vector<int> corner;
        for (const double w : corners.corner(k)) corner.push_back(static_cast<int>(std::lround(w * 1000)));
        result.insert(corner);
    }
    return result;
}

TEST(WeightCorners, OfKnownIntervals) {
    using Set = std::set<std::vector<int>>;
    const double low3[]{0, 0, 0}, high3[]{0.6, 1, 1};
    EXPECT_EQ(rounded(interval_corners(low3, high3)),
              (Set{{0, 1000, 0}, {0, 0, 1000}, {600, 400, 0}, {600, 0, 400}}));
    const double low2[]{0.4, 0.4}, high2[]{0.6, 0.6};
    EXPECT_EQ(rounded(interval_corners(low2, high2)), (Set{{400, 600}, {600, 400}}));
    const double point[]{0.2, 0.3, 0.5};
    EXPECT_EQ(rounded(interval_corners(point, point)), (Set{{200, 300, 500}}));
    const double low[]{0.2, 0.2, 0.2}, high[]{0.9, 0.5, 0.3};
    for (std::size_t k = 0; k < 3; ++k) {
        const auto simplex = simplex_corners(low, high);
        const auto corner = simplex.corner(k);
        EXPECT_NEAR(std::accumulate(corner.begin(), corner.end(), 0.0), 1, 1e-14);
    }
}

/// Largest <d, w> over the corners is at least that of every weight vector, in every direction: the hull
/// contains them.
void expect_contained(const WeightCorners& corners, std::span<const float> weights, Random& random) {
    const std::size_t n = corners.joints;
    for (int trial = 0; trial < 30; ++trial) {
        std::vector<double> d(n);
        for (double& x : d) x = random.uniform(-1, 1);
        const auto along = [&](auto w) {
            double sum = 0;
            for (std::size_t i = 0; i < n; ++i) sum += d[i] * static_cast<double>(w[i]);
            return sum;
        };
        double largest = -1e9;
        for (std::size_t k = 0; k < corners.count(); ++k)
            largest = std::max(largest, along(corners.corner(k)));
        for (std::size_t v = 0; v * n < weights.size(); ++v)
            ASSERT_LE(along(weights.subspan(v * n, n)), largest + 1e-6 * static_cast<double>(n));
    }
}

TEST(WeightCorners, HullContainsAllWeights) {
    Random random(11);
    for (int round = 0; round < 200; ++round) {
        const int n = random.integer(1, 8), count = random.integer(1, 20);
        std::vector<float> weights;
        const auto base = random.weights(n);
        const double spread = round % 2 == 0 ? 1 : 0.05;
        for (int v = 0; v < count; ++v) {
            const auto w = random.weights(n);
            for (int i = 0; i < n; ++i) {
                const auto k = static_cast<std::size_t>(i);
                weights.push_back(static_cast<float>(spread * w[k] + (1 - spread) * base[k]));
            }
        }
        const auto corners = weight_corners(weights, static_cast<std::size_t>(n));
        ASSERT_GT(corners.count(), 0u);
        ASSERT_LE(corners.count(), 12u);
        for (std::size_t k = 0; k < corners.count(); ++k) {
            const auto c = corners.corner(k);
            ASSERT_NEAR(std::accumulate(c.begin(), c.end(), 0.0), 1, 1e-6);
        }
        expect_contained(corners, weights, random);
    }
}

/// Every triangle in one leaf, every vertex in its spheres, and the shape of the tree.
void expect_sound(const SphereTree& tree, const geometry::Mesh& mesh) {
    std::vector<int> leaf_count(mesh.triangles.size(), 0);
    std::vector<std::uint32_t> ids = tree.data().triangle_ids;
    std::ranges::sort(ids);
    for (std::uint32_t t = 0; t < ids.size(); ++t) ASSERT_EQ(ids[t], t);
    ASSERT_EQ(ids.size(), mesh.triangles.size());
    for (std::size_t n = 0; n < tree.data().nodes.size(); ++n) {
        const Node& node = tree.data().nodes[n];
        const Sphere sphere = node.sphere.widen();
        std::set<std::uint32_t> sets;
        for (std::uint32_t t = node.first_triangle; t < node.first_triangle + node.triangle_count; ++t) {
            if (node.leaf()) ++leaf_count[tree.data().triangle_ids[t]];
            for (std::size_t k = 0; k < 3; ++k) {
                const std::uint32_t v = tree.data().triangles[t][k];
                ASSERT_EQ(tree.data().vertex_ids[v], mesh.triangles[tree.data().triangle_ids[t]][k]);
                ASSERT_LE((tree.data().positions[v].cast<double>() - sphere.center).norm(), sphere.radius);
                sets.insert(tree.data().vertex_sets[v]);
                for (const SetBound& set_bound : tree.data().set_bounds_of(node)) {
                    if (set_bound.set != tree.data().vertex_sets[v]) continue;
                    const Sphere own = set_bound.sphere.widen();
                    ASSERT_LE((tree.data().positions[v].cast<double>() - own.center).norm(), own.radius);
                }
            }
        }
        if (node.set_bound_count > 0) {
            ASSERT_EQ(node.set_bound_count, sets.size());
        }
        std::uint32_t next = node.first_triangle;
        for (std::uint32_t c = 0; c < node.child_count; ++c) {
            const Node& child = tree.data().nodes[node.first_child + c];
            ASSERT_GT(node.first_child + c, n);
            ASSERT_EQ(child.first_triangle, next);
            next += child.triangle_count;
            ASSERT_EQ(child.level, node.level + 1);
            if (!child.leaf()) {
                ASSERT_LE(static_cast<double>(child.sphere.radius),
                          tree.data().limits.collapse * static_cast<double>(node.sphere.radius));
            }
        }
        if (!node.leaf()) {
            ASSERT_EQ(next, node.first_triangle + node.triangle_count);
        }
    }
    for (const int count : leaf_count) ASSERT_EQ(count, 1);
}

TEST(SphereTree, EveryTriangleInOneLeafAndEveryVertexInItsSpheres) {
    for (const char* name : {"horse", "hand"}) {
        const auto& character = test::sample(name, 1000);
        TreeLimits options;
        expect_sound(limited_tree(character, options), character.mesh);
        options.leaf_set_bounds = true;
        options.max_leaf_triangles = 1;
        expect_sound(limited_tree(character, options), character.mesh);
    }
}

TEST(SphereTree, SetsAreTheJointsThatMoveTheirVertices) {
    // Influences as files have them: padded with zeros, in any order, a joint named twice.
    const model::Influence lists[5][3] = {{{0, 1}, {1, 0}, {2, 0}},
                                          {{0, 0.5f}, {0, 0.5f}, {2, 0}},
                                          {{1, 0.25f}, {0, 0.75f}, {3, 0}},
                                          {{0, 0.5f}, {1, 0.25f}, {1, 0.25f}},
                                          {{2, 0.5f}, {1, 0.5f}, {0, 0}}};
    const std::vector<std::uint32_t> expected[5] = {{0}, {0}, {0, 1}, {0, 1}, {1, 2}};
    geometry::Mesh mesh;
    model::Skin skin;
    skin.joints.resize(4);
    for (std::uint32_t v = 0; v < 30; ++v) {
        mesh.positions.push_back(Vec3f(static_cast<float>(v % 3), static_cast<float>(v / 3), 0));
        skin.push_vertex(lists[v % 5]);
        if (v % 3 == 2) mesh.triangles.push_back({v - 2, v - 1, v});
    }
    model::clean(skin, {4, 0});
    const SphereTree tree = build_tree(mesh, skin, nullptr);
    const TreeData& data = tree.data();
    EXPECT_EQ(data.sets.size(), 3u);
    for (std::uint32_t v = 0; v < data.vertex_ids.size(); ++v) {
        const auto own = data.joints_of(data.vertex_sets[v]);
        std::vector<std::uint32_t> joints(own.begin(), own.end());
        std::ranges::sort(joints);
        EXPECT_EQ(joints, expected[data.vertex_ids[v] % 5]);
        for (const float weight : data.weights_of(v)) EXPECT_GT(weight, 0);
    }
}

TEST(SphereTree, BinaryTreeHasTwiceItsLeavesLessOneNodes) {
    const auto& character = test::sample("horse", 1000);
    TreeLimits options;
    options.collapse = 1;
    options.max_leaf_triangles = 1;
    const SphereTree tree = limited_tree(character, options);
    EXPECT_EQ(tree.data().nodes.size(), 2 * character.mesh.triangles.size() - 1);
    EXPECT_EQ(tree.statistics().binary_nodes, tree.data().nodes.size());
    EXPECT_EQ(tree.statistics().leaves, character.mesh.triangles.size());
    options.collapse = 0.6;
    const SphereTree collapsed = limited_tree(character, options);
    EXPECT_LT(collapsed.data().nodes.size(), tree.data().nodes.size());
    EXPECT_LT(collapsed.statistics().depth, tree.statistics().depth);
    EXPECT_GT(collapsed.statistics().max_children, 2u);
    EXPECT_EQ(collapsed.statistics().leaves, tree.statistics().leaves);
}

TEST(SphereTree, TrianglesAtOnePlaceAreSplitAtTheMedian) {
    geometry::Mesh mesh;
    mesh.positions = {Vec3f(0, 0, 0), Vec3f(1, 0, 0), Vec3f(0, 1, 0)};
    mesh.triangles.assign(100, {0, 1, 2});
    TreeLimits options;
    options.max_leaf_triangles = 2;
    const SphereTree tree = build_tree(mesh, {}, nullptr, {.max_leaf_triangles = 2});
    for (const Node& node : tree.data().nodes) {
        if (node.leaf()) {
            EXPECT_LE(node.triangle_count, 2u);
        }
    }
    options.depth_cap = 2;
    options.collapse = 1;
    const auto& character = test::sample("tube");
    const SphereTree shallow = limited_tree(character, options);
    expect_sound(shallow, character.mesh);
}

TEST(SphereTree, EmptyAndBrokenMeshes) {
    EXPECT_EQ(build_tree(geometry::Mesh{}, {}, nullptr).node_count(), 0u);
    geometry::Mesh points;
    points.positions = {Vec3f(0, 0, 0)};
    EXPECT_EQ(build_tree(points, {}, nullptr).node_count(), 0u);
    points.triangles = {{0, 0, 0}};
    EXPECT_EQ(build_tree(points, {}, nullptr).node_count(), 1u);
    points.triangles = {{0, 1, 2}};
    EXPECT_THROW(build_tree(points, {}, nullptr), Error);
    points.triangles = {{0, 0, 0}};
    points.positions[0].x() = std::nanf("");
    EXPECT_THROW(build_tree(points, {}, nullptr), Error);
    auto horse = test::sample("horse", 1000);
    horse.skin.offsets.pop_back();
    EXPECT_THROW(build_tree(horse), Error);
}

TEST(SphereTree, MemoryIsAtMostFourTimesThatOfMeshAndWeights) {
    for (const auto& character : {test::sample("hand", 1000), subdivided(test::sample("horse", 1000))}) {
        const SphereTree tree = build_tree(character);
        const std::size_t served = character.mesh.positions.size() * sizeof(Vec3f) * 2 +
                                   character.mesh.triangles.size() * sizeof(geometry::Triangle) +
                                   character.skin.influences.size() * sizeof(model::Influence) +
                                   character.skin.offsets.size() * 4;
        EXPECT_LE(tree.memory(), 4 * served) << character.name;
    }
}

TEST(SphereTree, IsTheSameWhateverTheThreadCount) {
    const auto& character = test::sample("horse", 1000);
    set_thread_count(1);
    const SphereTree one = build_tree(character);
    set_thread_count(4);
    const SphereTree four = build_tree(character);
    set_thread_count(0);
    EXPECT_EQ(one.data().corners, four.data().corners);
    EXPECT_EQ(one.data().triangle_ids, four.data().triangle_ids);
    ASSERT_EQ(one.data().set_bounds.size(), four.data().set_bounds.size());
    for (std::size_t i = 0; i < one.data().set_bounds.size(); ++i) {
        ASSERT_EQ(one.data().set_bounds[i].set, four.data().set_bounds[i].set);
        ASSERT_EQ(one.data().set_bounds[i].sphere.radius, four.data().set_bounds[i].sphere.radius);
    }
}

TEST(Tightness, OnDemandIsNearTheBestBelowTheTop) {
    const Actor horse("horse", 1000);
    const auto finer = subdivided(horse.character);
    const SphereTree tree = build_tree(finer, {.max_leaf_triangles = 4});
    for (const deform::Method method : {deform::Method::lbs, deform::Method::sbs, deform::Method::dqs}) {
        const auto rows = level_radii(tree, horse.pose(0.3), method);
        ASSERT_GE(rows.size(), 5u);
        EXPECT_LE(rows[0].ratio(), method == deform::Method::lbs ? 1.2 : 1.3);
        for (std::size_t level = 0; level < rows.size(); ++level) {
            EXPECT_EQ(rows[level].unbounded, 0u);
            EXPECT_GE(rows[level].on_demand, 0.999 * rows[level].best);
            if (level >= 2) {
                EXPECT_LE(rows[level].ratio(), 1.10) << deform::name(method) << " " << level;
            }
        }
    }
}

TEST(Tightness, RowsAreTheMeansOfTheirLevels) {
    const Actor horse("horse", 1000, {.max_leaf_triangles = 4});
    const std::vector<deform::Mat34f> still(horse.tree.data().palette_size);
    const auto rest = level_radii(horse.tree, still, deform::Method::lbs),
               posed = level_radii(horse.tree, horse.pose(0.3), deform::Method::lbs);
    ASSERT_EQ(rest.size(), posed.size());
    std::vector<double> sums(rest.size(), 0), counts(rest.size(), 0);
    for (const Node& node : horse.tree.data().nodes) {
        sums[node.level] += static_cast<double>(node.sphere.radius);
        ++counts[node.level];
    }
    double worse = 0;
    for (std::size_t level = 0; level < rest.size(); ++level) {
        const double mean = sums[level] / counts[level];
        EXPECT_EQ(static_cast<double>(rest[level].nodes), counts[level]);
        EXPECT_NEAR(posed[level].rest, mean, 1e-6 * mean);
        // The spheres of the tree are the smallest ones at rest.
        EXPECT_NEAR(rest[level].best, mean, 1e-4 * mean);
        EXPECT_LE(posed[level].best, 1.0001 * posed[level].bottom_up);
        worse += posed[level].bottom_up / posed[level].best;
    }
    // Spheres around spheres around vertices are far from the smallest.
    EXPECT_GT(worse, 1.05 * static_cast<double>(rest.size()));
    EXPECT_GT(posed[0].bottom_up, posed[0].on_demand);
}

TEST(Subdivide, QuartersEveryTriangleAndKeepsTheShapeAtRest) {
    const auto horse = test::sample("horse", 1000);
    const auto finer = subdivided(horse);
    EXPECT_EQ(finer.mesh.triangles.size(), 4 * horse.mesh.triangles.size());
    EXPECT_NEAR(geometry::signed_volume(finer.mesh.positions, finer.mesh.triangles),
                geometry::signed_volume(horse.mesh.positions, horse.mesh.triangles), 1e-6);
    EXPECT_NO_THROW(model::validate(finer, "finer"));
    for (std::size_t v = horse.mesh.positions.size(); v < finer.mesh.positions.size(); ++v)
        ASSERT_LE(finer.skin.of(v).size(), 4u);
    const auto all = subdivided(horse, 0);
    std::size_t more = 0;
    for (std::size_t t = 0; t < horse.mesh.triangles.size(); ++t) {
        const std::uint32_t a = horse.mesh.triangles[t][0], b = horse.mesh.triangles[t][1],
                            middle = all.mesh.triangles[4 * t][1];
        ASSERT_LE(
            (all.mesh.positions[middle] - (horse.mesh.positions[a] + horse.mesh.positions[b]) / 2).norm(),
            1e-6f);
        std::map<std::uint32_t, float> mean;
        for (const std::uint32_t v : {a, b})
            for (const model::Influence& influence : horse.skin.of(v))
                mean[influence.joint] += influence.weight / 2;
        ASSERT_EQ(all.skin.of(middle).size(), mean.size());
        for (const model::Influence& influence : all.skin.of(middle))
            ASSERT_NEAR(influence.weight, mean.at(influence.joint), 1e-6);
    }
    for (std::size_t v = 0; v < all.mesh.positions.size(); ++v) more += all.skin.of(v).size() > 4;
    EXPECT_GT(more, 0u);
}

}  // namespace
}  // namespace sinew::collide
