// SPDX-License-Identifier: MIT
// Skeletons and meshes as people bring them: every vertex gets weights, and what was odd is said.
#include "sinew/rig/bind/regions/region_joints.h"

#include "rig/bind/regions/support.h"
#include "support/data.h"
#include "support/samples.h"
#include "support/shapes.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/io/io.h"
#include "sinew/rig/bind.h"
#include "sinew/rig/measure.h"

namespace sinew {
namespace {

using math::Vec3d;
using test::cylinder;
using test::joints_at;

rig::RegionResult bound(const geometry::Mesh& mesh, const model::Skeleton& skeleton, Collector& warnings) {
    auto result = rig::region_weights(mesh, skeleton, {}, warnings);
    EXPECT_EQ(result.weights.size(), mesh.positions.size());
    for (std::size_t v = 0; v < result.weights.size(); ++v) {
        double sum = 0;
        for (const rig::JointWeight& entry : result.weights[v]) sum += entry.weight;
        EXPECT_NEAR(sum, 1, 1e-12) << v;
    }
    return result;
}

/// How many vertices have this joint's weight.
std::size_t moved_by(const rig::RegionResult& result, int joint) {
    std::size_t count = 0;
    for (std::size_t v = 0; v < result.weights.size(); ++v)
        for (const rig::JointWeight& entry : result.weights[v]) count += entry.joint == joint ? 1 : 0;
    return count;
}

TEST(RegionsMessy, OneJointTakesAll) {
    const auto mesh = cylinder(0.3, 4, 21, 12);
    for (const Vec3d& at : {Vec3d(0, 0, 0), Vec3d(50, 0, 0)}) {
        Collector warnings;
        const auto result = bound(mesh, joints_at({{-1, at}}), warnings);
        EXPECT_EQ(moved_by(result, 0), mesh.positions.size());
    }
}

TEST(RegionsMessy, ASkeletonOutsideTheMeshStillBindsEveryVertex) {
    const auto mesh = cylinder(0.3, 4, 21, 12);
    Collector warnings;
    bound(mesh, joints_at({{-1, {0, 9, 0}}, {0, {1, 9, 0}}, {1, {2, 9, 0}}}), warnings);
    EXPECT_TRUE(warnings.has("joint-outside"));
}

TEST(RegionsMessy, TheRootOnTheGroundAndEndSitesMoveNothing) {
    const auto mesh = cylinder(0.3, 4, 61, 16);
    auto skeleton = joints_at({{-1, {-1.5, -3, 0}}, {0, {-1.8, 0, 0}}, {1, {0, 0, 0}}, {2, {1.7, 0, 0}}});
    skeleton.joints[3].name = "Head_end";
    Collector warnings;
    const auto result = bound(mesh, skeleton, warnings);
    EXPECT_EQ(moved_by(result, 0), 0u);
    EXPECT_EQ(moved_by(result, 3), 0u);
    EXPECT_GT(moved_by(result, 1), mesh.positions.size() / 3);
    EXPECT_GT(moved_by(result, 2), mesh.positions.size() / 3);
    EXPECT_TRUE(rig::is_end_site("LeftToe_End") && rig::is_end_site("HeadNub") && !rig::is_end_site("Bend"));
}

TEST(RegionsMessy, OfJointsAtOnePlaceTheDeepestMovesTheSkin) {
    const auto mesh = cylinder(0.3, 4, 61, 16);
    Collector warnings;
    const auto result = bound(
        mesh, joints_at({{-1, {-1.8, 0, 0}}, {0, {0, 0, 0}}, {1, {0, 0, 0}}, {2, {1.2, 0, 0}}}), warnings);
    EXPECT_TRUE(warnings.has("joint-same-place"));
    EXPECT_EQ(moved_by(result, 1), 0u);
    EXPECT_GT(moved_by(result, 2), 0u);
}

TEST(RegionsMessy, AJointJustOutsideIsBoundFromWithin) {
    const auto mesh = cylinder(0.3, 4, 61, 24);
    Collector warnings;
    const auto result =
        bound(mesh, joints_at({{-1, {-1.8, 0, 0}}, {0, {0, 0.36, 0}}, {1, {1.2, 0, 0}}}), warnings);
    EXPECT_TRUE(warnings.has("joint-moved-inside"));
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        if (mesh.positions[v].x() < -0.5f) {
            EXPECT_EQ(result.region_of_vertex[v], 0);
        }
        if (mesh.positions[v].x() > 0.5f) {
            EXPECT_NE(result.region_of_vertex[v], 0);
        }
    }
}

TEST(RegionsMessy, ATwistJointStandsBetweenTheEndsOfItsBone) {
    const auto mesh = cylinder(0.2, 4, 81, 16);
    Collector warnings;
    const auto result = bound(
        mesh,
        joints_at({{-1, {-1.8, 0, 0}}, {0, {-1, 0, 0}}, {1, {1, 0, 0}}, {1, {0, 0, 0}}, {2, {1.7, 0, 0}}}),
        warnings);
    EXPECT_TRUE(warnings.has("joint-twist"));
    for (std::size_t v = 0; v < mesh.positions.size(); ++v)
        if (const float x = mesh.positions[v].x(); x > 0.1f && x < 0.9f) {
            EXPECT_EQ(result.region_of_vertex[v], 3) << x;
        }
}

TEST(RegionsMessy, AnEyeFollowsTheHeadAsAWhole) {
    auto mesh = test::body_of({{{0, -1, 0}, {0, 1, 0}, 0.3}}, 0.06);
    const std::size_t body = mesh.positions.size();
    geometry::append(mesh, test::cube({0.2f, 0.9f, 0.15f}, 0.08f));
    mesh.positions.push_back({0, 0.9f, 0});  // belongs to no triangle
    Collector warnings;
    const Vec3d tip(0, 1.2, 0);
    const auto result = bound(mesh, joints_at({{-1, {0, -0.9, 0}}, {0, {0, 0.2, 0}}}, &tip), warnings);
    for (std::size_t v = body; v < mesh.positions.size(); ++v) {
        EXPECT_EQ(result.region_of_vertex[v], 1);
        ASSERT_EQ(result.weights[v].size(), 1u);
    }
}

TEST(RegionsMessy, SeparateLimbsGoWithTheirBones) {
    auto mesh = cylinder(0.3, 2, 31, 16);
    const std::size_t first = mesh.positions.size();
    auto second = cylinder(0.25, 2, 31, 16);
    for (auto& p : second.positions) p.x() += 2.2f;
    geometry::append(mesh, second);
    Collector warnings;
    const Vec3d tip(3, 0, 0);
    const auto result = bound(mesh, joints_at({{-1, {-0.9, 0, 0}}, {0, {1.1, 0, 0}}}, &tip), warnings);
    for (std::size_t v = 0; v < mesh.positions.size(); ++v)
        if (v >= first || mesh.positions[v].x() < 0.7f) {
            EXPECT_EQ(result.region_of_vertex[v], v < first ? 0 : 1);
        }
}

TEST(RegionsMessy, OpenAndInsideOutSurfacesAreBoundToo) {
    auto open = test::tube(41, 16, 0.3, 4);
    for (const bool inside_out : {false, true}) {
        if (inside_out)
            for (auto& t : open.triangles) std::swap(t[1], t[2]);
        Collector warnings;
        const Vec3d tip(0, 3.9, 0);
        const auto result = bound(open, joints_at({{-1, {0, 0.3, 0}}, {0, {0, 2.03, 0}}}, &tip), warnings);
        for (std::size_t v = 0; v < open.positions.size(); ++v)
            EXPECT_EQ(result.region_of_vertex[v], open.positions[v].y() < 2.03f ? 0 : 1);
    }
}

TEST(RegionsMessy, BrokenInputSaysWhy) {
    EXPECT_THROW(rig::region_weights(cylinder(0.3, 2, 11, 8), model::Skeleton{}), Error);
    geometry::Mesh points;
    points.positions = {{0, 0, 0}, {1, 0, 0}};
    EXPECT_THROW(rig::region_weights(points, joints_at({{-1, {0, 0, 0}}})), Error);
    geometry::Mesh flat;
    flat.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    flat.triangles = {{0, 1, 2}};
    Collector warnings;
    bound(flat, joints_at({{-1, {0, 0, 0}}, {0, {0.5, 0.2, 0}}}), warnings);
}

TEST(RegionsMessy, ABoundaryAroundWhichTheSkinGoesOnIsReplacedAndTold) {
    // On a ring the far side of a cut is reached the other way round.
    const auto ring = test::torus(48, 16);
    Collector warnings;
    const Vec3d tip(0, -2, 0);
    const auto result =
        bound(ring, joints_at({{-1, {-2, 0, 0}}, {0, {0, 2, 0}}, {1, {2, 0, 0}}}, &tip), warnings);
    EXPECT_TRUE(warnings.has("boundary-fallback"));
    for (const rig::JointBoundary& b : result.boundaries) EXPECT_NE(b.kind, rig::BoundaryKind::non_planar);
    // Every joint keeps the skin around it.
    for (std::size_t v = 0; v < ring.positions.size(); ++v) {
        const double angle = std::atan2(ring.positions[v].y(), -ring.positions[v].x());
        const bool before = angle > 0.3 && angle<math::pi / 2 - 0.3, behind = angle> math::pi / 2 + 0.3 &&
                            angle < math::pi - 0.3;
        if (before || behind) {
            EXPECT_EQ(result.region_of_vertex[v], behind ? 1 : 0) << angle;
        }
    }
}

TEST(RegionsMessy, CrowdedBoundariesKeepParentsBetweenStrangers) {
    const auto mesh = cylinder(0.3, 2, 21, 12);
    std::vector<test::JointAt> joints;
    for (int j = 0; j < 300; ++j) joints.push_back({j - 1, {-0.95 + 0.006 * j, 0, 0}});
    Collector warnings;
    const auto result = bound(mesh, joints_at(joints), warnings);
    std::vector<int> parent(joints.size(), -1);
    for (const rig::JointBoundary& b : result.boundaries)
        parent[static_cast<std::size_t>(b.joint)] = b.parent;
    // However the boundaries crowd, regions that share an edge are parent and child.
    for (const auto& t : mesh.triangles)
        for (std::size_t k = 0; k < 3; ++k) {
            const int a = result.region_of_vertex[t[k]], b = result.region_of_vertex[t[(k + 1) % 3]];
            EXPECT_TRUE(a == b || parent[static_cast<std::size_t>(a)] == b ||
                        parent[static_cast<std::size_t>(b)] == a)
                << a << " " << b;
        }
}

TEST(RegionsSamples, ComeNearTheTrueWeights) {
    const auto distance = [](std::string_view name, std::size_t faces) {
        const model::Character character = test::sample(std::string(name), faces);
        model::Character other = character;
        other.skin = rig::make_skin(rig::region_weights(character.mesh, character.skeleton).weights,
                                    character.skeleton, character.mesh);
        return rig::measure_weights(character, other).mean_l1;
    };
    EXPECT_LT(distance("man", 0), 0.25);
    EXPECT_LT(distance("hand", 8000), 0.25);
}

TEST(RegionsRealData, ArtistsFiguresAreBoundNearTheirOwnWeights) {
    SINEW_NEEDS_DATA();
    for (const char* const name : {"gltf/CesiumMan.glb", "gltf/RiggedFigure.glb"}) {
        const model::Character character = io::read(test::data(name)).character;
        Collector warnings;
        const auto result = bound(character.mesh, character.skeleton, warnings);
        model::Character other = character;
        other.skin = rig::make_skin(result.weights, character.skeleton, character.mesh);
        EXPECT_LT(rig::measure_weights(character, other).mean_l1, 0.45) << name;
    }
}

}  // namespace
}  // namespace sinew
