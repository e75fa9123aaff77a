// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "support/random.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/geometry/polygon.h"

namespace sinew::geometry {
namespace {

/// A loop around a point with random radii, anticlockwise.
Loop2 star(test::Random& random, int corners, const Vec2d& middle, double low, double high) {
    Loop2 out;
    for (int i = 0; i < corners; ++i) {
        const double angle = 2 * math::pi * (i + random.uniform(0, 0.9)) / corners;
        out.push_back(middle + random.uniform(low, high) * Vec2d(std::cos(angle), std::sin(angle)));
    }
    return out;
}

/// A band that winds inwards: far from star-shaped.
Loop2 spiral(test::Random& random, int corners) {
    Loop2 out, inner;
    for (int i = 0; i < corners / 2; ++i) {
        const double turn = 5 * math::pi * (i + random.uniform(0, 0.5)) / corners;
        const Vec2d way(std::cos(turn), std::sin(turn));
        out.push_back((1.2 + turn) * way);
        inner.push_back((0.2 + turn + random.uniform(0, 0.5)) * way);
    }
    out.insert(out.end(), inner.rbegin(), inner.rend());
    return out;
}

struct Sides {
    int terminal = 0, junction = 0, internal = 0;
    double area = 0;
};

Sides count(const Triangulation2& triangulation) {
    Sides out;
    for (const auto& t : triangulation.triangles) {
        const int sides = t.internal_sides();
        out.terminal += sides == 1;
        out.junction += sides == 3;
        out.internal += sides;
        const auto at = [&](std::size_t k) {
            return triangulation.points[static_cast<std::size_t>(t.corners[k])];
        };
        out.area += cross2(at(1) - at(0), at(2) - at(0)) / 2;
    }
    out.internal /= 2;
    return out;
}

/// The opposite corner of a neighbour never lies in the circle of a triangle.
void expect_delaunay(const Triangulation2& triangulation) {
    const auto at = [&](int p) { return triangulation.points[static_cast<std::size_t>(p)]; };
    for (std::size_t t = 0; t < triangulation.triangles.size(); ++t) {
        const auto& a = triangulation.triangles[t];
        for (std::size_t k = 0; k < 3; ++k) {
            if (a.external(k)) continue;
            const auto& b = triangulation.triangles[static_cast<std::size_t>(a.neighbors[k])];
            const auto back = std::ranges::find(b.neighbors, static_cast<int>(t)) - b.neighbors.begin();
            ASSERT_LT(back, 3) << "links go both ways";
            const int far = b.corners[static_cast<std::size_t>(back)];
            EXPECT_LE(in_circle(at(a.corners[0]), at(a.corners[1]), at(a.corners[2]), at(far)), 0);
        }
    }
}

/// Every side of the polygon is an external side of one triangle.
std::size_t external_sides(const Triangulation2& triangulation) {
    std::size_t out = 0;
    for (const auto& t : triangulation.triangles) out += 3 - static_cast<std::size_t>(t.internal_sides());
    return out;
}

void expect_identities(const Polygon2& polygon, int corners) {
    const int holes = static_cast<int>(polygon.holes.size());
    const Triangulation2 triangulation = triangulate(polygon);
    const Sides sides = count(triangulation);
    EXPECT_EQ(static_cast<int>(triangulation.triangles.size()), corners + 2 * holes - 2);
    EXPECT_EQ(sides.internal, corners + 3 * holes - 3);
    EXPECT_EQ(sides.terminal - sides.junction, 2 - 2 * holes);
    EXPECT_NEAR(sides.area, area(polygon), 1e-12 * area(polygon));
    EXPECT_EQ(external_sides(triangulation), static_cast<std::size_t>(corners));
    expect_delaunay(triangulation);
}

TEST(Triangulation, IdentitiesOfRandomSimplePolygons) {
    test::Random random(11);
    for (const int corners : {10, 11, 25, 60, 200, 700, 2000}) {
        for (int i = 0; i < (corners < 100 ? 20 : 2); ++i) {
            expect_identities({star(random, corners, Vec2d(3, -1), 0.4, 1), {}}, corners);
            const int even = corners / 2 * 2;
            expect_identities({spiral(random, even), {}}, even);
        }
    }
}

TEST(Triangulation, IdentitiesWithHoles) {
    test::Random random(12);
    for (int holes = 1; holes <= 5; ++holes) {
        Polygon2 polygon{star(random, 60, Vec2d::Zero(), 0.8, 1), {}};
        int corners = 60;
        for (int h = 0; h < holes; ++h) {
            const double turn = 2 * math::pi * h / holes;
            Loop2 hole = star(random, 7 + h, 0.5 * Vec2d(std::cos(turn), std::sin(turn)), 0.05, 0.15);
            std::ranges::reverse(hole);
            corners += 7 + h;
            polygon.holes.push_back(std::move(hole));
        }
        expect_identities(polygon, corners);
    }
}

TEST(Triangulation, PointsOfALatticeAreNoTrouble) {
    // Every four points lie on a circle and most three on a line.
    Loop2 comb;
    for (int i = 0; i <= 40; ++i) comb.emplace_back(i, 0);
    for (int i = 40; i >= 0; --i) comb.emplace_back(i, i % 2 == 0 ? 3 : 1);
    expect_identities({comb, {}}, static_cast<int>(comb.size()));
}

TEST(Triangulation, InCircleIsExactNearZero) {
    const Vec2d a(0, 0), b(1, 0), c(1, 1);
    EXPECT_EQ(in_circle(a, b, c, Vec2d(0, 1)), 0);
    EXPECT_GT(in_circle(a, b, c, Vec2d(1e-15, 1)), 0);
    EXPECT_LT(in_circle(a, b, c, Vec2d(-1e-15, 1)), 0);
    EXPECT_GT(in_circle(a, b, c, Vec2d(0.5, 0.5)), 0);
}

TEST(Triangulation, CrossingOrEmptyPolygonsFail) {
    EXPECT_THROW(triangulate({{Vec2d(0, 0), Vec2d(1, 0)}, {}}), Error);
    EXPECT_THROW(triangulate({{Vec2d(0, 0), Vec2d(1, 0), Vec2d(2, 0)}, {}}), Error);
    EXPECT_THROW(triangulate({{Vec2d(0, 0), Vec2d(2, 0), Vec2d(2, 2), Vec2d(1, -1), Vec2d(0, 2)}, {}}),
                 Error);
}

TEST(EarClipping, CoversASpiralOnceAndLeavesWhatIsInDoubt) {
    test::Random random(7);
    for (const int corners : {60, 400, 2000}) {
        const Loop2 loop = spiral(random, corners);
        const auto ears = clip_ears(loop);
        ASSERT_TRUE(ears.has_value());
        ASSERT_EQ(ears->size(), loop.size() - 2);
        double sum = 0;
        for (const auto& [a, b, c] : *ears) {
            const auto at = [&](int i) { return loop[static_cast<std::size_t>(i)]; };
            const double twice = cross2(at(b) - at(a), at(c) - at(a));
            EXPECT_GT(twice, 0);
            sum += twice / 2;
        }
        EXPECT_NEAR(sum, signed_area(loop), 1e-12 * sum);
    }
    // No corner of a loop in one line is an ear.
    EXPECT_FALSE(clip_ears({{0, 0}, {1, 0}, {2, 0}, {3, 0}}).has_value());
    EXPECT_FALSE(clip_ears({{0, 0}, {0, 1}, {1, 1}, {1, 0}}).has_value()) << "clockwise";
}

}  // namespace
}  // namespace sinew::geometry
