// SPDX-License-Identifier: MIT
#include "sinew/rig/silhouette/silhouette.h"

#include "rig/bodies.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/rig/silhouette/silhouette_surface.h"

namespace sinew::rig {
namespace {

using geometry::PolygonIndex;

Silhouette trace_silhouette(const WeldedSurface& surface, const Projection& projection,
                            SilhouetteVariant variant) {
    const Mask shadow = shadow_of(surface, projection);
    return variant == SilhouetteVariant::walk ? trace_walk(surface, projection, &shadow)
                                              : trace_raster(surface, projection);
}

/// Vertices of the convex hull, anticlockwise (Andrew 1979).
std::vector<int> hull(const Projection& projection) {
    const auto& xy = projection.xy;
    std::vector<int> order(xy.size()), out;
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
    const auto at = [&](int v) { return xy[static_cast<std::size_t>(v)]; };
    std::ranges::sort(order, {}, [&](int v) { return std::array{at(v).x(), at(v).y()}; });
    for (int pass = 0; pass < 2; ++pass) {
        const std::size_t base = out.size();
        for (const int v : order) {
            while (out.size() >= base + 2 &&
                   geometry::cross2(at(out.back()) - at(out[out.size() - 2]), at(v) - at(out.back())) <= 0) {
                out.pop_back();
            }
            out.push_back(v);
        }
        out.pop_back();
        std::ranges::reverse(order);
    }
    return out;
}

std::vector<int> vertices_of(const SilhouetteLoop& loop) {
    std::vector<int> out;
    for (const SilhouetteNode& node : loop) out.push_back(node.vertex);
    return out;
}

/// Rows of crossings with the sides of all loops: the shape as pixels, by the even-odd rule.
double overlap(const Silhouette& silhouette, const Mask& mask) {
    std::vector<std::vector<double>> rows(static_cast<std::size_t>(mask.height));
    for (const SilhouettePiece& piece : silhouette.pieces) {
        std::vector<SilhouetteLoop> loops = piece.holes;
        loops.push_back(piece.outer);
        for (const SilhouetteLoop& loop : loops) {
            for (std::size_t i = 0; i < loop.size(); ++i) {
                const Vec2d a = (loop[i].xy - mask.origin) / mask.pixel;
                const Vec2d b = (loop[(i + 1) % loop.size()].xy - mask.origin) / mask.pixel;
                for (int y = 0; y < mask.height; ++y) {
                    if ((a.y() > y) == (b.y() > y)) continue;
                    rows[static_cast<std::size_t>(y)].push_back(a.x() + (y - a.y()) / (b.y() - a.y()) *
                                                                            (b.x() - a.x()));
                }
            }
        }
    }
    std::size_t both = 0, either = 0;
    for (int y = 0; y < mask.height; ++y) {
        auto& row = rows[static_cast<std::size_t>(y)];
        std::ranges::sort(row);
        std::size_t passed = 0;
        for (int x = 0; x < mask.width; ++x) {
            while (passed < row.size() && row[passed] <= x) ++passed;
            const bool in = passed % 2 == 1, covered = mask.covered[mask.index(x, y)] != 0;
            both += in && covered;
            either += in || covered;
        }
    }
    return static_cast<double>(both) / static_cast<double>(either);
}

/// Part of sample points of all triangles that a piece does not contain.
double outside(const WeldedSurface& surface, const Projection& projection, const SilhouettePiece& piece) {
    const PolygonIndex index(polygon_of(piece));
    std::size_t count = 0, out = 0;
    for (const Triangle& t : surface.triangles) {
        for (const Vec3d& w : {Vec3d(1, 1, 1), Vec3d(4, 1, 1), Vec3d(1, 4, 1), Vec3d(1, 1, 4)}) {
            Vec2d at = Vec2d::Zero();
            for (std::size_t k = 0; k < 3; ++k) {
                at += w[static_cast<Eigen::Index>(k)] / w.sum() * projection.xy[t[k]];
            }
            ++count;
            out += !index.contains(at) && index.distance(at) > 1e-7 * surface.diagonal;
        }
    }
    return static_cast<double>(out) / static_cast<double>(count);
}

double area_of(const Silhouette& silhouette) {
    return silhouette.pieces.empty() ? 0 : geometry::area(polygon_of(silhouette.pieces[0]));
}

TEST(Silhouette, ConvexBodiesHaveTheirHull) {
    const WeldedSurface body = welded_surface(test::icosphere(2, {1, 1.4, 0.7}));
    ASSERT_EQ(body.positions.size(), 162u);
    test::Random random(4);
    for (int i = 0; i < 200; ++i) {
        const Projection projection = project(body, test::random_view(random));
        const std::vector<int> expected = hull(projection);
        const Mask shadow = shadow_of(body, projection);
        const Silhouette found = trace_walk(body, projection, i % 10 == 0 ? &shadow : nullptr);
        ASSERT_EQ(found.pieces.size(), 1u) << "view " << i;
        std::vector<int> loop = vertices_of(found.pieces[0].outer);
        std::ranges::rotate(loop, std::ranges::find(loop, expected.front()));
        EXPECT_EQ(loop, expected) << "view " << i;
        EXPECT_GT(area_of(found), 0);
        EXPECT_TRUE(found.pieces[0].holes.empty());
    }
}

struct Tube {
    const char* name;
    geometry::Mesh mesh;
    std::size_t holes;
};

TEST(Silhouette, WalkIsExactOnTubes) {
    const Tube tubes[] = {{"bent", test::bent(), 0},
                          {"S", test::s_shaped(), 0},
                          {"self-overlapping", test::self_overlapping(), 1}};
    for (const auto& [name, mesh, holes] : tubes) {
        const WeldedSurface surface = welded_surface(mesh);
        const Projection projection = test::seen_along_z(surface);
        const Silhouette found = trace_silhouette(surface, projection, SilhouetteVariant::walk);
        ASSERT_EQ(found.pieces.size(), 1u) << name;
        const SilhouettePiece& piece = found.pieces[0];
        EXPECT_TRUE(PolygonIndex(polygon_of(piece)).simple()) << name;
        EXPECT_GT(geometry::signed_area(points_of(piece.outer)), 0) << name;
        EXPECT_EQ(piece.holes.size(), holes) << name;
        for (const auto& hole : piece.holes) EXPECT_LT(geometry::signed_area(points_of(hole)), 0) << name;
        EXPECT_EQ(outside(surface, projection, piece), 0) << name;
        EXPECT_GE(overlap(found, rasterize(projection, surface.triangles, 2048)), 0.995) << name;
        const OutlineCheck verdict = check(found, surface, projection);
        EXPECT_TRUE(verdict.holds()) << name;
        EXPECT_EQ(verdict.inside, 1) << name;
    }
}

TEST(Silhouette, CrossingsCarryTheDepthsOfBothEdges) {
    const WeldedSurface surface = welded_surface(test::self_overlapping());
    const Projection projection = test::seen_along_z(surface);
    const Silhouette found = trace_silhouette(surface, projection, SilhouetteVariant::walk);
    int crossings = 0;
    for (const SilhouetteNode& node : found.pieces.at(0).outer) {
        if (node.vertex >= 0) {
            const auto v = static_cast<std::size_t>(node.vertex);
            EXPECT_EQ(node.xy, projection.xy[v]);
            EXPECT_EQ(node.trust, 1);
            continue;
        }
        ASSERT_TRUE(node.crossing.has_value());
        ++crossings;
        EXPECT_EQ(node.trust, 0) << "its depth is not to be trusted";
        const EdgeCrossing& c = *node.crossing;
        const auto place = [&](const std::array<std::uint32_t, 2>& e, double t) {
            return Vec3d(projection.xy[e[0]].x() + t * (projection.xy[e[1]] - projection.xy[e[0]]).x(),
                         projection.xy[e[0]].y() + t * (projection.xy[e[1]] - projection.xy[e[0]]).y(),
                         projection.z[e[0]] + t * (projection.z[e[1]] - projection.z[e[0]]));
        };
        const Vec3d a = place(c.a, c.ta), b = place(c.b, c.tb);
        EXPECT_LT((a.head<2>() - b.head<2>()).norm(), 1e-7);
        EXPECT_LT((a.head<2>() - node.xy).norm(), 1e-7);
        EXPECT_NEAR(a.z(), c.za, 1e-7);
        EXPECT_NEAR(b.z(), c.zb, 1e-7);
        EXPECT_NEAR(node.z, (c.za + c.zb) / 2, 1e-7);
    }
    EXPECT_GT(crossings, 0);
}

TEST(Silhouette, TheWalkTakesOverWhereAnotherMethodFails) {
    const WeldedSurface surface = welded_surface(test::self_overlapping());
    const Projection projection = test::seen_along_z(surface);
    Collector collector;
    const auto nothing = [](const WeldedSurface&, const Projection&) { return Silhouette(); };
    const Silhouette found =
        find_silhouette(surface, projection, SilhouetteVariant::other, collector, nothing);
    EXPECT_EQ(found.variant, SilhouetteVariant::walk);
    EXPECT_TRUE(collector.has("silhouette-fallback"));
    // Where it holds, what was asked for is given without a word.
    const WeldedSurface bent = welded_surface(test::bent());
    Collector quiet;
    EXPECT_EQ(find_silhouette(bent, test::seen_along_z(bent), SilhouetteVariant::raster, quiet).variant,
              SilhouetteVariant::raster);
    EXPECT_TRUE(quiet.warnings().empty());
}

TEST(Silhouette, PictureAgreesWithTheWalk) {
    for (const geometry::Mesh& mesh : {test::bent(), test::self_overlapping(), test::torus(40, 20)}) {
        const WeldedSurface surface = welded_surface(mesh);
        const Projection projection = test::seen_along_z(surface);
        const Silhouette walk = trace_silhouette(surface, projection, SilhouetteVariant::walk);
        const Silhouette raster = trace_silhouette(surface, projection, SilhouetteVariant::raster);
        ASSERT_EQ(raster.pieces.size(), 1u);
        EXPECT_EQ(raster.pieces[0].holes.size(), walk.pieces[0].holes.size());
        EXPECT_NEAR(area_of(raster), area_of(walk), 0.005 * area_of(walk));
        EXPECT_GE(overlap(raster, rasterize(projection, surface.triangles, 1024)), 0.99);
    }
}

TEST(Silhouette, PictureHasTheMiddleOfFrontAndBackAsDepth) {
    const WeldedSurface sphere = welded_surface(test::icosphere(4));
    const Silhouette found = trace_silhouette(sphere, test::seen_along_z(sphere), SilhouetteVariant::raster);
    for (const SilhouetteNode& node : found.pieces.at(0).outer) {
        EXPECT_NEAR(node.z, 0, 0.05);
        EXPECT_NEAR(node.xy.norm(), 1, 0.01);
    }
}

TEST(Silhouette, RingsHaveAHoleAndAnIslandInIt) {
    geometry::Mesh ring = test::torus(40, 20);
    geometry::Mesh island = test::icosphere(2, Vec3d::Constant(0.6));
    geometry::append(ring, island);
    const WeldedSurface surface = welded_surface(ring);
    const Silhouette found = trace_silhouette(surface, test::seen_along_z(surface), SilhouetteVariant::walk);
    ASSERT_EQ(found.pieces.size(), 2u);
    ASSERT_EQ(found.pieces[0].holes.size(), 1u);
    EXPECT_NEAR(geometry::signed_area(points_of(found.pieces[0].holes[0])), -math::pi * 1.5 * 1.5, 0.1);
    EXPECT_NEAR(geometry::signed_area(points_of(found.pieces[1].outer)), math::pi * 0.36, 0.05);
    const Silhouette closed = trace_walk(surface, test::seen_along_z(surface));
    ASSERT_EQ(closed.pieces.size(), 1u);
    EXPECT_TRUE(closed.pieces[0].holes.empty());
}

TEST(Silhouette, BodiesWithoutExtentInTheViewFailWithAReason) {
    const WeldedSurface sheet = welded_surface(test::sheet());
    const ViewFrame edge_on = view_frame(Vec3d::UnitX(), Vec3d::UnitY(), Vec3d::UnitY());
    EXPECT_THROW(find_silhouette(sheet, project(sheet, edge_on)), Error);
}

double median_side(const SilhouetteLoop& loop) {
    std::vector<double> sides;
    for (std::size_t i = 0; i < loop.size(); ++i) {
        sides.push_back((loop[(i + 1) % loop.size()].xy - loop[i].xy).norm());
    }
    std::ranges::sort(sides);
    return sides[sides.size() / 2];
}

TEST(Silhouette, ResamplingSpacesNodesEvenlyAndKeepsCorners) {
    const WeldedSurface surface = welded_surface(test::self_overlapping());
    const Projection projection = test::seen_along_z(surface);
    const Silhouette found = trace_silhouette(surface, projection, SilhouetteVariant::walk);
    const double step = resampling_step(found, surface.diagonal);
    EXPECT_GE(step, 0.003 * surface.diagonal);
    EXPECT_LE(step, 0.01 * surface.diagonal);
    const SilhouettePiece even = resampled(found.pieces[0], step);
    EXPECT_TRUE(PolygonIndex(polygon_of(even)).simple());
    EXPECT_NEAR(median_side(even.outer), step, 0.1 * step);
    EXPECT_NEAR(geometry::area(polygon_of(even)), area_of(found), 0.005 * area_of(found));
    ASSERT_EQ(even.holes.size(), 1u);
    // A square keeps its corners, whatever the step.
    SilhouettePiece square;
    for (const Vec2d& p : {Vec2d(0, 0), Vec2d(1, 0), Vec2d(1, 1), Vec2d(0, 1)}) {
        square.outer.push_back({p, p.x(), -1, {}, 1});
    }
    const SilhouettePiece fine = resampled(square, 0.07);
    EXPECT_NEAR(geometry::area(polygon_of(fine)), 1, 1e-12);
    EXPECT_EQ(fine.outer.size(), 4u * 14);
    for (const SilhouetteNode& node : fine.outer)
        EXPECT_NEAR(node.z, node.xy.x(), 1e-12) << "depth goes along";
}

}  // namespace
}  // namespace sinew::rig
