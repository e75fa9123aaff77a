// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>

#include "support/random.h"
#include <gtest/gtest.h>

#include "sinew/articulated/closing/stages.h"

namespace sinew::articulated {
namespace {

std::vector<Vec3d> circle(std::size_t count, double height) {
    std::vector<Vec3d> points;
    for (std::size_t i = 0; i < count; ++i) {
        const double a = 2 * math::pi * static_cast<double>(i) / static_cast<double>(count);
        points.emplace_back(std::cos(a), height, -std::sin(a));
    }
    return points;
}

/// Places that do not fall, once around a loop at most.
std::vector<std::size_t> places(test::Random& random, std::size_t count, std::size_t loop) {
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < count; ++i)
        result.push_back(static_cast<std::size_t>(random.integer(0, static_cast<int>(loop))));
    std::ranges::sort(result);
    return result;
}

/// Ribs at random, many of which share an end with their neighbours; no two have both ends in common.
std::vector<Rib> random_ribs(test::Random& random, const std::vector<Vec3d>& lower,
                             const std::vector<Vec3d>& upper) {
    const auto count = static_cast<std::size_t>(random.integer(4, 20));
    const std::vector<std::size_t> from = places(random, count, lower.size()),
                                   to = places(random, count, upper.size());
    std::vector<Rib> ribs;
    for (std::size_t i = 0; i < count; ++i) {
        if (!ribs.empty() && ribs.back().from == from[i] && ribs.back().to == to[i]) continue;
        if (!ribs.empty() && from[i] == ribs[0].from + lower.size() && to[i] == ribs[0].to + upper.size())
            continue;
        Rib rib;
        rib.from = from[i];
        rib.to = to[i];
        const Vec3d a = lower[from[i] % lower.size()], b = upper[to[i] % upper.size()];
        const int inner = random.integer(0, 3);
        for (int k = 1; k <= inner; ++k)
            rib.points.push_back(a + (b - a) * k / (inner + 1) + random.vector(0.05));
        ribs.push_back(std::move(rib));
    }
    return ribs;
}

TEST(GapStrip, EveryEdgeOfAnyStripExistsOnceInEachDirection) {
    test::Random random;
    int tried = 0;
    for (int n = 0; n < 3000; ++n) {
        const std::vector<Vec3d> lower = circle(static_cast<std::size_t>(random.integer(5, 12)), 0);
        const std::vector<Vec3d> upper = circle(static_cast<std::size_t>(random.integer(5, 12)), 1);
        const std::vector<Rib> ribs = random_ribs(random, lower, upper);
        if (ribs.size() < 3) continue;
        const StripPatch patch = strip_between(ribs, lower, upper, true);
        if (!patch.sound) continue;  // it says so itself
        ++tried;
        std::map<std::pair<std::size_t, std::size_t>, int> edges;
        for (const geometry::Triangle& t : patch.triangles)
            for (std::size_t k = 0; k < 3; ++k) ++edges[{t[k], t[(k + 1) % 3]}];
        // The parts on either side have the edges of the loops the other way round.
        for (std::size_t i = 0; i < lower.size(); ++i) ++edges[{(i + 1) % lower.size(), i}];
        for (std::size_t i = 0; i < upper.size(); ++i)
            ++edges[{lower.size() + i, lower.size() + (i + 1) % upper.size()}];
        for (const auto& [edge, count] : edges) {
            ASSERT_EQ(count, 1) << edge.first << " " << edge.second << " in try " << n;
            ASSERT_TRUE(edges.contains({edge.second, edge.first})) << "in try " << n;
        }
    }
    EXPECT_GT(tried, 2900);
}

TEST(GapStrip, PolygonsAreTriangulatedWithoutForbiddenDiagonals) {
    const std::vector<Vec3d> points = circle(7, 0);
    const std::vector<std::uint32_t> polygon = {0, 1, 2, 3, 4, 5, 6};
    const auto all = [](std::size_t, std::size_t) { return true; };
    EXPECT_EQ(min_triangulation(polygon, points, all).size(), 5u);
    const auto none = [](std::size_t, std::size_t) { return false; };
    EXPECT_TRUE(min_triangulation(polygon, points, none).empty());
    const auto fan = [](std::size_t i, std::size_t j) { return i == 2 || j == 2; };
    for (const geometry::Triangle& t : min_triangulation(polygon, points, fan))
        EXPECT_TRUE(std::ranges::find(t, 2u) != t.end());
}

TEST(GapStrip, PlacesAreTheCheapestThatDoNotFall) {
    test::Random random;
    for (int n = 0; n < 50; ++n) {
        double cost[4][5];
        for (auto& row : cost)
            for (double& c : row) c = random.uniform();
        const auto of = [&](std::size_t i, std::size_t place) { return cost[i][place - 10]; };
        const std::vector<std::size_t> found = ordered_slots(4, 10, 14, of);
        double sum = 0, least = 1e9;
        for (std::size_t i = 0; i < 4; ++i) sum += of(i, found[i]);
        EXPECT_TRUE(std::ranges::is_sorted(found));
        for (int a = 0; a < 5; ++a)
            for (int b = a; b < 5; ++b)
                for (int c = b; c < 5; ++c)
                    for (int d = c; d < 5; ++d)
                        least = std::min(least, cost[0][a] + cost[1][b] + cost[2][c] + cost[3][d]);
        EXPECT_NEAR(sum, least, 1e-12);
    }
}

}  // namespace
}  // namespace sinew::articulated
