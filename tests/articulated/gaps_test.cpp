// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <set>

#include "articulated/bodies.h"
#include "support/cut_shapes.h"
#include "support/samples.h"

#include "sinew/articulated/closing/gap.h"
#include "sinew/articulated/closing/stages.h"
#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/deform/deformer.h"

namespace sinew::articulated {
namespace {

const Vec3d bend_axis = Vec3d::UnitX();

GapCloser close_tube(const model::Character& character, const GapOptions& options = {}) {
    return GapCloser(rigid_parts_of_skin(character).body, options);
}

TEST(Gaps, RestIsTheInputBitForBit) {
    const model::Character character = tube();
    const GapFrame frame = close_tube(character).close(std::vector<Rigidd>(2));
    EXPECT_EQ(frame.moved_gaps, 0u);
    EXPECT_EQ(frame.patch_triangles, 0u);
    EXPECT_EQ(frame.mesh.triangles, character.mesh.triangles);
    EXPECT_EQ(frame.mesh.positions, character.mesh.positions);
    EXPECT_EQ(frame.mesh.normals, character.mesh.normals);
    EXPECT_EQ(std::memcmp(frame.mesh.positions.data(), character.mesh.positions.data(),
                          12 * character.mesh.positions.size()),
              0);
}

TEST(Gaps, MovingAsAWholeChangesNothing) {
    const model::Character character = tube();
    test::Random random;
    const std::vector<Rigidd> world(2, random.rigid());
    const GapFrame frame = close_tube(character).close(world);
    EXPECT_EQ(frame.moved_gaps, 0u);
    EXPECT_EQ(frame.mesh.triangles, character.mesh.triangles);
    expect_closed(frame.mesh);
}

TEST(Gaps, KeptVerticesFollowTheirPart) {
    const GapCloser closer = close_tube(tube());
    const std::vector<Rigidd> world = bent(closer, bend_axis, 70);
    const GapFrame frame = closer.close(world);
    const Mesh& rest = closer.body().mesh;
    std::size_t seen = 0;
    for (std::size_t t = 0; t < rest.triangles.size(); ++t) {
        if (frame.removed_triangles[t]) continue;
        const Rigidd& w = world[static_cast<std::size_t>(closer.body().cut.part_of[t])];
        const geometry::Triangle& now = frame.mesh.triangles[seen++];
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3d expected = w * rest.positions[rest.triangles[t][k]].cast<double>();
            // Copies of a point of the seam that come apart by a little stay together.
            EXPECT_LT((frame.mesh.positions[now[k]].cast<double>() - expected).norm(), 0.3 * 0.02);
        }
    }
    EXPECT_EQ(seen, first_patch_triangle(frame));
    EXPECT_GT(frame.removed_vertices, 0u);
    EXPECT_GT(frame.added_vertices, 0u);
}

/// What a bend puts on the outer side of the joint.
struct OuterPatch {
    double area = 0;
    double volume = 0;
    double worst_normal = 0;  ///< degrees from (p - J) / r
};

OuterPatch outer_patch(const GapCloser& closer, double degrees) {
    const GapFrame frame = closer.close(bent(closer, bend_axis, degrees));
    const Vec3d joint = closer.body().pivot[1];
    const Vec3d outward = math::axis_angle<double>(bend_axis, math::radians(degrees) / 2) * Vec3d(0, 0, -1);
    OuterPatch outer;
    for (std::size_t t = first_patch_triangle(frame); t < frame.mesh.triangles.size(); ++t) {
        const auto& c = frame.mesh.triangles[t];
        const auto at = [&](std::size_t k) {
            return Vec3d(frame.mesh.positions[c[k]].cast<double>() - joint);
        };
        if ((at(0) + at(1) + at(2)).dot(outward) <= 0) continue;
        outer.area += (at(1) - at(0)).cross(at(2) - at(0)).norm() / 2;
        outer.volume += at(0).dot(at(1).cross(at(2))) / 6;
    }
    for (const Rib& rib : frame.patches[0].ribs.ribs) {
        if (rib.kind != RibKind::outer) continue;
        const Vec3d seam = closer.body().cut.points[closer.gaps()[0].sides[0].points[rib.seam]];
        for (const Vec3d& p : rib.points) EXPECT_NEAR((p - joint).norm(), (seam - joint).norm(), 1e-12 * 0.1);
    }
    const std::size_t first = frame.mesh.vertex_count() - frame.added_vertices;
    for (std::size_t v = first; v < frame.mesh.vertex_count(); ++v) {
        const Vec3d p = frame.mesh.positions[v].cast<double>() - joint;
        if (p.dot(outward) < 0.3 * p.norm()) continue;
        const double cosine = frame.mesh.normals[v].cast<double>().dot(p.normalized());
        EXPECT_NEAR(frame.mesh.normals[v].norm(), 1, 1e-6);
        outer.worst_normal = std::max(outer.worst_normal, math::degrees(std::acos(std::min(1.0, cosine))));
    }
    return outer;
}

TEST(Gaps, OuterSideOfABentTubeIsPartOfASphere) {
    constexpr double r = 0.1, theta = math::pi / 2;
    constexpr double area = 2 * r * r * theta, volume = 2.0 / 3 * r * r * r * theta;
    const GapCloser coarse = close_tube(tube(0.1)), fine = close_tube(tube(0.05));
    const OuterPatch a = outer_patch(coarse, 90), b = outer_patch(fine, 90);
    EXPECT_NEAR(b.area, area, 0.01 * area);
    EXPECT_NEAR(b.volume, volume, 0.01 * volume);
    EXPECT_LT(b.worst_normal, 5);
    // Second order: half the spacing, a quarter of the error.
    EXPECT_LT(std::abs(b.area - area), 0.4 * std::abs(a.area - area));
    EXPECT_LT(std::abs(b.volume - volume), 0.4 * std::abs(a.volume - volume));
}

TEST(Gaps, ArcsHaveConstantSpeed) {
    SeamPath path;
    path.from = path.to = {0, 0, 1};
    path.rotation = math::axis_angle<double>(bend_axis, math::radians(90));
    for (int i = 0; i <= 100; ++i) {
        const Vec3d expected = math::axis_angle<double>(bend_axis, math::radians(0.9 * i)) * path.from;
        EXPECT_LT((path.at(i / 100.0) - expected).norm(), 1e-12);
    }
    EXPECT_NEAR(path.length(), math::pi / 2, 1e-12);
    EXPECT_EQ(arc_points(path, 0.2).size(), 7u);
}

TEST(Gaps, InnerPointsOfABentTube) {
    constexpr double r = 0.7, h = 1.9;
    for (const double degrees : {20.0, 60.0, 90.0, 120.0}) {
        const double half = math::radians(degrees) / 2;
        const Quatd turn = math::axis_angle<double>(bend_axis, 2 * half);
        const Vec3d deepest(0, 0, r), middle = (deepest + turn * deepest) / 2;
        CurveEnd parent{{0, -h, r}, Vec3d::UnitZ(), -Vec3d::UnitY()};
        CurveEnd child{turn * Vec3d(0, h, r), turn * Vec3d::UnitZ(), turn * Vec3d::UnitY()};
        const InnerCurve inner = inner_curve(child, parent, middle, bend_axis, {});
        EXPECT_NEAR(middle.norm(), r * std::cos(half), 1e-9 * r);
        EXPECT_NEAR(inner.crossing.norm(), r / std::cos(half), 1e-9 * r);
        EXPECT_NEAR(inner.control.norm(), r * (std::cos(half) + 1 / std::cos(half)) / 2, 1e-9 * r);
        EXPECT_LT(inner.control.cross(middle).norm(), 1e-9 * r);
        EXPECT_EQ(inner.curve.at(0), child.point);
        EXPECT_EQ(inner.curve.at(1), parent.point);
        // Without the middle point the curve leaves both limbs along them.
        const InnerCurve smooth = inner_curve(child, parent, middle, bend_axis, {.lambda = 0});
        EXPECT_LT((smooth.curve.at(1e-6) - child.point).normalized().cross(child.inward).norm(), 1e-5);
        // Sharpness puts the shoulder between chord and control point.
        const InnerCurve sharp = inner_curve(child, parent, middle, bend_axis, {.sharpness = 0.8});
        const Vec3d chord = (child.point + parent.point) / 2;
        EXPECT_LT((sharp.curve.at(0.5) - (chord + 0.8 * (sharp.control - chord))).norm(), 1e-9);
    }
}

/// The tube by itself, as counted here: edges from each of its points to the seam at the height of the joint,
/// walking in one part only.
struct CountedPart {
    std::vector<std::set<std::uint32_t>> around;
    std::vector<int> hops;
    int deepest = 0;
};

CountedPart count_part(const PartBody& body, int part) {
    CountedPart counted;
    counted.around.resize(body.cut.points.size());
    counted.hops.assign(body.cut.points.size(), -1);
    for (std::size_t t = 0; t < body.cut.triangles.size(); ++t) {
        if (body.cut.part_of[t] != part) continue;
        for (const std::uint32_t a : body.cut.triangles[t])
            for (const std::uint32_t b : body.cut.triangles[t])
                if (a != b) counted.around[a].insert(b);
    }
    std::vector<std::uint32_t> front;
    for (std::uint32_t p = 0; p < counted.hops.size(); ++p)
        if (!counted.around[p].empty() && std::abs(body.cut.points[p].y() - body.pivot[1].y()) < 1e-6)
            front.push_back(p);
    for (int hops = 0; !front.empty(); ++hops) {
        std::vector<std::uint32_t> next;
        for (const std::uint32_t p : front) {
            if (counted.hops[p] >= 0) continue;
            counted.hops[p] = counted.deepest = hops;
            next.insert(next.end(), counted.around[p].begin(), counted.around[p].end());
        }
        front = std::move(next);
    }
    return counted;
}

TEST(Gaps, NeighboursHopsAndSpacingAreCounted) {
    const GapCloser closer = close_tube(tube());
    const PartBody& body = closer.body();
    const Gap& gap = closer.gaps()[0];
    double spacing = 0;
    for (int s = 0; s < 2; ++s) {
        const GapSide& side = gap.sides[s];
        const CountedPart counted = count_part(body, side.part);
        std::size_t complete = 0;
        for (std::size_t p = 0; p < side.points.size(); ++p) {
            EXPECT_EQ(side.hops[p], counted.hops[side.points[p]]);
            if (p >= gap.loop_size && !side.removable[p]) continue;  // the last ring knows half of its own
            std::set<std::uint32_t> around;
            for (const std::uint32_t q : side.neighbours[p]) around.insert(side.points[q]);
            EXPECT_EQ(around, counted.around[side.points[p]]);
            ++complete;
        }
        EXPECT_GT(complete, 300u);
        std::vector<double> lengths;
        for (std::uint32_t p = 0; p < counted.around.size(); ++p)
            for (const std::uint32_t q : counted.around[p])
                if (p < q) lengths.push_back((body.cut.points[p] - body.cut.points[q]).norm());
        std::ranges::sort(lengths);
        spacing += lengths[lengths.size() / 2] / 2;
    }
    EXPECT_NEAR(gap.spacing, spacing, 1e-4 * spacing);  // where the border counts once, the middle may shift
    EXPECT_NEAR(gap.spacing, 0.02, 0.001);
}

TEST(Gaps, FloodFillEqualsBruteForce) {
    const GapCloser closer = close_tube(tube());
    const Gap& gap = closer.gaps()[0];
    const PartBody& body = closer.body();
    const Vec3d joint = body.pivot[1];
    const std::vector<Rigidd> world = bent(closer, bend_axis, 65);
    const GapMotion motion = gap_motion(gap, world[1], true);
    Cut cut;
    cut.seam = judge_seam(gap, body, motion, 0.3 * gap.spacing);
    // A wall that nothing passes: what is behind it is inside too, but the opening does not reach it.
    std::set<std::uint32_t> wall;
    for (int part : {0, 1}) {
        const CountedPart counted = count_part(body, part);
        for (std::uint32_t p = 0; p < counted.hops.size(); ++p)
            if (counted.hops[p] == 3) wall.insert(p);
    }
    for (const bool walled : {false, true}) {
        const auto blocked = [&](const Vec3d& p) {
            return walled && std::ranges::any_of(wall, [&](std::uint32_t w) {
                       return (world[1].inverse() * p - body.cut.points[w]).norm() < 1e-9 ||
                              (world[1] * p - body.cut.points[w]).norm() < 1e-9;
                   });
        };
        const auto inside = [&](int s, const Vec3d& p) {
            return body.box[static_cast<std::size_t>(1 - s)].contains(p) && !blocked(p);
        };
        ASSERT_TRUE(cut_gap(gap, body, motion, inside, 1 << 20, cut));
        for (int s = 0; s < 2; ++s) {
            const GapSide& side = gap.sides[s];
            const CountedPart counted = count_part(body, side.part);
            // Candidates: on the seam those of the inner side, elsewhere what is carried behind the plane of
            // the joint into the other's box, in the near half of the part.
            std::set<std::uint32_t> candidates, expected, out_of_reach;
            for (std::uint32_t p = 0; p < counted.hops.size(); ++p) {
                if (counted.hops[p] < 0) continue;
                const Vec3d rest = body.cut.points[p], seen = (s == 1 ? world[1] : world[1].inverse()) * rest;
                const bool behind = s == 1 ? seen.y() < joint.y() : seen.y() > joint.y();
                if (counted.hops[p] == 0
                        ? rest.z() - joint.z() > 0.01
                        : behind && counted.hops[p] <= counted.deepest / 2 && inside(s, seen))
                    candidates.insert(p);
            }
            std::vector<std::uint32_t> queue;
            for (const std::uint32_t p : candidates)
                if (counted.hops[p] == 0) queue.push_back(p);
            while (!queue.empty()) {
                const std::uint32_t p = queue.back();
                queue.pop_back();
                if (!candidates.contains(p) || !expected.insert(p).second) continue;
                queue.insert(queue.end(), counted.around[p].begin(), counted.around[p].end());
            }
            std::set<std::uint32_t> removed;
            for (std::size_t p = 0; p < side.points.size(); ++p)
                if (cut.sides[s].removed[p]) removed.insert(side.points[p]);
            EXPECT_EQ(removed, expected) << s << walled;
            EXPECT_GT(removed.size(), 20u);
            EXPECT_EQ(candidates.size() > expected.size(), walled);
        }
    }
}

TEST(Gaps, InsideIsWhatEachTestSaysItIs) {
    // A U of two towers on a beam: its box holds everything near it, its hull what lies between the towers.
    PartBody body;
    body.mesh = test::u_prism();
    body.cut = geometry::cut_mesh(body.mesh);
    body.parent = {-1};
    body.pivot = {Vec3d::Zero()};
    body.box = {{Vec3d(1.5, 1.5, 0.5), math::Mat3d::Identity(), Vec3d(2, 2, 1)}};
    const PartSolids box(body, InsideTest::box), hull(body, InsideTest::hull), exact(body, InsideTest::exact);
    test::Random random;
    for (int n = 0; n < 3000; ++n) {
        const Vec3d p(random.uniform(-1, 4), random.uniform(-1, 4), random.uniform(-1, 2));
        const bool in_hull = p.x() > 0 && p.x() < 3 && p.y() > 0 && p.y() < 3 && p.z() > 0 && p.z() < 1;
        const bool between = p.x() > 1 && p.x() < 2 && p.y() > 1;
        EXPECT_EQ(box.contains(0, p), (p - body.box[0].centre).cwiseAbs().x() <= 2 &&
                                          std::abs(p.y() - 1.5) <= 2 && std::abs(p.z() - 0.5) <= 1);
        EXPECT_EQ(hull.contains(0, p), in_hull) << p.transpose();
        EXPECT_EQ(exact.contains(0, p), in_hull && !between) << p.transpose();
    }
}

TEST(Gaps, ClassesOfPoints) {
    const GapCloser closer = close_tube(tube());
    const PartBody& body = closer.body();
    const GapFrame frame = closer.close(bent(closer, bend_axis, 60));
    const GapPatch& patch = frame.patches[0];
    for (int s = 0; s < 2; ++s) {
        const GapClasses classes = classes_of(closer.gaps()[0], patch, s);
        const CountedPart counted = count_part(body, closer.gaps()[0].sides[s].part);
        const std::set<std::uint32_t> circle(classes.circle.begin(), classes.circle.end()),
            bezier(classes.bezier.begin(), classes.bezier.end()),
            removed(classes.removed.begin(), classes.removed.end()),
            extra(classes.extra.begin(), classes.extra.end());
        const auto next_to = [&](std::uint32_t p, const std::set<std::uint32_t>& others) {
            return std::ranges::any_of(counted.around[p],
                                       [&](std::uint32_t q) { return others.contains(q); });
        };
        // Bent about x by a positive angle, the side of positive z is pressed.
        std::set<std::uint32_t> kept;
        for (std::uint32_t p = 0; p < counted.hops.size(); ++p)
            if (counted.hops[p] == 0 && body.cut.points[p].z() < 0.01) kept.insert(p);
        EXPECT_EQ(circle, kept);
        EXPECT_EQ(classes.circle.size() + classes.bezier.size(), patch.cut.sides[s].loop.size());
        EXPECT_FALSE(bezier.empty());
        for (const std::uint32_t p : bezier) {
            EXPECT_GT(counted.hops[p], 0);
            EXPECT_FALSE(removed.contains(p));
            EXPECT_TRUE(next_to(p, removed));
        }
        EXPECT_FALSE(removed.empty());
        for (const std::uint32_t p : removed) EXPECT_GT(body.cut.points[p].z(), 0);
        std::set<std::uint32_t> neighbours;
        for (std::uint32_t p = 0; p < counted.hops.size(); ++p)
            if (!circle.contains(p) && !bezier.contains(p) && !removed.contains(p) &&
                (next_to(p, circle) || next_to(p, bezier)))
                neighbours.insert(p);
        EXPECT_EQ(extra, neighbours);
    }
    EXPECT_FALSE(patch.ribs.middles.empty());
}

TEST(Gaps, VolumeIsNearerToTheBentTubeThanBlending) {
    constexpr double r = 0.1;
    const model::Character character = tube(0.1);
    const GapCloser closer = close_tube(character);
    const double rest = geometry::signed_volume(character.mesh.positions, character.mesh.triangles);
    const double smooth_rest = math::pi * r * r * 8 * r + 4.0 / 3 * math::pi * r * r * r;
    for (const double degrees : {90.0, 120.0}) {
        const double theta = math::radians(degrees);
        // Union of the two halves and the wedge between them, on the facetted tube.
        const double expected =
            rest + (2.0 / 3 * theta - 4.0 / 3 * std::tan(theta / 2)) * r * r * r * rest / smooth_rest;
        const std::vector<Rigidd> world = bent(closer, bend_axis, degrees);
        const GapFrame frame = closer.close(world);
        const double ours = geometry::signed_volume(frame.mesh.positions, frame.mesh.triangles);
        EXPECT_NEAR(ours, expected, 0.01 * expected);
        std::vector<math::Transform> pose;
        for (const model::Joint& joint : character.skeleton.joints) pose.push_back(joint.rest);
        pose[1].rotation = pose[1].rotation * world[1].rotation;
        for (const deform::Method method : {deform::Method::lbs, deform::Method::dqs}) {
            deform::Deformer deformer(character, {.method = method});
            const deform::DeformedSkin& blended = deformer.at(pose);
            const double volume = geometry::signed_volume(blended.positions, character.mesh.triangles);
            EXPECT_LT(std::abs(ours - expected), 0.5 * std::abs(volume - expected))
                << deform::name(method) << degrees;
        }
    }
}

TEST(Gaps, SameBytesForEveryThreadCount) {
    // Many gaps that all move, so that several are closed at the same time.
    const model::Character& character = test::sample("man");
    const RigidPartsOfSkin parts = rigid_parts_of_skin(character);
    const GapCloser closer(parts.body), plain(parts.body, {.parallel = false});
    ASSERT_GT(closer.gaps().size(), 10u);
    test::Random random;
    const std::vector<Rigidd> world = part_transforms(parts, random_pose(character, random, 40));
    const GapFrame none = plain.close(world);
    EXPECT_EQ(none.moved_gaps, closer.gaps().size());
    const int before = thread_count();
    for (const int threads : {1, 2, 4}) {
        set_thread_count(threads);
        const GapFrame frame = closer.close(world);
        EXPECT_EQ(frame.mesh.positions, none.mesh.positions) << threads;
        EXPECT_EQ(frame.mesh.normals, none.mesh.normals) << threads;
        EXPECT_EQ(frame.mesh.triangles, none.mesh.triangles) << threads;
    }
    set_thread_count(before);
}

TEST(Gaps, BadTransformsAreErrors) {
    const GapCloser closer = close_tube(tube());
    EXPECT_THROW(closer.close(std::vector<Rigidd>(3)), Error);
    std::vector<Rigidd> world(2);
    world[1].translation.x() = std::nan("");
    EXPECT_THROW(closer.close(world), Error);
}

TEST(Gaps, HalfATurnIsWarnedAbout) {
    const GapCloser closer = close_tube(tube());
    Collector collector;
    expect_closed(closer.close(bent(closer, bend_axis, 179.9), collector).mesh);
    EXPECT_TRUE(collector.has("gap-half-turn"));
}

}  // namespace
}  // namespace sinew::articulated
