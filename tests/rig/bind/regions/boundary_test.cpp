// SPDX-License-Identifier: MIT
// Dividing points, profiles and boundaries: known answers.
#include "sinew/rig/bind/regions/boundary.h"

#include "rig/bind/regions/support.h"
#include "support/random.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/rig/bind.h"
#include "sinew/rig/bind/regions/dividing_points.h"

namespace sinew {
namespace {

using math::Vec3d;
using test::axis_skeleton;
using test::cylinder;

const rig::JointBoundary& boundary(const rig::RegionResult& result, int joint) {
    for (const rig::JointBoundary& b : result.boundaries)
        if (b.joint == joint) return b;
    fail("", "joint {} has no boundary", joint);
}

TEST(RegionProfile, ASecondDerivativeOfAFlatWallIsItsDistance) {
    const double h = 0.7, step = 0.01;
    std::vector<double> wall;
    for (int i = -50; i <= 50; ++i) wall.push_back(h / std::cos(i * step));
    rig::MinimumOptions options;
    options.step = step;
    EXPECT_NEAR(rig::second_derivative(wall, 50, options), h, 0.01 * h);
    EXPECT_EQ(rig::choose_minimum(wall, {}, options), 50);
}

/// Two equal minima at rays 30 and 70 with curvatures 1 and 3.
std::vector<double> two_minima(double step) {
    std::vector<double> profile;
    for (int i = 0; i < 100; ++i) {
        const double a = step * (i - 30), b = step * (i - 70);
        profile.push_back(std::min(1 + a * a / 2, 1 + 3 * b * b / 2));
    }
    return profile;
}

// Auto-rig test 15, with the smoothing and the stride of `bind --method regions`.
TEST(RegionProfile, OfEqualMinimaTheMoreAbruptIsTakenUnderNoiseToo) {
    rig::MinimumOptions options;
    options.step = math::pi / 101;  // a fan of half a turn
    EXPECT_EQ(rig::choose_minimum(two_minima(options.step), {}, options), 70);
    test::Random random(15);
    int right = 0;
    for (int n = 0; n < 200; ++n) {
        auto noisy = two_minima(options.step);
        for (double& d : noisy) d *= 1 + random.uniform(-0.01, 0.01);
        const int ray = rig::choose_minimum(rig::smooth_profile(noisy), {}, options);
        right += std::abs(ray - 70) <= 8 ? 1 : 0;
    }
    EXPECT_GE(right, 198);
}

TEST(RegionProfile, SmoothingKeepsALineAndPassesOverMissingHits) {
    std::vector<double> flat(20, 2.0);
    flat[7] = std::numeric_limits<double>::infinity();
    const auto smooth = rig::smooth_profile(flat, 2);
    for (std::size_t i = 0; i < smooth.size(); ++i) EXPECT_EQ(std::isfinite(smooth[i]), i != 7) << i;
    EXPECT_NEAR(smooth[8], 2, 1e-12);
    EXPECT_EQ(rig::choose_minimum(std::vector<double>(5, std::numeric_limits<double>::infinity()), {}, {}),
              -1);
}

TEST(RegionLinkage, BorderChildrenAreCountedFromTheParentInAnyOrderAndPose) {
    const auto at = [](double degrees) {
        return Vec3d(std::cos(math::radians(degrees)), std::sin(math::radians(degrees)), 0);
    };
    const std::vector<std::vector<double>> orders = {{10, -10, 60}, {60, 10, -10}, {-10, 60, 10}};
    const math::Quatd toward(Eigen::AngleAxisd(1.1, Vec3d(0.3, -0.5, 0.8).normalized()));
    for (const auto& order : orders) {
        std::vector<Vec3d> links;
        for (const double angle : order) links.push_back(toward * at(angle));
        const auto borders = rig::border_children(toward * Vec3d::UnitX(), toward * Vec3d::UnitZ(), links);
        EXPECT_EQ(order[borders.first], -10);
        EXPECT_EQ(order[borders.last], 60);
        EXPECT_NEAR(borders.first_angle, math::radians(170), 1e-9);
        EXPECT_NEAR(borders.last_angle, math::radians(240), 1e-9);
    }
}

TEST(RegionLinkage, SectorsOfABentJointEndAtItsBones) {
    rig::JointShape shape;
    shape.incoming = Vec3d::UnitX();
    shape.parent_length = 1;
    shape.links = {Vec3d(1, 1, 0)};
    const rig::SearchPlan plan = rig::search_plan(shape);
    EXPECT_NEAR(plan.sectors[0].sweep, math::radians(135), 1e-12);
    EXPECT_NEAR(plan.sectors[2].sweep, math::radians(225), 1e-12);
    EXPECT_NEAR(plan.sectors[0].toward.dot(Vec3d::UnitY()), 1, 1e-12);
    EXPECT_NEAR(plan.sectors[2].toward.dot(Vec3d::UnitY()), -1, 1e-12);
    EXPECT_NEAR(plan.axis.dot(Vec3d(1, 1, 0).normalized()), std::cos(math::radians(22.5)), 1e-12);
}

TEST(RegionLinkage, AForkIsSearchedAlongThePlaneOfItsLinks) {
    rig::JointShape shape;
    shape.at = {3, -2, 7};
    shape.incoming = Vec3d::UnitX();
    shape.parent_length = 1;
    shape.links = {Vec3d(1, 0.5, 0.001), Vec3d(1, -1, -0.001), Vec3d(1.2, 0, 0)};
    const rig::SearchPlan plan = rig::search_plan(shape);
    EXPECT_NEAR(std::abs(plan.sectors[1].toward.z()), 1, 1e-4) << "square to the plane";
    EXPECT_NEAR(plan.sectors[1].toward.dot(plan.sectors[3].toward), -1, 1e-12);
    // Each side is searched from the parent up to the outermost child there.
    const double up = math::pi - std::atan2(0.5, 1), down = math::pi - std::atan2(1, 1);
    const double first = plan.sectors[0].sweep, other = plan.sectors[2].sweep;
    EXPECT_NEAR(std::max(first, other), up, 1e-3);
    EXPECT_NEAR(std::min(first, other), down, 1e-3);
}

TEST(RegionBoundary, ACylinderIsDividedByACircle) {
    const double radius = 0.5;
    const auto mesh = cylinder(radius, 4, 81, 200);
    const auto result = rig::region_weights(mesh, axis_skeleton({-1.5, 0.013, 1.2}, 1.9));
    const auto& b = boundary(result, 1);
    EXPECT_EQ(b.kind, rig::BoundaryKind::non_planar);
    const double step = math::pi / 101;
    ASSERT_EQ(b.points.size(), 4u);
    for (const rig::DividingPoint& p : b.points) {
        EXPECT_GE(p.distance, radius * std::cos(math::pi / 200) - 1e-5);
        EXPECT_LE(p.distance, radius * (1 + 1.3e-4) + 1e-5);
        EXPECT_NEAR(p.position.x(), 0.013, radius * step);
        // What a chart shows: along each ray the wall, or one of the flat ends.
        ASSERT_EQ(p.profile.size(), 100u);
        ASSERT_EQ(p.smoothed.size(), 100u);
        EXPECT_EQ(p.profile[static_cast<std::size_t>(p.ray)], p.distance);
        for (std::size_t i = 0; i < 100; ++i) {
            const Vec3d ray = rig::ray_direction(p.fan, i, 100);
            const double wall = radius / std::hypot(ray.y(), ray.z()),
                         end = ((ray.x() > 0 ? 2 : -2) - p.from.x()) / ray.x();
            EXPECT_NEAR(p.profile[i], std::min(wall, end), 0.001 * p.profile[i]) << i;
            EXPECT_NEAR(p.smoothed[i], p.profile[i], 0.1 * p.profile[i]) << i;
        }
    }
    ASSERT_EQ(b.curve.size(), 1u);
    EXPECT_GT(b.curve[0].size(), 200u);
    for (const Vec3d& p : b.curve[0]) EXPECT_NEAR(p.x(), 0.013, 0.04 * radius);
    // The polygon of the four points, a quarter turn apart.
    ASSERT_EQ(b.simplified.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i) {
        const Vec3d &p = b.simplified[i], &next = b.simplified[(i + 1) % 4];
        EXPECT_NEAR(std::hypot(p.y(), p.z()), radius, 0.01 * radius);
        EXPECT_NEAR(p.y() * next.y() + p.z() * next.z(), 0, 0.01 * radius * radius);
    }
    EXPECT_NEAR(b.radius, radius, 0.01 * radius);
}

TEST(RegionBoundary, ANeckIsFoundWhereItIsNearest) {
    const auto neck = [](double x) { return 1 + 0.5 * x * x; };
    const auto mesh = test::revolved(neck, -1.5, 1.5, 301, 128);
    const rig::RegionSurface surface = rig::region_surface(mesh);
    for (const double at : {0.0}) {
        double min = 1e9;
        for (double x = -1; x <= 1; x += 1e-4) min = std::min(min, std::hypot(x - at, neck(x)));
        rig::JointShape shape;
        shape.at = surface.frame.to_unit({at, 0, 0});
        shape.incoming = (surface.frame.to_unit({1, 0, 0}) - surface.frame.to_unit({0, 0, 0})).normalized();
        shape.links = {shape.incoming};
        shape.parent_length = 1;
        shape.side = shape.incoming.unitOrthogonal();
        for (const auto& p : rig::dividing_points(surface, rig::search_plan(shape)))
            EXPECT_NEAR(p.distance / surface.frame.scale, min, 1e-3) << at;
    }
}

TEST(RegionBoundary, ASurfaceWithoutEnoughPointsIsThePlane) {
    const rig::DividingSurface cut(Vec3d::Zero(), Vec3d::UnitX(), std::vector<Vec3d>{{0, 1, 0}, {0, 0, 1}});
    EXPECT_TRUE(cut.planar());
    EXPECT_TRUE(cut.beyond({1, 5, 5}));
    EXPECT_FALSE(cut.beyond({-1, 5, 5}));
    const std::vector<Vec3d> leaning = {{1, 1, 0}, {0, 0, 1}, {0, -1, 0}, {0, 0, -1}};
    const rig::DividingSurface cone(Vec3d::Zero(), Vec3d::UnitX(), leaning);
    EXPECT_FALSE(cone.planar());
    EXPECT_FALSE(cone.beyond({0.5, 1, 0})) << "behind the plane piece that leans forward";
    EXPECT_TRUE(cone.beyond({0.1, -1, 0}));
    EXPECT_NEAR(cone.crossing({-1, -1, 0}, {1, -1, 0}), 0.5, 1e-9);
}

}  // namespace
}  // namespace sinew
