// SPDX-License-Identifier: MIT
#include "scenes.h"
#include "support/shapes.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/collide/query/screw_motion.h"

namespace sinew::collide {
namespace screw_test {

using test::Random;

double difference(const Mat34f& a, const Mat34f& b) {
    return (deform::to_mat4(a) - deform::to_mat4(b)).norm();
}

std::vector<Mat34f> one(const Rigidd& motion) {
    return {deform::to_mat34(motion.matrix())};
}

/// Joints that stretch and shear besides.
std::vector<Mat34f> stretched(std::vector<Mat34f> palette, Random& random) {
    for (Mat34f& m : palette) {
        for (auto& row : m.rows) {
            for (int c = 0; c < 3; ++c) row[c] += static_cast<float>(random.uniform(-0.2, 0.2));
        }
    }
    return palette;
}

TEST(ScrewPath, RunsFromOnePaletteToTheOtherOnScrews) {
    const Actor horse("horse", 1000);
    Random random(71);
    ScrewPath path(horse.tree.data());
    std::vector<Mat34f> at;
    for (int round = 0; round < 10; ++round) {
        auto start = random_palette(horse.tree, random, 3, 0.2),
             end = random_palette(horse.tree, random, 3, 0.2);
        if (round >= 5) start = stretched(start, random), end = stretched(end, random);
        path.set_ends(start, end);
        for (const double time : {0.0, 1.0}) {
            path.palette(time, at);
            ASSERT_EQ(at.size(), start.size());
            for (std::size_t j = 0; j < at.size(); ++j)
                ASSERT_LT(difference(at[j], time == 0 ? start[j] : end[j]), 1e-6);
        }
    }
    // A third of the way of a quarter turn with a slide of 3 along its axis, which does not go through 0.
    const SphereTree cube = build_tree(test::cube(), {}, nullptr);
    const auto screw = [](double part) {
        Rigidd m = math::rotation_about<double>(Vec3d(2, 0, 0), Vec3d::UnitY(), part * math::pi / 2);
        m.translation += Vec3d(0, 3 * part, 0);
        return m;
    };
    ScrewPath rotation(cube.data());
    rotation.set_ends(one(screw(0)), one(screw(1)));
    rotation.palette(1.0 / 3, at);
    EXPECT_LT(difference(at[0], one(screw(1.0 / 3))[0]), 1e-6);
    const Vec3d corner = rotation.vertex(0, 0.7);
    EXPECT_LT((corner - screw(0.7) * cube.data().positions[0].cast<double>()).norm(), 1e-6);
}

TEST(ScrewPath, AccelerationIsThatOfTheFarthestCornerOnItsCircle) {
    const SphereTree cube = build_tree(test::cube(), {}, nullptr);
    ScrewPath path(cube.data());
    EXPECT_EQ(path.acceleration(0), 0) << "at rest";
    path.set_ends(one({}), one(math::rotation_about<double>(Vec3d(3, 0, 0), Vec3d::UnitY(), 0.5)));
    // The corners farthest from the axis are at (-1/2, +-1/2): the bound is for the sphere around the cube.
    const double farthest = std::hypot(3.5, 0.5) * 0.25;
    EXPECT_GE(path.acceleration(0), farthest - 1e-6);
    EXPECT_LE(path.acceleration(0), (3 + std::sqrt(3.0) * std::sqrt(0.75)) * 0.25 + 1e-6);
    path.set_ends(one({}), one(moved(5, 1, 0)));
    EXPECT_NEAR(path.acceleration(0), 0, 1e-12) << "a slide is straight";
}

TEST(ScrewPath, VerticesStayInTheInflatedMovingSpheres) {
    Random random(72);
    double closest = std::numeric_limits<double>::infinity();
    for (const bool leaf_set_bounds : {false, true}) {
        const Actor horse("horse", 1000, {.max_leaf_triangles = 12, .leaf_set_bounds = leaf_set_bounds});
        const SphereTree& tree = horse.tree;
        ScrewBody body(tree);
        QueryScratch scratch;
        for (int round = 0; round < 6; ++round) {
            auto start = random_palette(tree, random, 1.5, 0.1), end = random_palette(tree, random, 1.5, 0.1);
            if (round % 3 == 2) start = stretched(start, random), end = stretched(end, random);
            body.set_step(start, end);
            const double from = round % 2 == 0 ? 0 : random.uniform(0, 0.6),
                         to = round % 2 == 0 ? 1 : from + 0.3;
            const PosedMotion motion = body.step().part(from, to);
            RefitScratch& refit = scratch.buffers().refit;
            for (std::uint32_t n = 0; n < tree.data().nodes.size(); ++n) {
                const Node& node = tree.data().nodes[n];
                const double beyond = (to - from) * (to - from) / 8 * body.step().path().acceleration(n);
                const double time = random.uniform();
                const Sphere sphere = sphere_at(motion.start->sphere(n, refit).widen(),
                                                motion.end->sphere(n, refit).widen(), time);
                for (std::uint32_t v = node.first_vertex; v < node.first_vertex + node.vertex_count; v += 3) {
                    const Vec3d p = body.step().path().vertex(v, from + time * (to - from));
                    const double inside = sphere.radius + beyond - (p - sphere.center).norm();
                    ASSERT_GE(inside, -body.step().path().slack()) << n;
                    const Vec3d chord = (1 - time) * motion.start->vertex(v, refit).cast<double>() +
                                        time * motion.end->vertex(v, refit).cast<double>();
                    const double left = beyond - (p - chord).norm();
                    ASSERT_GE(left, -body.step().path().slack()) << n;
                    closest = std::min(closest, left / beyond);
                }
            }
        }
    }
    EXPECT_LT(closest, 0.5) << "the bound is never nearly reached";
}

/// A thin bar along x from 0.5 to 1.
geometry::Mesh bar() {
    geometry::Mesh mesh = test::cube();
    for (Vec3f& p : mesh.positions) p = {0.75f + 0.5f * p.x(), 0.04f * p.y(), 0.04f * p.z()};
    return mesh;
}

TEST(ScrewTouch, TurningBarHitsWhatItsChordMisses) {
    const SphereTree tree = build_tree(bar(), {}, nullptr);
    constexpr double angle = math::pi / 3, inner = 0.94, outer = 0.96;
    const auto location = [&](double radius, float z) {
        return Vec3f(static_cast<float>(radius * std::cos(angle)),
                     static_cast<float>(radius * std::sin(angle)), z);
    };
    geometry::Mesh flag;
    flag.positions = {location(inner, -0.005f), location(inner, 0.005f), location(outer, 0)};
    flag.triangles = {{0, 1, 2}};
    const SphereTree other = build_tree(flag, {}, nullptr);
    const auto end = one({math::axis_angle<double>(Vec3d::UnitZ(), math::pi / 2), Vec3d::Zero()});
    ScrewBody a(tree), b(other);
    a.set_step(one({}), end);
    b.set_step(one({}), one({}));
    QueryScratch scratch;
    const FirstTouch first = find_first_touch(a, b, scratch, 1e-5);
    ASSERT_TRUE(first.touching);
    // The leading face, 0.02 beside the middle, reaches the inner edge of the flag first.
    EXPECT_NEAR(first.time, (angle - std::asin(0.02 / inner)) / (math::pi / 2), 2e-5);
    Body start(tree), stop(tree), still(other);
    stop.set_pose(end);
    EXPECT_FALSE(find_first_touch({&start, &stop}, {&still, &still}, scratch).touching);
    EXPECT_GT(parts_of(a.step(), scratch.buffers()), 1);
    EXPECT_EQ(parts_of(b.step(), scratch.buffers()), 1);
}

/// Both bodies in a pose between.
struct Between {
    Body a, b;
    QueryScratch scratch;
    std::vector<Mat34f> palette;

    Between(const SphereTree& x, const SphereTree& y) : a(x), b(y) {}
    void set(ScrewBody& from_a, ScrewBody& from_b, double time) {
        from_a.step().path().palette(time, palette);
        a.set_pose(palette);
        from_b.step().path().palette(time, palette);
        b.set_pose(palette);
    }
};

TEST(ScrewTouch, IsNeverLaterThanTheFirstOfManySamples) {
    const Actor horse("horse", 1000), tube("tube", 0);
    Random random(73);
    ScrewBody a(horse.tree), b(tube.tree);
    Between between(horse.tree, tube.tree);
    QueryScratch scratch;
    int touched = 0, free = 0;
    for (int round = 0; round < 24; ++round) {
        const auto positioned = [&] {
            return moved(random.uniform(-1, 1), random.uniform(0, 1), random.uniform(-1, 1),
                         random.uniform(0, 3));
        };
        const double time = random.uniform(0, 1);
        a.set_step(horse.pose(time), horse.pose(time + 0.2));
        b.set_step(tube.pose(time, positioned()), tube.pose(time + 0.1, positioned()));
        const FirstTouch first =
            first_screw_touch(a.step(), b.step(), scratch.buffers(), 1e-4, round % 2 == 0 ? 0.02 : 0.1);
        constexpr int samples = 100;
        for (int k = 0; k <= samples; ++k) {
            const double t = static_cast<double>(k) / samples;
            if (first.touching && t >= first.time) break;
            between.set(a, b, t);
            ASSERT_FALSE(touching(between.a, between.b, between.scratch)) << round << " at " << t;
        }
        touched += first.touching;
        free += !first.touching;
        if (!first.touching) continue;
        between.set(a, b, first.time);
        const double rounding = 2 * (a.step().path().slack() + b.step().path().slack());
        ASSERT_LE(find_nearest(between.a, between.b, between.scratch).distance, 1e-4 + 1.5 * rounding)
            << round;
    }
    EXPECT_GT(touched, 4);
    EXPECT_GT(free, 4);
}

TEST(ScrewTouch, NothingOrNonsense) {
    const SphereTree cube = build_tree(test::cube(), {}, nullptr),
                     nothing = build_tree(geometry::Mesh{}, {}, nullptr);
    ScrewBody a(cube), b(cube), empty(nothing);
    QueryScratch scratch;
    EXPECT_FALSE(find_first_touch(a, empty, scratch).touching);
    EXPECT_EQ(find_first_touch(a, b, scratch).time, 0) << "both at rest at one place";
    b.set_step(one(moved(3, 0, 0)), one(moved(3, 0, 0)));
    EXPECT_FALSE(find_first_touch(a, b, scratch).touching);
    EXPECT_THROW(find_first_touch(a, b, scratch, 0), Error);
    EXPECT_THROW(a.set_step({}, one({})), Error);
    auto broken = one({});
    broken[0].rows[1][1] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THROW(a.set_step(one({}), broken), Error);
    // From 9 away to 9 beyond: a slide is a screw without a turn.
    b.set_step(one(moved(9, 0, 0)), one(moved(-9, 0, 0)));
    a.set_step(one({}), one({}));
    const FirstTouch met = find_first_touch(a, b, scratch);
    ASSERT_TRUE(met.touching);
    EXPECT_NEAR(met.time, 8.0 / 18, 1e-4);
}

}  // namespace screw_test
}  // namespace sinew::collide
