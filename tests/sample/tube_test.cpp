// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/geometry/topology.h"
#include "sinew/math/quaternion.h"
#include "sinew/sample/samples.h"

namespace sinew::sample {
namespace {

double capsule_volume(const TubeOptions& o) {
    return math::pi * o.radius * o.radius * (o.length + 4.0 / 3 * o.radius);
}

TEST(Tube, IsAClosedBallWithTheVolumeOfTheCapsule) {
    TubeOptions options;
    options.segments = 96;
    options.rings = 81;
    const geometry::Mesh mesh = make_tube(options).mesh;
    const geometry::Topology t = geometry::topology(mesh);
    EXPECT_TRUE(t.closed && t.manifold && t.oriented);
    EXPECT_EQ(t.genus, 0);
    EXPECT_EQ(t.components, 1u);
    EXPECT_NEAR(geometry::signed_volume(mesh.positions, mesh.triangles) / capsule_volume(options), 1, 2e-3);
}

TEST(Tube, VolumeErrorFallsWithTheSquareOfTheSegments) {
    TubeOptions coarse, fine;
    coarse.segments = 24;
    fine.segments = 48;
    const auto error = [](const TubeOptions& o) {
        const geometry::Mesh mesh = make_tube(o).mesh;
        return 1 - geometry::signed_volume(mesh.positions, mesh.triangles) / capsule_volume(o);
    };
    EXPECT_NEAR(error(coarse) / error(fine), 4, 0.2);
}

TEST(Tube, NormalsPointAwayFromTheAxis) {
    const TubeOptions options;
    const geometry::Mesh mesh = make_tube(options).mesh;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const auto& p = mesh.positions[v];
        const float y = std::clamp(p.y(), 0.0f, static_cast<float>(options.length));
        const geometry::Vec3f expected = (p - geometry::Vec3f(0, y, 0)) / static_cast<float>(options.radius);
        EXPECT_LT((mesh.normals[v] - expected).norm(), 1e-5f);
    }
}

TEST(Tube, WeightsAreLinearAcrossTheJoint) {
    const TubeOptions options;
    const model::Character tube = make_tube(options);
    for (std::size_t v = 0; v < tube.mesh.positions.size(); ++v) {
        double upper = 0;
        for (const model::Influence& influence : tube.skin.of(v))
            if (influence.joint == 1) upper = influence.weight;
        const double y = tube.mesh.positions[v].y();
        EXPECT_NEAR(upper, std::clamp((y - 0.35) / 0.3, 0.0, 1.0), 1e-5) << "at y = " << y;
    }
}

TEST(Tube, ClipsTurnTheUpperBone) {
    const model::Character tube = make_tube();
    const auto top = [&](const char* name) {
        const model::Clip* clip = model::find_clip(tube, name);
        const auto world = model::world_matrices(tube, clip, 1.0);
        return math::transform_point(world[1], *tube.skeleton.joints[1].tip);
    };
    // Bent by 120 degrees about x, the tip goes from (0, 1, 0) to (0, 0.5 + 0.5 cos 120, 0.5 sin 120).
    EXPECT_LT((top("bend") - math::Vec3d(0, 0.25, 0.5 * std::sqrt(0.75))).norm(), 1e-6);
    EXPECT_LT((top("twist") - math::Vec3d(0, 1, 0)).norm(), 1e-6);
    const auto world = model::world_matrices(tube, model::find_clip(tube, "twist"), 1.0);
    EXPECT_NEAR(world[1](0, 0), -1, 1e-6);
}

TEST(Tube, RejectsImpossibleSizes) {
    TubeOptions flat, thin, coarse;
    flat.length = 0;
    thin.radius = -1;
    coarse.segments = 2;
    EXPECT_THROW(make_tube(flat), Error);
    EXPECT_THROW(make_tube(thin), Error);
    EXPECT_THROW(make_tube(coarse), Error);
}

}  // namespace
}  // namespace sinew::sample
