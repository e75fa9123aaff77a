// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>

#include "articulated/bodies.h"

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

TEST(Gaps, FloodFillEqualsBruteForce) {
    const GapCloser closer = close_tube(tube());
    const Gap& gap = closer.gaps()[0];
    const PartBody& body = closer.body();
    const PartSolids solids(body, InsideTest::box);
    const GapMotion motion = gap_motion(gap, bent(closer, bend_axis, 65)[1], true);
    Cut cut;
    cut.seam = judge_seam(gap, body, motion, 0.3 * gap.spacing);
    const auto inside = [&](int s, const Vec3d& p) { return solids.contains(1 - s, p); };
    ASSERT_TRUE(cut_gap(gap, body, motion, inside, 1 << 20, cut));
    for (int s = 0; s < 2; ++s) {
        const GapSide& side = gap.sides[s];
        std::size_t removed = 0;
        for (std::size_t p = 0; p < side.points.size(); ++p) {
            const Vec3d seen = motion.from_other(s, body.cut.points[side.points[p]]);
            const double height = gap.normal.dot(seen - gap.centre);
            const bool behind = s == 1 ? height < side.reference[p] : height > side.reference[p];
            const bool expected =
                p < gap.loop_size
                    ? cut.seam[p] == SeamPoint::pressed
                    : side.removable[p] && behind && body.box[static_cast<std::size_t>(1 - s)].contains(seen);
            EXPECT_EQ(cut.sides[s].removed[p] != 0, expected) << s << " " << p;
            removed += expected ? 1 : 0;
        }
        EXPECT_GT(removed, 20u);
    }
}

TEST(Gaps, ClassesOfPoints) {
    const GapCloser closer = close_tube(tube());
    const GapFrame frame = closer.close(bent(closer, bend_axis, 60));
    const GapPatch& patch = frame.patches[0];
    for (int s = 0; s < 2; ++s) {
        const GapClasses classes = classes_of(closer.gaps()[0], patch, s);
        EXPECT_EQ(classes.circle.size() + classes.bezier.size(), patch.cut.sides[s].loop.size());
        EXPECT_FALSE(classes.circle.empty());
        EXPECT_FALSE(classes.bezier.empty());
        EXPECT_FALSE(classes.extra.empty());
        EXPECT_EQ(classes.removed.size(),
                  static_cast<std::size_t>(std::ranges::count(patch.cut.sides[s].removed, 1)));
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
    const model::Character character = tube();
    const GapCloser closer = close_tube(character), plain = close_tube(character, {.parallel = false});
    const std::vector<Rigidd> world = bent(closer, Vec3d(1, 0.4, 0.2).normalized(), 75);
    const int before = thread_count();
    set_thread_count(1);
    const GapFrame one = closer.close(world);
    set_thread_count(4);
    const GapFrame four = closer.close(world), none = plain.close(world);
    set_thread_count(before);
    EXPECT_EQ(one.mesh.positions, four.mesh.positions);
    EXPECT_EQ(one.mesh.normals, four.mesh.normals);
    EXPECT_EQ(one.mesh.triangles, four.mesh.triangles);
    EXPECT_EQ(one.mesh.positions, none.mesh.positions);
    EXPECT_EQ(one.mesh.triangles, none.mesh.triangles);
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
