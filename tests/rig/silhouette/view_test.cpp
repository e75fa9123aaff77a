// SPDX-License-Identifier: MIT
#include "sinew/rig/silhouette/view.h"

#include <string>
#include <vector>

#include "rig/bodies.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/rig/silhouette/silhouette_surface.h"

namespace sinew::rig {
namespace {

TEST(View, MeanNormalsOfABoxSeesItsLargestShadow) {
    const WeldedSurface box = welded_surface(test::box({1, 2, 3}));
    const Vec3d direction = mean_normal_direction(box);
    EXPECT_LT((direction - Vec3d(6, 3, 2) / 7).norm(), 1e-12);
    EXPECT_NEAR(front_area(box, direction), 7, 1e-12);
    test::Random random(1);
    for (int i = 0; i < 10000; ++i) EXPECT_LE(front_area(box, random.unit_vector()), 7 + 1e-12);
    EXPECT_NEAR(front_area(box, Vec3d::UnitX()), 6, 1e-12);
    EXPECT_NEAR(front_area(box, Vec3d::UnitY()), 3, 1e-12);
    EXPECT_NEAR(front_area(box, Vec3d::UnitZ()), 2, 1e-12);
    ViewOptions options;
    options.mode = ViewMode::mean_normals;
    const View view = choose_view(box, options);
    EXPECT_LT((view.frame.z - Vec3d(6, 3, 2) / 7).norm(), 1e-12);
    EXPECT_NEAR(view.outline, 7, 0.07);
}

TEST(View, SphereIsSeenAlongZ) {
    const WeldedSurface sphere = welded_surface(test::icosphere(5));
    ASSERT_GE(sphere.triangles.size(), 10000u);
    test::Random random(2);
    for (int i = 0; i < 100; ++i) {
        EXPECT_NEAR(front_area(sphere, random.unit_vector()), math::pi, 0.002 * math::pi);
    }
    EXPECT_EQ(choose_view(sphere).frame.z, Vec3d(Vec3d::UnitZ()));
}

TEST(View, LargestOutlineSnapsToAnAxisThatIsNearlyAsGood) {
    // The largest shadow of a thin plate is its face; turned a little, the axis is still nearly as good.
    for (const double turn : {0.0, 0.15}) {
        geometry::Mesh plate = test::box({0.1, 4, 3});
        const Eigen::AngleAxisd rotation(turn, Vec3d::UnitY());
        for (auto& p : plate.positions) p = (rotation * p.cast<double>()).cast<float>();
        EXPECT_EQ(choose_view(welded_surface(plate)).frame.z, Vec3d(Vec3d::UnitX())) << turn;
    }
    // Turned by much, its own axis is taken.
    geometry::Mesh plate = test::box({0.1, 4, 3});
    const Eigen::AngleAxisd rotation(0.7, Vec3d(1, 2, 3).normalized());
    for (auto& p : plate.positions) p = (rotation * p.cast<double>()).cast<float>();
    const View view = choose_view(welded_surface(plate));
    EXPECT_GT(std::abs(view.frame.z.dot(rotation * Vec3d::UnitX())), 0.9999);
}

TEST(View, WhatHidesItselfCountsLess) {
    // Two plates one behind the other along z show more area there, but half of it is hidden.
    geometry::Mesh plates = test::box({2, 2, 0.02});
    geometry::Mesh second = plates;
    for (auto& p : second.positions) p.z() += 1.9f;
    geometry::append(plates, second);
    const WeldedSurface surface = welded_surface(plates);
    ViewOptions options;
    options.mode = ViewMode::axis_z;
    const View along_z = choose_view(surface, options);
    EXPECT_NEAR(along_z.front_area, 8, 1e-5);
    EXPECT_NEAR(along_z.outline, 4, 0.1);
    EXPECT_NEAR(along_z.occlusion, 0.5, 0.02);
    const View best = choose_view(surface);
    EXPECT_LT(best.occlusion, 0.4);
}

TEST(View, AxisAndUserModesLookWhereTheyAreTold) {
    const WeldedSurface surface = welded_surface(test::box({1, 2, 3}));
    ViewOptions options;
    const std::pair<ViewMode, Vec3d> modes[] = {{ViewMode::axis_x, Vec3d::UnitX()},
                                                {ViewMode::axis_y, Vec3d::UnitY()},
                                                {ViewMode::axis_z, Vec3d::UnitZ()},
                                                {ViewMode::user, Vec3d(1, 2, -2) / 3}};
    options.direction = Vec3d(2, 4, -4);
    for (const auto& [mode, direction] : modes) {
        options.mode = mode;
        EXPECT_LT((choose_view(surface, options).frame.z - direction).norm(), 1e-12);
    }
    options.direction = Vec3d::Zero();
    EXPECT_THROW(choose_view(surface, options), Error);
}

TEST(View, FramesAreRightHandedUprightAndKeepDepth) {
    const WeldedSurface surface = welded_surface(test::icosphere(2, {1, 2, 3}));
    test::Random random(3);
    for (int i = 0; i < 100; ++i) {
        const Vec3d direction = random.unit_vector(), up = random.unit_vector();
        const ViewFrame frame = view_frame(direction, up, Vec3d::UnitX());
        EXPECT_LT((frame.x.cross(frame.y) - frame.z).norm(), 1e-12);
        EXPECT_LT((frame.z - direction).norm(), 1e-12);
        EXPECT_GT(frame.y.dot(up), 0);
        EXPECT_NEAR(frame.x.dot(up), 0, 1e-12);
        const Projection projection = project(surface, frame);
        for (std::size_t v = 0; v < surface.positions.size(); v += 7) {
            const Vec3d back = projection.lifted(projection.xy[v], projection.z[v]);
            EXPECT_LT((back - surface.positions[v]).norm(), 1e-12);
        }
    }
    // Looking along the upright, the longest axis of the body stands up instead.
    const ViewFrame above = view_frame(Vec3d::UnitY(), Vec3d::UnitY(), Vec3d(1, 1, 0));
    EXPECT_LT((above.y - Vec3d::UnitX()).norm(), 1e-12);
    const ViewFrame any = view_frame(Vec3d::UnitY(), Vec3d::UnitY(), Vec3d::UnitY());
    EXPECT_LT((any.x.cross(any.y) - any.z).norm(), 1e-12);
}

TEST(View, ShadowsOnAGridHaveTheAreaOfTheBody) {
    const WeldedSurface torus = welded_surface(test::torus(48, 24));
    const Mask mask = rasterize(test::seen_along_z(torus), torus.triangles, 512);
    EXPECT_NEAR(mask.area(), math::pi * (2.5 * 2.5 - 1.5 * 1.5), 0.15);
    const std::vector<MaskHole> holes = holes_of(mask);
    ASSERT_EQ(holes.size(), 1u);
    EXPECT_NEAR(static_cast<double>(holes[0].pixels) * mask.pixel * mask.pixel, math::pi * 1.5 * 1.5, 0.15);
    EXPECT_LT(mask.center(holes[0].deepest[0], holes[0].deepest[1]).norm(), 0.1);
    const Shadow shadow(torus);
    EXPECT_NEAR(shadow.area({}, 512), mask.area(), 1e-3 * mask.area());
}

TEST(View, HolesOfAMaskAreToldFromBays) {
    // Two holes, one of which winds, and a bay that opens to the edge.
    const std::vector<std::string> picture = {"..........", ".########.", ".#.#....#.", ".#.#.##.#.",
                                              ".#.#.#..#.", ".#.#.##.#.", ".#.######.", ".........."};
    Mask mask;
    mask.width = static_cast<int>(picture[0].size());
    mask.height = static_cast<int>(picture.size());
    for (const std::string& row : picture) {
        for (const char c : row) mask.covered.push_back(c == '#' ? 1 : 0);
    }
    mask.covered[mask.index(2, 6)] = 0;
    ASSERT_EQ(holes_of(mask).size(), 1u);
    EXPECT_EQ(holes_of(mask)[0].pixels, 11u);
    EXPECT_TRUE(holes_of(mask, 12).empty());
    mask.covered[mask.index(2, 6)] = 1;
    const std::vector<MaskHole> holes = holes_of(mask);
    ASSERT_EQ(holes.size(), 2u);
    EXPECT_EQ(holes[0].pixels, 4u);
    EXPECT_EQ(holes[1].pixels, 11u);
}

}  // namespace
}  // namespace sinew::rig
