// SPDX-License-Identifier: MIT
// Outlines along the edges of the mesh: unrolled fans, linkage and the two levels of the search.

#include "sinew/published/silhouette_variants.h"

#include "rig/bodies.h"
#include <gtest/gtest.h>

#include "sinew/rig/silhouette/silhouette_skeleton.h"

namespace sinew::published {
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
        for (const auto trace : {trace_linkage, trace_linkage_modified}) {
            const Silhouette found = trace(body, projection);
            ASSERT_FALSE(found.pieces.empty()) << "view " << i;
            EXPECT_TRUE(check(found, body, projection).holds()) << "view " << i;
        }
    }
}

TEST(Linkage, NeitherRuleClosesWhereEdgesCrossAndTheWalkTakesOver) {
    const WeldedSurface surface = welded_surface(test::self_overlapping());
    const Projection projection = test::seen_along_z(surface);
    for (const OutlineTracer& trace : {OutlineTracer(trace_linkage), OutlineTracer(trace_linkage_modified)}) {
        Collector collector;
        EXPECT_FALSE(check(trace(surface, projection), surface, projection).holds());
        const Silhouette found =
            find_silhouette(surface, projection, SilhouetteVariant::other, collector, trace);
        EXPECT_EQ(found.variant, SilhouetteVariant::walk);
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
    const auto fine = search_outline(surface, projection);
    const auto coarse = search_outline(surface, projection, 4);
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

TEST(Search, PathsFollowTheEdgesOfTheMesh) {
    const WeldedSurface surface = welded_surface(test::s_shaped());
    const Projection projection = test::seen_along_z(surface);
    const auto tour = search_outline(surface, projection, 3);
    ASSERT_GE(tour.size(), 4u);
    ASSERT_GT(gaps(surface, tour), 0u) << "nothing to connect";
    const auto connected = connect_outline(surface, projection, tour);
    EXPECT_GT(connected.size(), tour.size());
    EXPECT_EQ(gaps(surface, connected), 0u);
    // The tour's own vertices stay, in their order.
    auto at = connected.begin();
    for (const std::uint32_t v : tour) {
        at = std::find(at, connected.end(), v);
        ASSERT_NE(at, connected.end());
    }
}

TEST(Search, ShortestPathsStayNearTheStraightLineAndShellsAreBridged) {
    const WeldedSurface sheet = welded_surface(test::sheet(9, 9));
    const Projection projection = test::seen_along_z(sheet);
    // From (0, 4) to (8, 4) along the middle row.
    const auto way = connect_outline(sheet, projection, {4, 76});
    EXPECT_EQ(way.size(), 16u) << "there and back, nine vertices a row";
    for (const std::uint32_t v : way) EXPECT_EQ(projection.xy[v].y(), 4);
    geometry::Mesh two = test::cube();
    geometry::append(two, test::cube(geometry::Vec3f(5, 0, 0)));
    const WeldedSurface apart = welded_surface(two);
    EXPECT_EQ(connect_outline(apart, test::seen_along_z(apart), {0, 9, 11}).size(), 3u)
        << "straight where there is no path";
}

/// Whether a tour goes round all vertices.
bool encloses(const std::vector<std::uint32_t>& tour, const Projection& projection, double tolerance) {
    geometry::Loop2 loop;
    for (const std::uint32_t v : tour) loop.push_back(projection.xy[v]);
    if (loop.size() < 3 || !(geometry::signed_area(loop) > 0)) return false;
    const geometry::PolygonIndex index(geometry::Polygon2{loop, {}});
    return index.simple() && std::ranges::all_of(projection.xy, [&](const Vec2d& p) {
               return index.contains(p) || index.distance(p) <= tolerance;
           });
}

TEST(Search, SearchGoesRoundConvexBodies) {
    const WeldedSurface body = welded_surface(test::icosphere(2, {1, 1.4, 0.7}));
    test::Random random(5);
    for (int i = 0; i < 200; ++i) {
        const Projection projection = project(body, test::random_view(random));
        EXPECT_TRUE(encloses(search_outline(body, projection), projection, 1e-9)) << "view " << i;
    }
}

TEST(Search, StartIsTheHighestThenLeftmostVertex) {
    const WeldedSurface surface = welded_surface(test::cube());
    const Projection projection = test::seen_along_z(surface);
    const std::uint32_t start = start_vertex(surface, projection);
    EXPECT_EQ(projection.xy[start], Vec2d(-0.5, 0.5));
    EXPECT_EQ(start, 2u) << "the first of two in one place";
    EXPECT_NEAR(clockwise(Vec2d(1, 0), Vec2d(0, -1)), math::pi / 2, 1e-15);
    EXPECT_NEAR(clockwise(Vec2d(1, 0), Vec2d(0, 1)), 3 * math::pi / 2, 1e-15);
    EXPECT_EQ(clockwise(Vec2d(1, 0), Vec2d(2, 0)), 0);
}

double area_of(const Silhouette& silhouette) {
    return silhouette.pieces.empty() ? 0 : geometry::area(polygon_of(silhouette.pieces[0]));
}

TEST(Search, RepairedSearchComesCloseToTheWalkOnOpenPoses) {
    for (const geometry::Mesh& mesh : {test::bent(), test::s_shaped()}) {
        const WeldedSurface surface = welded_surface(mesh);
        const Projection projection = test::seen_along_z(surface);
        const double exact = area_of(trace_walk(surface, projection));
        const Silhouette found = trace_search(surface, projection);
        ASSERT_EQ(found.pieces.size(), 1u);
        EXPECT_NEAR(area_of(found), exact, 0.01 * exact);
    }
}

TEST(DepthByOutlines, SecondViewIsAcrossTheFirstAndTheBranch) {
    const WeldedSurface patch = welded_surface(test::body_of({{{0, 0, 0}, {0, 0, 2}, 0.2}}, 0.1));
    MedialGraph::Branch branch;
    branch.nodes = {{Vec3d(0, 0, 0), 0.2}, {Vec3d(3, 1, 1), 0.2}};
    const Vec3d view = Vec3d::UnitZ();
    const ViewFrame frame = second_view(branch, patch, view);
    EXPECT_NEAR(frame.z.dot(view), 0, 1e-12);
    EXPECT_NEAR(frame.z.dot(Vec3d(3, 1, 0)), 0, 1e-12);
    EXPECT_LT((frame.y - view).norm(), 1e-12) << "depth is height";
    // Along the view the patch decides; where that runs along it too, any view from the side will do.
    branch.nodes = {{Vec3d(0, 0, 0), 0.2}, {Vec3d(0, 0, 2), 0.2}};
    const ViewFrame side = second_view(branch, patch, view);
    EXPECT_NEAR(side.z.norm(), 1, 1e-12);
    EXPECT_NEAR(side.z.dot(view), 0, 1e-3);
    const WeldedSurface leaning = welded_surface(test::body_of({{{0, 0, 0}, {1, 0, 2}, 0.2}}, 0.1));
    EXPECT_GT(std::abs(second_view(branch, leaning, view).z.y()), 0.99);
}

TEST(DepthByOutlines, CutPatchesHaveClosedOutlines) {
    // A tube without ends: the cuts close its outline.
    const WeldedSurface tube = welded_surface(test::tube(20, 24, 0.5, 4));
    const SilhouettePiece outline =
        second_silhouette(tube, view_frame(Vec3d::UnitX(), Vec3d::UnitZ(), Vec3d::UnitY()));
    ASSERT_GE(outline.outer.size(), 8u);
    EXPECT_TRUE(geometry::PolygonIndex(polygon_of(outline)).simple());
    EXPECT_NEAR(geometry::area(polygon_of(outline)), 4, 0.05);
}

TEST(DepthByOutlines, DepthIsInterpolatedBetweenTheFourNeighboursOfAChord) {
    // Sides y = 1 + x and y = -1 from x = 0 to 6, in steps that differ above and below.
    geometry::Loop2 loop;
    for (int i = 0; i <= 6; ++i) loop.emplace_back(i, -1);
    for (int i = 12; i >= 0; --i) loop.emplace_back(0.5 * i, 1 + 0.5 * i);
    const auto triangulation = geometry::triangulate({loop, {}});
    for (const double along : {1.1, 2.0, 2.77, 3.9}) {
        const auto depth = depth_between(triangulation, along, along / 2);
        ASSERT_TRUE(depth.has_value());
        EXPECT_NEAR(*depth, along / 2, 0.3) << along;
    }
    // Equal steps: exact but where a place lies beyond the two points of a side, which are held then.
    geometry::Loop2 even;
    for (int i = 0; i <= 12; ++i) even.emplace_back(0.5 * i, -1 - 0.1 * i);
    for (int i = 12; i >= 0; --i) even.emplace_back(0.5 * i, 1 + 0.2 * i);
    const auto strip = geometry::triangulate({even, {}});
    for (double along = 0.6; along < 5.4; along += 0.17) {
        const auto depth = depth_between(strip, along, 0.05 * along);
        ASSERT_TRUE(depth.has_value());
        EXPECT_NEAR(*depth, 0.1 * along, 0.03) << along;
    }
    const auto triangle = geometry::triangulate({{Vec2d(0, 0), Vec2d(1, 0), Vec2d(0, 1)}, {}});
    EXPECT_FALSE(depth_between(triangle, 0.3, 0.3).has_value());
}

TEST(DepthByOutlines, HalfDiscHasItsDepthFromItsSecondOutline) {
    SilhouetteOptions options;
    options.view.mode = ViewMode::axis_z;
    SilhouetteStages stages;
    stages.depth = refine_by_silhouettes;
    const SilhouetteResult result =
        silhouette_skeleton(test::half_disc_prism(), options, {}, silent(), stages);
    ASSERT_EQ(result.coarse.branches.size(), 1u);
    for (const CurveNode& node : result.coarse.branches[0].nodes) EXPECT_NEAR(node.position.z(), 0, 1e-6);
    ASSERT_EQ(result.refined.branches.size(), 1u);
    const auto& nodes = result.refined.branches[0].nodes;
    EXPECT_GT(nodes.size(), 20u);
    for (const CurveNode& node : nodes) {
        EXPECT_NEAR(node.position.z(), 0.5, 0.01);
        EXPECT_NEAR(node.position.x(), 0, 0.01);
    }
    EXPECT_EQ(result.inside_fraction, 1);
}

}  // namespace
}  // namespace sinew::published
