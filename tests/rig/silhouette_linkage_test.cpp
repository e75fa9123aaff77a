// Outlines along the edges of the mesh: unrolled fans, linkage and the two levels of the search.

#include "rig/bodies.h"
#include <gtest/gtest.h>

#include "sinew/published/silhouette_variants.h"

namespace sinew::rig {
namespace {

/// A vertex at the origin and a closed ring of others around it.
WeldedSurface fan_of(const std::vector<Vec3d>& ring) {
    geometry::Mesh mesh;
    mesh.positions.push_back(geometry::Vec3f::Zero());
    for (const Vec3d& p : ring) mesh.positions.push_back(p.cast<float>());
    const auto count = static_cast<std::uint32_t>(ring.size());
    for (std::uint32_t i = 0; i < count; ++i) mesh.triangles.push_back({0, 1 + i, 1 + (i + 1) % count});
    return welded_surface(mesh);
}

TEST(Fan, TurnsOfRandomClosedFansAreWhole) {
    test::Random random(6);
    int seen[2] = {0, 0};
    for (int i = 0; i < 500; ++i) {
        std::vector<Vec3d> ring;
        for (int k = random.integer(3, 12); k > 0; --k) ring.push_back(random.unit_vector());
        const WeldedSurface surface = fan_of(ring);
        const Projection projection = project(surface, test::random_view(random));
        const Fan fan = FanFinder(surface, projection)(0, 1);
        ASSERT_TRUE(fan.closed);
        EXPECT_EQ(fan.neighbors.size(), ring.size());
        EXPECT_NEAR(fan.total, 2 * math::pi * fan.winding, 1e-9);
        ++seen[fan.winding != 0];
    }
    EXPECT_GT(seen[0], 50);
    EXPECT_GT(seen[1], 50);
}

TEST(Fan, PyramidCoversItsApexFromAboveAndFoldsItFromTheSide) {
    std::vector<Vec3d> ring;
    for (int i = 0; i < 6; ++i) {
        ring.emplace_back(std::cos(math::pi / 3 * i + 0.1), -1.5, std::sin(math::pi / 3 * i + 0.1));
    }
    const WeldedSurface pyramid = fan_of(ring);
    const auto seen_from = [&](const Vec3d& eye) {
        const Projection projection = project(pyramid, view_frame(eye, Vec3d::UnitX(), Vec3d::UnitZ()));
        return FanFinder(pyramid, projection)(0, 1).winding;
    };
    EXPECT_EQ(std::abs(seen_from(Vec3d::UnitY())), 1);
    EXPECT_EQ(seen_from(Vec3d::UnitY()), -seen_from(-Vec3d::UnitY()));
    EXPECT_EQ(seen_from(Vec3d::UnitX()), 0);
    EXPECT_EQ(seen_from(Vec3d(1, 0.1, 2)), 0);
}

TEST(Fan, OpenFansUnrollFromOneEndToTheOther) {
    const WeldedSurface sheet = welded_surface(test::sheet(3, 3));
    const Projection projection = test::seen_along_z(sheet);
    const FanFinder fans(sheet, projection);
    // The middle of an edge of the sheet: half a turn from one end of the edge to the other.
    const Fan fan = fans(1, 0);
    EXPECT_FALSE(fan.closed);
    const auto [low, high] = std::ranges::minmax(fan.angles);
    EXPECT_NEAR(high - low, math::pi, 1e-12);
}

TEST(Linkage, BothRulesHoldOnConvexBodies) {
    const WeldedSurface body = welded_surface(test::icosphere(2, {1, 1.4, 0.7}));
    test::Random random(7);
    for (int i = 0; i < 40; ++i) {
        const Projection projection = project(body, test::random_view(random));
        for (const auto variant : {SilhouetteVariant::linkage, SilhouetteVariant::linkage_modified}) {
            const Silhouette found = trace_silhouette(body, projection, variant);
            ASSERT_FALSE(found.pieces.empty()) << name_of(variant) << " view " << i;
            EXPECT_TRUE(check(found, body, projection).holds()) << name_of(variant) << " view " << i;
        }
    }
}

TEST(Linkage, NeitherRuleClosesWhereEdgesCrossAndTheWalkTakesOver) {
    const WeldedSurface surface = welded_surface(test::self_overlapping());
    const Projection projection = test::seen_along_z(surface);
    for (const auto variant : {SilhouetteVariant::linkage, SilhouetteVariant::linkage_modified}) {
        OutlineOptions options;
        options.variant = variant;
        Collector collector;
        const Silhouette alone = trace_silhouette(surface, projection, variant);
        EXPECT_FALSE(check(alone, surface, projection).holds()) << name_of(variant);
        EXPECT_EQ(find_silhouette(surface, projection, options, collector).variant, SilhouetteVariant::walk);
        EXPECT_TRUE(collector.has("silhouette-fallback"));
    }
}

TEST(Search, ReachIsTheLongestEdgeInTheView) {
    const WeldedSurface box = welded_surface(test::box({1, 2, 5}));
    const std::vector<double> radii = search_radii(box, test::seen_along_z(box));
    for (const double r : radii) EXPECT_GE(r, 2);
    for (const double r : radii) EXPECT_LE(r, std::sqrt(5.0) + 1e-6);
}

TEST(Search, LargerReachSkipsDetail) {
    const WeldedSurface surface = welded_surface(test::bent());
    const Projection projection = test::seen_along_z(surface);
    OutlineOptions wide;
    wide.radius_scale = 4;
    const auto fine = search_outline(surface, projection, {});
    const auto coarse = search_outline(surface, projection, wide);
    ASSERT_GE(coarse.size(), 3u);
    EXPECT_LT(coarse.size(), fine.size());
}

/// Whether neighbours on a closed tour share an edge of the mesh.
std::size_t gaps(const WeldedSurface& surface, const std::vector<std::uint32_t>& tour) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < tour.size(); ++i) {
        const std::uint32_t a = tour[i], b = tour[(i + 1) % tour.size()];
        count += std::ranges::none_of(surface.edges.edges, [&](const geometry::Edge& e) {
            return e.a == std::min(a, b) && e.b == std::max(a, b);
        });
    }
    return count;
}

TEST(Search, PathsFollowTheEdgesOfTheMeshGreedilyAndByShortestWays) {
    const WeldedSurface surface = welded_surface(test::s_shaped());
    const Projection projection = test::seen_along_z(surface);
    OutlineOptions options;
    options.radius_scale = 3;
    const auto tour = search_outline(surface, projection, options);
    ASSERT_GE(tour.size(), 4u);
    ASSERT_GT(gaps(surface, tour), 0u) << "nothing to connect";
    for (const bool shortest : {true, false}) {
        const auto connected = connect_outline(surface, projection, tour, shortest);
        EXPECT_GT(connected.size(), tour.size()) << shortest;
        // Greedy ways may give up; the shortest never do on one shell.
        EXPECT_LT(gaps(surface, connected), shortest ? 1 : gaps(surface, tour)) << shortest;
        // The tour's own vertices stay, in their order.
        auto at = connected.begin();
        for (const std::uint32_t v : tour) {
            at = std::find(at, connected.end(), v);
            ASSERT_NE(at, connected.end());
        }
    }
}

TEST(Search, ShortestWaysStayNearTheStraightLineAndShellsAreBridged) {
    const WeldedSurface sheet = welded_surface(test::sheet(9, 9));
    const Projection projection = test::seen_along_z(sheet);
    // From (0, 4) to (8, 4) along the middle row.
    const auto way = connect_outline(sheet, projection, {4, 76}, true);
    EXPECT_EQ(way.size(), 16u) << "there and back, nine vertices a row";
    for (const std::uint32_t v : way) EXPECT_EQ(projection.xy[v].y(), 4);
    geometry::Mesh two = test::cube();
    geometry::append(two, test::cube(geometry::Vec3f(5, 0, 0)));
    const WeldedSurface apart = welded_surface(two);
    for (const bool shortest : {true, false}) {
        EXPECT_EQ(connect_outline(apart, test::seen_along_z(apart), {0, 9, 11}, shortest).size(), 3u)
            << "straight where there is no way";
    }
}

}  // namespace
}  // namespace sinew::rig
