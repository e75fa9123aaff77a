// SPDX-License-Identifier: MIT
// Regions and weights: known answers and properties.
#include "sinew/rig/bind/regions/regions.h"

#include "rig/bind/regions/support.h"
#include "support/data.h"
#include "support/shapes.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/io/io.h"
#include "sinew/rig/bind/bind_input.h"
#include "sinew/rig/measure.h"
#include "sinew/sample/samples.h"

namespace sinew {
namespace {

using math::Vec3d;
using test::axis_skeleton;
using test::cylinder;

double weight(const rig::RegionResult& result, std::size_t vertex, int joint) {
    for (const rig::JointWeight& entry : result.weights[vertex])
        if (entry.joint == joint) return entry.weight;
    return 0;
}

void expect_valid(const rig::RegionResult& result, std::size_t vertices) {
    ASSERT_EQ(result.weights.size(), vertices);
    for (std::size_t v = 0; v < vertices; ++v) {
        double sum = 0;
        for (const rig::JointWeight& entry : result.weights[v]) {
            EXPECT_GT(entry.weight, 0);
            sum += entry.weight;
        }
        ASSERT_NEAR(sum, 1, 1e-12) << v;
        ASSERT_GE(result.region_of_vertex[v], 0) << v;
    }
}

double largest_jump(const geometry::Mesh& mesh, const rig::RegionResult& result) {
    double max = 0;
    for (const auto& t : mesh.triangles)
        for (std::size_t k = 0; k < 3; ++k)
            for (int j = 0; j < 3; ++j)
                max = std::max(max, std::abs(weight(result, t[k], j) - weight(result, t[(k + 1) % 3], j)));
    return max;
}

TEST(Regions, PartACapsuleExactlyAtTheCurveInAnyOrderOfVertices) {
    const auto mesh = cylinder(0.3, 4, 61, 24);
    const auto skeleton = axis_skeleton({-1.8, -0.513, 0.617}, 1.9);
    const auto result = rig::region_weights(mesh, skeleton);
    expect_valid(result, mesh.positions.size());
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const float x = mesh.positions[v].x();
        EXPECT_EQ(result.region_of_vertex[v], x < -0.513f ? 0 : x < 0.617f ? 1 : 2) << x;
    }
    geometry::Mesh turned = mesh;
    const auto n = static_cast<std::uint32_t>(mesh.positions.size());
    for (std::uint32_t v = 0; v < n; ++v) turned.positions[n - 1 - v] = mesh.positions[v];
    for (auto& t : turned.triangles) t = {n - 1 - t[0], n - 1 - t[1], n - 1 - t[2]};
    const auto other = rig::region_weights(turned, skeleton);
    for (std::uint32_t v = 0; v < n; ++v)
        EXPECT_EQ(result.region_of_vertex[v], other.region_of_vertex[n - 1 - v]);
}

TEST(Regions, EverySoftnessGivesWeightsThatSumToOne) {
    const auto mesh = test::body_of(test::figure(), 0.06);
    const auto skeleton = test::joints_at({{-1, {0, 0, 0}},
                                           {0, {0, 0.5, 0}},
                                           {1, {0, 0.9, 0}},
                                           {1, {0.2, 0.75, 0}},
                                           {3, {0.6, 0.75, 0}},
                                           {1, {-0.2, 0.75, 0}},
                                           {5, {-0.6, 0.75, 0}},
                                           {0, {0.14, -0.1, 0}},
                                           {7, {0.22, -0.6, 0}},
                                           {0, {-0.14, -0.1, 0}},
                                           {9, {-0.22, -0.6, 0}}});
    for (const double softness : {0.0, 0.5, 1.0})
        expect_valid(rig::region_weights(mesh, skeleton, {softness}), mesh.positions.size());
}

TEST(Regions, AreRigidWithoutSoftness) {
    const auto mesh = cylinder(0.3, 4, 61, 16);
    const auto skeleton = axis_skeleton({-1.8, -0.5, 0.6}, 1.9);
    const auto result = rig::region_weights(mesh, skeleton, {0});
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        ASSERT_EQ(result.weights[v].size(), 1u);
        EXPECT_EQ(result.weights[v][0].joint, result.region_of_vertex[v]);
        EXPECT_TRUE(result.influenced_by_child[v].empty());
    }
}

TEST(Regions, ShadowsEndWhereTheSoftnessSays) {
    const auto mesh = cylinder(0.3, 4, 161, 16);
    const auto skeleton = axis_skeleton({-1.8, -0.5, 0.6}, 1.9);
    for (const double softness : {0.25, 0.5, 1.0}) {
        const auto result = rig::region_weights(mesh, skeleton, {softness});
        // D is 1.1 from boundary to boundary, but no more than two radii count.
        const double end = 0.6 - softness * std::min(1.1, 2 * 0.3);
        int dominant = 0, shadowed = 0;
        for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
            if (result.region_of_vertex[v] != 1) continue;
            const auto shadows = result.influenced_by_child[v];
            EXPECT_EQ(!shadows.empty(), weight(result, v, 2) > 0);
            if (std::abs(mesh.positions[v].x() - end) < 0.03) continue;  // paths along edges are longer
            const bool beyond = mesh.positions[v].x() > end;
            EXPECT_EQ(shadows.size(), beyond ? 1u : 0u) << softness << " " << mesh.positions[v].x();
            ++(beyond ? shadowed : dominant);
        }
        EXPECT_GT(dominant, 100);
        EXPECT_GT(shadowed, 50);
    }
}

rig::RegionSides sides_with(double own, std::vector<double> children) {
    rig::RegionSides sides;
    sides.joint = 1;
    sides.parent = 0;
    sides.own = {1, own, 0.5, std::numeric_limits<double>::infinity()};
    for (std::size_t k = 0; k < children.size(); ++k)
        sides.children.push_back(
            {static_cast<int>(k) + 2, children[k], 0.5, std::numeric_limits<double>::infinity()});
    return sides;
}

TEST(RegionWeights, AChainSumsToOneBeforeItIsNormalised) {
    for (const double at : {0.0, 0.1, 0.37, 0.5, 0.81, 1.0}) {
        std::vector<rig::JointWeight> row;
        rig::band_weights(sides_with(at, {1 - at}), row);
        double sum = 0;
        for (const auto& entry : row) sum += entry.weight;
        EXPECT_NEAR(sum, 1, 1e-15) << at;
    }
}

TEST(RegionWeights, ChangeByHalfOnAMeshTwiceAsFine) {
    std::vector<double> jumps;
    for (const std::uint32_t fine : {1u, 2u, 4u}) {
        const auto mesh = cylinder(0.3, 4, 80 * fine + 1, 16 * fine);
        jumps.push_back(largest_jump(mesh, rig::region_weights(mesh, axis_skeleton({-1.8, -0.5, 0.6}, 1.9))));
    }
    EXPECT_NEAR(jumps[1] / jumps[0], 0.5, 0.1);
    EXPECT_NEAR(jumps[2] / jumps[1], 0.5, 0.1);
}

TEST(RegionWeights, AreOneHalfOnTheBoundary) {
    const auto mesh = cylinder(0.3, 4, 401, 12);
    const auto result = rig::region_weights(mesh, axis_skeleton({-1.8, -0.5, 0.6}, 1.9));
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        if (std::abs(mesh.positions[v].x() + 0.5f) < 0.004f) {
            EXPECT_NEAR(weight(result, v, 1), 0.5, 0.03);
        }
        if (std::abs(mesh.positions[v].x() - 0.6f) < 0.004f) {
            EXPECT_NEAR(weight(result, v, 2), 0.5, 0.03);
        }
    }
}

TEST(RegionDistances, AlongACylinderAreTheLengthsAlongIt) {
    const auto mesh = cylinder(0.3, 4, 81, 24);
    const auto result = rig::region_weights(mesh, axis_skeleton({-1.8, -0.5, 0.6}, 1.9));
    for (std::size_t v = 0; v + 2 < mesh.positions.size(); ++v) {
        if (result.region_of_vertex[v] != 1) continue;
        EXPECT_NEAR(result.own_distance[v], static_cast<double>(mesh.positions[v].x()) + 0.5, 0.02);
        EXPECT_NEAR(result.child_distance[v], 0.6 - static_cast<double>(mesh.positions[v].x()), 0.02);
    }
}

/// A trunk and an arm that hangs beside it at a gap of a fifth of the trunk's radius.
struct Armpit {
    geometry::Mesh mesh = test::body_of(
        {{{0, 0, 0}, {0, 3, 0}, 0.5}, {{0, 2.8, 0}, {0.8, 2.8, 0}, 0.2}, {{0.8, 2.8, 0}, {0.8, 0.6, 0}, 0.2}},
        0.05);
    Vec3d tip{0.8, 0.6, 0};
    model::Skeleton skeleton = test::joints_at(
        {{-1, {0, 0.3, 0}}, {0, {0, 2.2, 0}}, {1, {0.6, 2.8, 0}}, {2, {0.8, 1.9, 0}}, {3, {0.8, 1.2, 0}}},
        &tip);
    bool on_trunk(std::size_t v) const {
        return std::hypot(mesh.positions[v].x(), mesh.positions[v].z()) < 0.52f &&
               mesh.positions[v].y() < 2.0f;
    }
};

TEST(Regions, NothingLeaksOverTheArmpit) {
    const Armpit body;
    const auto result = rig::region_weights(body.mesh, body.skeleton);
    for (std::size_t v = 0; v < body.mesh.positions.size(); ++v) {
        const int region = result.region_of_vertex[v];
        for (const rig::JointWeight& entry : result.weights[v])
            EXPECT_LE(std::abs(entry.joint - region), 1) << "joints of a chain two links apart";
        for (const int arm : {2, 3, 4}) {
            EXPECT_TRUE(!body.on_trunk(v) || weight(result, v, arm) == 0) << arm;
        }
    }
    // The nearest bones, whatever lies between, do leak.
    const auto bones = rig::bone_segments(body.skeleton);
    double worst = 0;
    for (std::size_t v = 0; v < body.mesh.positions.size(); ++v) {
        if (!body.on_trunk(v)) continue;
        double elbow = 0, all = 0;
        for (const rig::BoneSegment& bone : bones) {
            const double w = std::pow(rig::distance(bone, body.mesh.positions[v].cast<double>()), -4);
            all += w;
            if (bone.joint == 3) elbow += w;
        }
        worst = std::max(worst, elbow / all);
    }
    EXPECT_GT(worst, 0.1);
}

TEST(Regions, DoNotDependOnScale) {
    const Armpit body;
    const auto result = rig::region_weights(body.mesh, body.skeleton);
    // Powers of two keep every digit.
    for (const float scale : {0x1p-20f, 0x1p20f}) {
        geometry::Mesh mesh = body.mesh;
        model::Skeleton skeleton = body.skeleton;
        for (auto& p : mesh.positions) p *= scale;
        for (auto& joint : skeleton.joints) {
            joint.rest.translation *= static_cast<double>(scale);
            if (joint.tip) *joint.tip *= static_cast<double>(scale);
        }
        const auto other = rig::region_weights(mesh, skeleton);
        std::size_t changed = 0;
        for (std::size_t v = 0; v < mesh.positions.size(); ++v)
            for (int j = 0; j < 5; ++j)
                changed += std::abs(weight(result, v, j) - weight(other, v, j)) > 1e-3;
        EXPECT_LE(changed, mesh.positions.size() / 200);
    }
}

TEST(Regions, AreTheSameForEveryThreadCount) {
    const Armpit body;
    const int before = thread_count();
    set_thread_count(1);
    const auto one = rig::region_weights(body.mesh, body.skeleton);
    set_thread_count(4);
    const auto four = rig::region_weights(body.mesh, body.skeleton);
    set_thread_count(before);
    ASSERT_EQ(one.weights.entries.size(), four.weights.entries.size());
    for (std::size_t i = 0; i < one.weights.entries.size(); ++i) {
        EXPECT_EQ(one.weights.entries[i].joint, four.weights.entries[i].joint);
        EXPECT_EQ(one.weights.entries[i].weight, four.weights.entries[i].weight);
    }
}

}  // namespace
}  // namespace sinew
