// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>

#include "support/cut_shapes.h"
#include "support/random.h"
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sinew/geometry/part_shape.h"

namespace sinew::geometry {
namespace {

using math::Mat3d;

std::vector<Vec3d> doubles(const std::vector<Vec3f>& points) {
    std::vector<Vec3d> result;
    for (const Vec3f& p : points) result.push_back(p.cast<double>());
    return result;
}

/// A box 4 x 2 x 1 about the origin, each side divided into n x n squares.
std::vector<Vec3d> box_points(int n) {
    std::vector<Vec3d> points;
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= n; ++j)
            for (int k = 0; k <= n; ++k) {
                if (i % n != 0 && j % n != 0 && k % n != 0) continue;
                points.emplace_back(4.0 * i / n - 2, 2.0 * j / n - 1, 1.0 * k / n - 0.5);
            }
    return points;
}

TEST(Hull, IsClosedConvexAndHasOnlyCorners) {
    test::Random random(5);
    for (int round = 0; round < 20; ++round) {
        std::vector<Vec3d> points;
        for (int i = 0; i < 80; ++i) points.push_back(random.vector());
        const Hull hull = convex_hull(points);
        EXPECT_EQ(hull.triangles.size(), 2 * hull.points.size() - 4);
        std::set<std::array<std::uint32_t, 2>> sides;
        for (const auto& t : hull.triangles) {
            for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(sides.insert({t[i], t[(i + 1) % 3]}).second);
            const Vec3d n =
                (hull.points[t[1]] - hull.points[t[0]]).cross(hull.points[t[2]] - hull.points[t[0]]);
            for (const Vec3d& p : points) EXPECT_LE(n.dot(p - hull.points[t[0]]), 1e-12);
        }
        for (const auto& [a, b] : sides) EXPECT_TRUE(sides.contains({b, a}));
    }
}

TEST(Hull, ManyPointsInFacesAreLeftOutAndFlatOnesHaveNone) {
    const Hull hull = convex_hull(box_points(6));
    const SheetMoments moments = sheet_moments(hull.points, hull.triangles);
    EXPECT_NEAR(moments.area, 28, 1e-12);
    std::set<std::array<std::uint32_t, 2>> sides;
    for (const auto& t : hull.triangles)
        for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(sides.insert({t[i], t[(i + 1) % 3]}).second);
    EXPECT_TRUE(convex_hull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0.3, 0.2, 0}}).empty());
    EXPECT_TRUE(convex_hull({{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}).empty());
    EXPECT_TRUE(convex_hull({}).empty());
}

TEST(Hull, CovarianceOfABoxIsKnownAndIndependentOfTriangles) {
    const Mat3d known = Vec3d(12.0 / 7, 11.0 / 21, 5.0 / 28).asDiagonal();
    const Hull coarse = convex_hull(box_points(1));
    EXPECT_LT((sheet_moments(coarse.points, coarse.triangles).covariance - known).norm(), 1e-12);
    const Hull fine = convex_hull(box_points(7));
    EXPECT_LT((sheet_moments(fine.points, fine.triangles).covariance - known).norm(), 1e-10);
}

RC_GTEST_PROP(Hull, CovarianceTurnsWithTheBox, ()) {
    test::Random random(*rc::gen::arbitrary<unsigned>());
    const Mat3d turn = random.rotation().toRotationMatrix();
    const Vec3d shift = random.vector(10);
    std::vector<Vec3d> points = box_points(1);
    for (Vec3d& p : points) p = turn * p + shift;
    const Hull hull = convex_hull(points);
    const SheetMoments moments = sheet_moments(hull.points, hull.triangles);
    const Mat3d known = Vec3d(12.0 / 7, 11.0 / 21, 5.0 / 28).asDiagonal();
    RC_ASSERT((moments.covariance - turn * known * turn.transpose()).norm() < 1e-10);
    RC_ASSERT((moments.centroid - shift).norm() < 1e-10);
    const Mat3d axes = principal_directions(moments.covariance, Vec3d::Zero());
    const OrientedBox box = box_around(points, axes);
    RC_ASSERT((box.half - Vec3d(2, 1, 0.5)).norm() < 1e-9);
    RC_ASSERT(std::abs(axes.determinant() - 1) < 1e-12);
    for (const Vec3d& p : points) RC_ASSERT(box.contains(p, 1e-9));
}

TEST(Kernel, OfAnLPrismIsItsCorner) {
    const Mesh mesh = test::l_prism();
    const auto core = kernel(doubles(mesh.positions), mesh.triangles);
    ASSERT_TRUE(core);
    const SheetMoments moments = sheet_moments(core->points, core->triangles);
    EXPECT_NEAR((moments.centroid - Vec3d::Constant(0.5)).norm(), 0, 1e-9);
    EXPECT_NEAR(moments.area, 6, 1e-9);
    EXPECT_NEAR(solid_moments(core->points, core->triangles).volume, 1, 1e-9);
    const Vec3d mass = solid_moments(doubles(mesh.positions), mesh.triangles).centroid;
    EXPECT_NEAR((mass - Vec3d(5.0 / 6, 5.0 / 6, 0.5)).norm(), 0, 1e-9);
}

TEST(Kernel, OfAConvexSolidIsTheSolid) {
    std::vector<Vec3d> points;
    test::Random random(8);
    for (int i = 0; i < 60; ++i) points.push_back(random.vector());
    const Hull solid = convex_hull(points);
    const auto core = kernel(solid.points, solid.triangles);
    ASSERT_TRUE(core);
    EXPECT_NEAR(solid_moments(core->points, core->triangles).volume,
                solid_moments(solid.points, solid.triangles).volume, 1e-9);
}

TEST(Kernel, OfAUPrismIsEmptyAndTheFallbackIsInside) {
    const Mesh mesh = test::u_prism();
    EXPECT_FALSE(kernel(doubles(mesh.positions), mesh.triangles));
    const CutMesh cut = cut_mesh(mesh);
    Collector monitor;
    const PartFeatures features = part_features(cut, part_tree(cut), monitor).front();
    // Mass of the U: (1.5, 9/7, 0.5) lies between the towers, outside.
    EXPECT_EQ(features.centre_kind, CentreKind::clearance);
    EXPECT_TRUE(monitor.has("part-centre-outside"));
    const PartSurface surface = part_surfaces(cut).front();
    EXPECT_GT(winding_number(surface, features.centre), 0.99);
    EXPECT_GT(distance_to(surface, features.centre), 0.49);  // of 0.5 that there is
}

/// A star-shaped solid: a sphere whose points are moved along their rays.
struct Star {
    std::vector<Vec3d> points;
    std::vector<Triangle> triangles;
};
Star random_star(test::Random& random) {
    std::vector<Vec3d> sphere;
    for (int i = 0; i < 120; ++i) {
        const double z = (2 * i + 1) / 120.0 - 1, turn = 2.399963 * i, r = std::sqrt(1 - z * z);
        sphere.emplace_back(r * std::cos(turn), r * std::sin(turn), z);
    }
    Hull hull = convex_hull(sphere);
    const Vec3d shift = random.vector(3);
    Star star{{}, hull.triangles};
    for (const Vec3d& p : hull.points) star.points.push_back(random.uniform(0.85, 1.15) * p + shift);
    return star;
}

RC_GTEST_PROP(Kernel, EveryVertexIsSeenFromItsCentroid, ()) {
    test::Random random(*rc::gen::arbitrary<unsigned>());
    const Star star = random_star(random);
    const auto core = kernel(star.points, star.triangles);
    if (!core) return;  // noise may fold the surface towards the middle
    const Vec3d centre = sheet_moments(core->points, core->triangles).centroid;
    const PartSurface surface{star.points, star.triangles, 0, 0, {}};
    for (const Vec3d& p : star.points) {
        const double length = (p - centre).norm();
        RC_ASSERT(first_hit(surface, centre, (p - centre) / length) > length * (1 - 1e-7));
    }
}

TEST(Kernel, MostStarsHaveOne) {
    test::Random random(2);
    int found = 0;
    for (int i = 0; i < 20; ++i) {
        const Star star = random_star(random);
        if (kernel(star.points, star.triangles)) ++found;
    }
    EXPECT_GT(found, 12);
}

RC_GTEST_PROP(Kernel, InnerBallTouchesAndNeverCuts, ()) {
    test::Random random(*rc::gen::arbitrary<unsigned>());
    std::vector<HalfSpace> planes;
    for (int i = 0; i < 40; ++i) planes.push_back({random.unit_vector(), random.uniform(-0.2, 1)});
    const InnerSphere sphere = inner_sphere(planes, Vec3d::Zero(), 2);
    double room = 1e9;
    int touched = 0;
    for (const HalfSpace& h : planes) {
        const double here = h.offset - h.normal.dot(sphere.centre);
        room = std::min(room, here);
        if (std::abs(here - sphere.radius) < 1e-9) ++touched;
    }
    RC_ASSERT(std::abs(room - sphere.radius) < 1e-9);
    // Four planes hold the largest sphere, unless the cube does.
    const bool in_cube = sphere.centre.cwiseAbs().maxCoeff() < 2 - 1e-9 && sphere.radius < 2 - 1e-9;
    RC_ASSERT(!in_cube || touched >= 4);
}

TEST(PartFeatures, OfThreeCylinders) {
    const CutMesh cut = cut_mesh(test::three_cylinders());
    const PartTree tree = part_tree(cut, {1, -1, 1});
    const std::vector<PartFeatures> features = part_features(cut, tree);
    ASSERT_EQ(features.size(), 3u);
    for (const PartFeatures& f : features) {
        EXPECT_EQ(f.centre_kind, CentreKind::kernel);
        EXPECT_NEAR(std::abs(f.box.axes.col(f.main_axis).z()), 1, 1e-6);
        EXPECT_NEAR(f.box.axes.determinant(), 1, 1e-12);
    }
    EXPECT_NEAR((features[1].centre - Vec3d(0, 0, 3.5)).norm(), 0, 1e-6);
    EXPECT_NEAR(features[1].box.half[0], 1.5, 1e-6);
    const Vec3d* ends = features[1].axis_ends;
    EXPECT_NEAR(std::min(ends[0].z(), ends[1].z()), 2, 1e-6);
    EXPECT_NEAR(std::max(ends[0].z(), ends[1].z()), 5, 1e-6);
    EXPECT_NEAR(features[1].median_edge, 0.5, 1e-6);
}

TEST(PartFeatures, PrincipalAxisPointsAwayFromTheParent) {
    const CutMesh cut = cut_mesh(
        test::cut_tube({0, 1, 2, 3, 4, 5, 6, 7, 8}, {4}, [](double z) { return z < 4 ? 1.0 : 0.5; }));
    for (const bool up : {true, false}) {
        const PartTree tree = part_tree(cut, up ? std::vector<int>{-1, 0} : std::vector<int>{1, -1});
        const PartFeatures leaf = part_features(cut, tree)[up ? 1 : 0];
        EXPECT_NEAR(leaf.box.axes(2, 0), up ? 1 : -1, 1e-9);
        EXPECT_NEAR(leaf.axis_ends[1].z(), up ? 8 : 0, 1e-6);
    }
}

TEST(PartFeatures, ALineOfTheHullMayLeaveThePart) {
    const CutMesh cut = cut_mesh(test::u_prism());
    const PartShape shape = part_shapes(cut).front();
    Vec3d ends[2];
    clip_to_hull(shape, Vec3d::UnitX(), ends);
    EXPECT_NEAR(ends[0].x(), 0, 1e-9);
    EXPECT_NEAR(ends[1].x(), 3, 1e-9);
    EXPECT_LT(winding_number(shape.surface, {1.5, ends[0].y() + 1e-6, 0.5 + 1e-6}), 0.5);
}

TEST(PartFeatures, WindingDistanceAndRaysOfACube) {
    const CutMesh cut = cut_mesh(test::cube());
    const PartSurface surface = part_surfaces(cut).front();
    const Vec3d middle = solid_moments(surface.points, surface.triangles).centroid;
    EXPECT_NEAR(winding_number(surface, middle), 1, 1e-12);
    EXPECT_NEAR(winding_number(surface, middle + Vec3d(9, 0, 0)), 0, 1e-12);
    const double half = distance_to(surface, middle);
    EXPECT_NEAR(first_hit(surface, middle, Vec3d::UnitX()), half, 1e-12);
    EXPECT_NEAR(first_hit(surface, middle, Vec3d(1, 1, 1).normalized()), half * std::sqrt(3), 1e-9);
    EXPECT_TRUE(std::isinf(first_hit(surface, middle + Vec3d(9, 0, 0), Vec3d::UnitX())));
}

}  // namespace
}  // namespace sinew::geometry
