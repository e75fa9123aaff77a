// SPDX-License-Identifier: MIT
#include "sinew/fit/proxy/proxy_joints.h"

#include "fit/sequences.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"

namespace sinew::fit {
namespace {

geometry::Mesh line(int points) {
    geometry::Mesh mesh;
    for (int i = 0; i < points; ++i) mesh.positions.push_back({static_cast<float>(i), 0, 0});
    return mesh;
}

TEST(ProxyJoints, ElevenPointsOnALine) {
    PlacementOptions options;
    options.first = 0;
    const ProxyJoints joints = set_joint_positions(line(11), 4, options);
    EXPECT_EQ(joints.vertices[0], 0u);
    EXPECT_EQ(joints.vertices[1], 10u);
    EXPECT_EQ(joints.vertices[2], 5u);
    EXPECT_EQ(std::vector<double>(joints.radii.begin(), joints.radii.begin() + 3),
              (std::vector<double>{10, 5, 2}));
}

TEST(ProxyJoints, PrefixesAreNestedAndWithinTwiceTheBest) {
    test::Random random(2);
    geometry::Mesh mesh;
    for (int i = 0; i < 11; ++i) mesh.positions.push_back(random.vector().cast<float>());
    const ProxyJoints five = set_joint_positions(mesh, 5);
    for (int p = 1; p <= 4; ++p) {
        const ProxyJoints fewer = set_joint_positions(mesh, p);
        EXPECT_TRUE(std::equal(fewer.vertices.begin(), fewer.vertices.end(), five.vertices.begin()));
        EXPECT_EQ(fewer.radius(), five.radii[static_cast<std::size_t>(p) - 1]);
        double best = std::numeric_limits<double>::infinity();
        for (unsigned mask = 0; mask < 1u << 11; ++mask) {
            if (__builtin_popcount(mask) != p) continue;
            double radius = 0;
            for (const auto& v : mesh.positions) {
                double nearest = std::numeric_limits<double>::infinity();
                for (unsigned j = 0; j < 11; ++j) {
                    if ((mask >> j) & 1u)
                        nearest = std::min(nearest, (v - mesh.positions[j]).cast<double>().norm());
                }
                radius = std::max(radius, nearest);
            }
            best = std::min(best, radius);
        }
        EXPECT_LE(fewer.radius(), 2 * best + 1e-6);
    }
}

TEST(ProxyJoints, DuplicatesAreOnePlace) {
    geometry::Mesh mesh = line(3);
    mesh.positions.insert(mesh.positions.end(), mesh.positions.begin(), mesh.positions.end());
    Collector monitor;
    const ProxyJoints joints = set_joint_positions(mesh, 6, {}, monitor);
    EXPECT_EQ(joints.vertices.size(), 3u);
    EXPECT_EQ(joints.radius(), 0);
    EXPECT_TRUE(monitor.has("fit-fewer-bones"));
    const BlendWeights weights = hat_weights(mesh, joints);
    for (std::size_t v = 0; v < 6; ++v) EXPECT_EQ(weights.of(v).size(), 1u);
    EXPECT_THROW(set_joint_positions(mesh, 0), Error);
}

TEST(HatWeights, ExactValuesForTwoJoints) {
    const geometry::Mesh mesh = line(11);
    PlacementOptions options;
    options.first = 0;
    const ProxyJoints joints = set_joint_positions(mesh, 2, options);  // at 0 and 10, r = 5
    const BlendWeights weights = hat_weights(mesh, joints);            // hats reach 7.5
    ASSERT_EQ(weights.of(0).size(), 1u);
    EXPECT_EQ(weights.of(0)[0].weight, 1);
    ASSERT_EQ(weights.of(4).size(), 2u);
    const double a = 1 - 4 / 7.5, b = 1 - 6 / 7.5;
    EXPECT_NEAR(weights.of(4)[0].weight, a / (a + b), 1e-12);
    EXPECT_EQ(weights.of(2).size(), 1u);  // 8 from the second joint
    // Right at a joint, just within the reach of the other, and beyond it.
    const std::vector<math::Vec3f> points = {{0, 0, 0}, {2.5001f, 0, 0}, {2.5f, 0, 0}, {2.25f, 0, 0}};
    const std::vector<Vec3d> centers = {Vec3d::Zero(), Vec3d(10, 0, 0)};
    const BlendWeights at = hat_weights_at(points, centers, 7.5);
    EXPECT_EQ(at.of(0)[0].weight, 1);
    ASSERT_EQ(at.of(1).size(), 2u);
    const double tiny = static_cast<double>(2.5001f) - 2.5, near = 1 - static_cast<double>(2.5001f) / 7.5;
    EXPECT_NEAR(at.of(1)[1].weight, tiny / 7.5 / (tiny / 7.5 + near), 1e-12);
    EXPECT_EQ(at.of(2).size(), 1u);
    EXPECT_EQ(at.of(3).size(), 1u);
}

TEST(HatWeights, NoVertexIsLeftEvenWithAReachOfOne) {
    test::Random random(9);
    for (int trial = 0; trial < 1000; ++trial) {
        geometry::Mesh mesh;
        for (int i = 0; i < 30; ++i) mesh.positions.push_back(random.vector().cast<float>());
        const ProxyJoints joints = set_joint_positions(mesh, random.integer(1, 8));
        HatOptions options;
        options.reach = 1;
        const BlendWeights weights = hat_weights(mesh, joints, options);
        for (std::size_t v = 0; v < 30; ++v) {
            ASSERT_FALSE(weights.of(v).empty());
            double sum = 0;
            for (const BoneWeight& w : weights.of(v)) {
                EXPECT_GT(w.weight, 0);
                sum += w.weight;
            }
            EXPECT_NEAR(sum, 1, 1e-12);
        }
    }
}

TEST(HatWeights, TheLimitKeepsTheLargest) {
    const geometry::Mesh mesh = test::sheet(20);
    HatOptions options;
    options.influences = 4;
    const ProxyJoints joints = set_joint_positions(mesh, 20);
    const BlendWeights all = hat_weights(mesh, joints), four = hat_weights(mesh, joints, options);
    EXPECT_GT(all.limit(), 4u);
    EXPECT_EQ(four.limit(), 4u);
}

TEST(ProxyJoints, LayersThatLieOnEachOtherStayApartOnTheSurface) {
    geometry::Mesh mesh = test::sheet(8);
    geometry::Mesh above = mesh;
    for (auto& p : above.positions) p.z() = 0.01f;
    geometry::append(mesh, above);
    PlacementOptions options;
    options.metric = JointMetric::surface;
    const ProxyJoints joints = set_joint_positions(mesh, 6, options);
    const BlendWeights weights = hat_weights(mesh, joints);
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        for (const BoneWeight& w : weights.of(v))
            EXPECT_EQ(joints.vertices[w.bone] < 64, v < 64)
                << "a joint of the other layer moves vertex " << v;
    }
}

TEST(ProxyJoints, RelaxedJointsLieInTheMiddleOfTheirVertices) {
    PlacementOptions options;
    options.relaxations = 8;
    const ProxyJoints joints = set_joint_positions(test::sheet(21), 1, options);
    EXPECT_EQ(joints.vertices[0], 220u);  // the middle of 21 x 21
    EXPECT_NEAR(joints.radius(), std::sqrt(0.5), 1e-6);
}

TEST(ProxyJoints, RelaxedJointsCoverMoreEvenly) {
    const geometry::Mesh mesh = test::sheet(30);
    PlacementOptions relaxed;
    relaxed.relaxations = 12;
    const ProxyJoints greedy = set_joint_positions(mesh, 20), moved = set_joint_positions(mesh, 20, relaxed);
    const auto spread = [&](const ProxyJoints& joints) {
        double sum = 0;
        for (const auto& p : mesh.positions) {
            double nearest = std::numeric_limits<double>::infinity();
            for (const auto v : joints.vertices)
                nearest = std::min(nearest, (p - mesh.positions[v]).cast<double>().squaredNorm());
            sum += nearest;
        }
        return sum;
    };
    EXPECT_LT(spread(moved), 0.8 * spread(greedy));
    EXPECT_LT(moved.radius(), 1.05 * greedy.radius());
    // Every vertex is still within the radius of some joint, and has convex weights.
    const BlendWeights weights = hat_weights(mesh, moved);
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) EXPECT_FALSE(weights.of(v).empty());
}

TEST(ProxyJoints, FinerTrianglesDoNotDrawRelaxedJoints) {
    // The half x > 0.5 of a sheet has four times as many vertices along x.
    geometry::Mesh mesh;
    std::vector<double> along;
    for (int i = 0; i <= 10; ++i) along.push_back(0.05 * i);
    for (int i = 1; i <= 40; ++i) along.push_back(0.5 + 0.0125 * i);
    for (const double x : along) {
        for (int j = 0; j <= 20; ++j) mesh.positions.push_back(math::Vec3d(x, 0.05 * j, 0).cast<float>());
    }
    mesh.triangles = sinew::test::grid(static_cast<std::uint32_t>(along.size()), 21, false, false);
    PlacementOptions relaxed;
    relaxed.relaxations = 20;
    const ProxyJoints joints = set_joint_positions(mesh, 16, relaxed);
    const auto right = std::count_if(joints.vertices.begin(), joints.vertices.end(),
                                     [&](std::uint32_t v) { return mesh.positions[v].x() > 0.5f; });
    EXPECT_NEAR(static_cast<double>(right), 8, 2);
}

}  // namespace
}  // namespace sinew::fit
