// SPDX-License-Identifier: MIT
#include "sinew/geometry/surface_queries.h"

#include "support/random.h"
#include "support/shapes.h"
#include <gtest/gtest.h>

#include "sinew/base/parallel.h"

namespace sinew::geometry {
namespace {

TEST(SurfaceQueries, RaysOnACube) {
    const SurfaceQueries cube(test::cube());
    const auto hit = cube.first_hit(Vec3f(-2, 0.1f, 0.2f), Vec3f(1, 0, 0));
    ASSERT_TRUE(hit);
    EXPECT_NEAR(hit->distance, 1.5, 1e-6);
    EXPECT_TRUE(hit->entering);
    const auto from_inside = cube.first_hit(Vec3f::Zero(), Vec3f(0, 2, 0));
    ASSERT_TRUE(from_inside);
    EXPECT_NEAR(from_inside->distance, 0.25, 1e-6) << "in lengths of the direction";
    EXPECT_FALSE(from_inside->entering);
    EXPECT_FALSE(cube.first_hit(Vec3f(-2, 0, 0), Vec3f(1, 0, 0), 1.0f));
    EXPECT_FALSE(cube.first_hit(Vec3f(-2, 0, 0), Vec3f(-1, 0, 0)));
    std::vector<RayHit> hits;
    cube.all_hits(Vec3f(-2, 0.1f, 0.2f), Vec3f(1, 0, 0), hits);
    ASSERT_EQ(hits.size(), 2u);
    EXPECT_TRUE(hits[0].entering);
    EXPECT_FALSE(hits[1].entering);
    EXPECT_FALSE(cube.sees(Vec3f(-2, 0, 0), Vec3f(2, 0.1f, 0)));
    EXPECT_TRUE(cube.sees(Vec3f(-2, 0, 0), Vec3f(-1, 0, 0)));
}

TEST(SurfaceQueries, BarycentricPlaceOfAHit) {
    const Mesh mesh = test::cube();
    const auto hit = SurfaceQueries(mesh).first_hit(Vec3f(-2, 0.1f, 0.2f), Vec3f(1, 0, 0));
    ASSERT_TRUE(hit);
    const Triangle& t = mesh.triangles[hit->triangle];
    const Vec3f point = (1 - hit->u - hit->v) * mesh.positions[t[0]] + hit->u * mesh.positions[t[1]] +
                        hit->v * mesh.positions[t[2]];
    EXPECT_NEAR((point - Vec3f(-0.5f, 0.1f, 0.2f)).norm(), 0, 1e-6);
}

TEST(SurfaceQueries, NearestPointsAgreeWithBruteForce) {
    test::Random random(3);
    Mesh mesh;
    for (std::uint32_t t = 0; t < 200; ++t) {
        const math::Vec3d middle = random.vector(2);
        for (int i = 0; i < 3; ++i) mesh.positions.push_back((middle + random.vector(0.4)).cast<float>());
        mesh.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
    }
    const SurfaceQueries queries(mesh);
    for (int i = 0; i < 500; ++i) {
        const Vec3f point = random.vector(3).cast<float>();
        float best = 1e9f;
        for (const Triangle& t : mesh.triangles) {
            best = std::min(best, (nearest_on_triangle(point, mesh.positions[t[0]], mesh.positions[t[1]],
                                                       mesh.positions[t[2]]) -
                                   point)
                                      .norm());
        }
        const auto nearest = queries.nearest(point);
        ASSERT_TRUE(nearest);
        EXPECT_NEAR(nearest->distance, best, 1e-6);
        EXPECT_NEAR((nearest->position - point).norm(), best, 1e-6);
        EXPECT_FALSE(queries.nearest(point, best * 0.99f));
    }
}

TEST(SurfaceQueries, NearestOnATriangleAgreesWithSampling) {
    test::Random random(4);
    for (int i = 0; i < 200; ++i) {
        const Vec3f a = random.vector().cast<float>(), b = random.vector().cast<float>(),
                    c = i % 10 == 0 ? a : Vec3f(random.vector().cast<float>()),
                    p = random.vector(2).cast<float>();
        const float exact = (nearest_on_triangle(p, a, b, c) - p).norm();
        float sampled = 1e9f;
        constexpr int n = 60;
        for (int u = 0; u <= n; ++u) {
            for (int v = 0; u + v <= n; ++v) {
                const Vec3f q =
                    a + (b - a) * (static_cast<float>(u) / n) + (c - a) * (static_cast<float>(v) / n);
                sampled = std::min(sampled, (q - p).norm());
            }
        }
        EXPECT_LE(exact, sampled + 1e-5f);
        EXPECT_GE(exact, sampled - 0.05f);
    }
}

TEST(SurfaceQueries, AnEmptyMeshHasNothing) {
    const SurfaceQueries nothing(Mesh{});
    EXPECT_FALSE(nothing.first_hit(Vec3f::Zero(), Vec3f(1, 0, 0)));
    EXPECT_FALSE(nothing.nearest(Vec3f::Zero()));
}

TEST(SurfaceQueries, LeavesAllThreadsToOthers) {
    const int before = thread_count();
    const SurfaceQueries cube(test::cube());
    EXPECT_EQ(thread_count(), before);
}

}  // namespace
}  // namespace sinew::geometry
