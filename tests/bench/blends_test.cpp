// SPDX-License-Identifier: MIT
// All skinning methods on the same points: what they share and where they differ.

#include "support/blends.h"

#include "bench/study/blend_table.h"
#include "deform/rig.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"

namespace sinew::deform {
namespace {

using math::radians;
using math::rotation_about;

/// Any centre does for the properties that hold for all.
DeformOptions with_centers(const std::vector<math::Vec3f>& centers) {
    DeformOptions options;
    options.centers = centers;
    return options;
}

class EveryMethod : public testing::TestWithParam<Method> {
  protected:
    test::Random random{77};

    std::vector<math::Vec3f> centers(const Rig& rig) {
        std::vector<math::Vec3f> result;
        for (std::size_t v = 0; v < rig.rest.positions.size(); ++v)
            result.push_back(random.vector().cast<float>());
        return result;
    }
};

// Skinning T1.
TEST_P(EveryMethod, IdentityReturnsTheRestPose) {
    const Rig rig = random_rig(random, 5, 500);
    const auto own = centers(rig);
    const auto result = rig(std::vector<Mat4d>(5, Mat4d::Identity()), GetParam(), with_centers(own));
    EXPECT_LT(largest_distance(result.positions, rig.rest.positions), 1e-10);
    EXPECT_LT(largest_distance(result.normals, rig.rest.normals), 1e-10);
    EXPECT_EQ(result.counts, DeformCounts{});
}

// Skinning T2: one influence, T34: a rotating rigid object.
TEST_P(EveryMethod, OneJointMovesRigidly) {
    std::vector<std::vector<Influence>> lists(100, {{0, 1}});
    std::vector<Vec3d> points;
    for (int v = 0; v < 100; ++v) points.push_back(random.vector());
    const Rig rig = make_rig(1, points, lists);
    const auto own = centers(rig);
    for (int frame = 0; frame < 36; ++frame) {
        const Rigidd m = rotation_about<double>(random.vector(), random.unit_vector(), radians(10.0 * frame));
        const auto result = rig({m.matrix()}, GetParam(), with_centers(own));
        EXPECT_LT(largest_distance(result.positions, moved(m.matrix(), points)), 1e-10);
    }
}

// Skinning T3.
TEST_P(EveryMethod, EqualTransformationsMoveTheWhole) {
    for (int n = 0; n < 50; ++n) {
        const Rig rig = random_rig(random, 4, 20);
        const auto own = centers(rig);
        const Mat4d u = random.rigid(3).matrix();
        const auto result = rig(std::vector<Mat4d>(4, u), GetParam(), with_centers(own));
        EXPECT_LT(largest_distance(result.positions, moved(u, rig.rest.positions)), 1e-10);
        EXPECT_LT(largest_distance(result.normals, turned(u, rig.rest.normals)), 1e-10);
    }
}

// Skinning T35.
TEST_P(EveryMethod, HardPosesStayFinite) {
    for (int n = 0; n < 60; ++n) {
        const int joints = random.integer(1, 64);
        const Vec3d axis = random.unit_vector();
        std::vector<Mat4d> palette;
        for (int j = 0; j < joints; ++j) {
            palette.push_back(Rigidd{math::axis_angle(axis, math::pi * random.integer(0, 2)),
                                     random.integer(0, 1) * random.vector()}
                                  .matrix());
        }
        const Rig rig = random_rig(random, joints, 30);
        const auto own = centers(rig);
        const auto result = rig(palette, GetParam(), with_centers(own));
        for (std::size_t v = 0; v < 30; ++v) {
            ASSERT_TRUE(result.positions[v].allFinite());
            ASSERT_NEAR(result.normals[v].norm(), 1, 1e-9);
        }
    }
}

// Skinning T33: one affine joint is exact, mirrored too; a rigid palette passes the first phase untouched.
TEST_P(EveryMethod, OneAffineJointIsExact) {
    for (int n = 0; n < 100; ++n) {
        Mat4d m = random.rigid().matrix();
        const Mat3d axes = math::to_matrix(random.rotation());
        const Vec3d scale(random.uniform(0.3, 2), random.uniform(0.3, 2),
                          (n % 2 == 0 ? -1 : 1) * random.uniform(0.3, 2));
        m.topLeftCorner<3, 3>() *= axes * scale.asDiagonal() * axes.transpose();
        const Vec3d v = random.vector();
        Rig rig = make_rig(1, {v}, {{{0, 1}}});
        rig.skin.joints[0].inverse_bind.topRightCorner<3, 1>() = random.vector();
        const auto own = centers(rig);
        const auto result = rig({m}, GetParam(), with_centers(own));
        EXPECT_LT((result.positions[0] - math::transform_point(m, v)).norm(), 1e-10);
        EXPECT_EQ(result.counts.nonrigid_joints, 1u);
    }
}

// A palette that is rigid up to a common scale about one point scales every method's result.
TEST_P(EveryMethod, CommonScaleScalesTheCharacter) {
    if (GetParam() == Method::cor) GTEST_SKIP() << "its centres would have to be scaled too";
    const Rig rig = random_rig(random, 4, 50);
    const std::vector<Mat4d> palette = random_palette(random, 4);
    Mat4d grow = Mat4d::Identity();
    grow.topLeftCorner<3, 3>() *= 1.7;
    std::vector<Mat4d> grown;
    for (const Mat4d& m : palette) grown.push_back(m * grow);
    const auto result = rig(grown, GetParam());
    Rig larger = rig;
    for (Vec3d& p : larger.rest.positions) p *= 1.7;
    EXPECT_LT(largest_distance(result.positions, larger(palette, GetParam()).positions), 1e-6);
}

TEST_P(EveryMethod, SinglePrecisionFollowsDouble) {
    const Rig rig = random_rig(random, 5, 500);
    const auto own = centers(rig);
    const auto palette = random_palette(random, 5);
    RestShape<float> rest;
    for (const Vec3d& p : rig.rest.positions) rest.positions.emplace_back(p.cast<float>());
    for (const Vec3d& p : rig.rest.normals) rest.normals.emplace_back(p.cast<float>());
    const auto single = deform<float>(rest, rig.skin, rig.sets, palette, GetParam(), with_centers(own));
    const auto exact = rig(palette, GetParam(), with_centers(own));
    for (std::size_t v = 0; v < 500; ++v) {
        EXPECT_LT((single.positions[v].cast<double>() - exact.positions[v]).norm(), 1e-5);
        EXPECT_LT((single.normals[v].cast<double>() - exact.normals[v]).norm(), 3e-5);
    }
}

std::vector<Method> all_methods() {
    std::vector<Method> all;
    for (const MethodInfo& entry : methods()) all.push_back(entry.method);
    return all;
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod, testing::ValuesIn(all_methods()), [](const auto& param) {
    std::string text(name(param.param));
    std::ranges::replace(text, '-', '_');
    return text;
});

// Skinning T7: the radius of a twisted tube, bone along z, joint at the origin.
TEST(Blends, TwistKeepsTheRadiusUnlessLinear) {
    const std::vector<double> weights = {0.1, 0.25, 0.5};
    const std::vector<std::pair<double, std::vector<double>>> linear = {
        {90, {0.905539, 0.790569, 0.707107}}, {120, {0.854400, 0.661438, 0.5}}, {180, {0.8, 0.5, 0}}};
    for (const auto& [angle, radii] : linear) {
        const std::vector<Mat4d> palette = {Mat4d::Identity(),
                                            Rigidd{test::about_z(angle), Vec3d::Zero()}.matrix()};
        for (std::size_t k = 0; k < weights.size(); ++k) {
            const Rig rig = one_point(Vec3d(1, 0, 0.3), {1 - weights[k], weights[k]});
            const auto radius = [&](Method method) {
                return rig(palette, method).positions[0].head<2>().norm();
            };
            EXPECT_NEAR(radius(Method::lbs), radii[k], 1e-6);
            for (const Method method :
                 {Method::sbs, Method::sbs_weighted, Method::dqs, Method::dib, Method::log}) {
                EXPECT_NEAR(radius(method), 1, 1e-12) << name(method) << " at " << angle;
            }
        }
    }
    const std::vector<Mat4d> near = {Mat4d::Identity(), Rigidd{test::about_z(179.9), Vec3d::Zero()}.matrix()};
    for (const Method method : {Method::sbs, Method::sbs_weighted, Method::dqs, Method::dib, Method::log}) {
        const auto result = one_point(Vec3d(1, 0, 0.3), {0.5, 0.5})(near, method);
        EXPECT_NEAR(result.positions[0].head<2>().norm(), 1, 1e-12);
        EXPECT_NEAR(std::atan2(result.positions[0].y(), result.positions[0].x()), radians(89.95), 1e-9);
    }
}

// Skinning T8: an elbow.
TEST(Blends, BendKeepsTheDistanceFromTheJoint) {
    test::Random random(8);
    for (int n = 0; n < 200; ++n) {
        const Vec3d joint = random.vector(), v = random.vector();
        const Rigidd parent = random.rigid();
        const Rigidd child =
            parent * rotation_about<double>(joint, random.unit_vector(), random.uniform(0, 2.6));
        const double w = random.uniform();
        const Rig rig = one_point(v, {1 - w, w});
        for (const Method method : {Method::sbs, Method::sbs_weighted, Method::dqs, Method::dib}) {
            const auto result = rig({parent.matrix(), child.matrix()}, method);
            EXPECT_NEAR((result.positions[0] - parent * joint).norm(), (v - joint).norm(), 1e-9)
                << name(method);
        }
    }
}

// Skinning T18 through the skin; QLB'_0 turns about the wrong point.
TEST(Blends, HalfAQuarterTurnAboutAPoint) {
    const Rig rig = one_point(Vec3d(3, 0, 0), {0.5, 0.5});
    const std::vector<Mat4d> palette = {
        Mat4d::Identity(), rotation_about<double>(Vec3d(2, 0, 0), Vec3d::UnitZ(), math::pi / 2).matrix()};
    for (const Method method : {Method::sbs, Method::sbs_weighted, Method::dqs, Method::dib, Method::log}) {
        EXPECT_LT((rig(palette, method).positions[0] - Vec3d(2.7071068, 0.7071068, 0)).norm(), 1e-7)
            << name(method);
    }
    EXPECT_LT((rig(palette, Method::qlb).positions[0] - Vec3d(3.1213203, 1.1213203, 0)).norm(), 1e-7);
    const std::vector<math::Vec3f> at_joint = {math::Vec3f(2, 0, 0)};
    EXPECT_LT(
        (rig(palette, Method::cor, with_centers(at_joint)).positions[0] - Vec3d(2.7071068, 0.7071068, 0))
            .norm(),
        1e-7);
}

// Skinning T17 through the skin: the character is moved, the log skin moves otherwise.
TEST(Blends, LogDependsOnThePlaceInTheWorld) {
    const Rig rig = one_point(Vec3d(0, 0, 0), {0.5, 0.5});
    Mat4d move = Mat4d::Identity();
    move(0, 3) = 10;
    const std::vector<Mat4d> palette = {move, move * Rigidd{test::about_z(90), Vec3d::Zero()}.matrix()};
    EXPECT_LT((rig(palette, Method::log).positions[0] - Vec3d(9.5015816, -0.2064517, 0)).norm(), 1e-7);
    for (const Method method :
         {Method::lbs, Method::sbs, Method::sbs_weighted, Method::dqs, Method::dib, Method::qlb}) {
        EXPECT_LT((rig(palette, method).positions[0] - Vec3d(10, 0, 0)).norm(), 1e-9) << name(method);
    }
}

// The skin blends exactly as the library without meshes does.
TEST(Blends, MethodsAreTheBlendsOfTheLibrary) {
    test::Random random(50);
    const std::vector<std::pair<Method, std::string_view>> pairs = {
        {Method::lbs, "linear"}, {Method::sbs, "sbs"}, {Method::sbs_weighted, "sbs-weighted"},
        {Method::dqs, "dlb"},    {Method::dib, "dib"}, {Method::log, "log"},
        {Method::qlb, "qlb"}};
    for (int n = 0; n < 200; ++n) {
        const int count = random.integer(1, 6);
        const std::vector<double> weights = random.weights(count);
        const std::vector<Rigidd> m = test::random_rigids(random, count);
        const Vec3d v = random.vector();
        const Rig rig = one_point(v, weights);
        // What the skin made of the weights: floats, and none that rounded to nothing.
        std::vector<double> kept;
        std::vector<Rigidd> used;
        std::vector<Mat4d> palette;
        for (const Rigidd& x : m) palette.push_back(x.matrix());
        double sum = 0;
        for (const Influence& influence : rig.skin.of(0)) {
            kept.push_back(influence.weight);
            used.push_back(m[influence.joint]);
            sum += influence.weight;
        }
        for (double& w : kept) w /= sum;
        for (const auto& [method, blend] : pairs) {
            const Vec3d expected = math::transform_point(math::find_blend_rule(blend).blend(kept, used), v);
            const double tolerance = method == Method::dib ? 1e-6 : 1e-9;
            EXPECT_LT((rig(palette, method).positions[0] - expected).norm(), tolerance) << name(method);
        }
    }
}

// One centre per set: the solves are counted, the shared joint of neighbours needs none.
TEST(Blends, CentresAreSolvedOncePerSet) {
    test::Random random(51);
    std::vector<Vec3d> points;
    std::vector<std::vector<Influence>> lists;
    for (int v = 0; v < 300; ++v) {
        points.push_back(random.vector());
        const float w = static_cast<float>(random.uniform(0.1, 0.8));
        lists.push_back(v < 100   ? std::vector<Influence>{{0, 1}}
                        : v < 200 ? std::vector<Influence>{{0, w}, {1, 1 - w}}
                                  : std::vector<Influence>{{0, 0.1f}, {1, w}, {2, 0.9f - w}});
    }
    Rig rig = make_rig(3, points, lists);
    const std::vector<Mat4d> generic = random_palette(random, 3);
    EXPECT_EQ(rig(generic, Method::sbs).work.center_solves, 2u);
    EXPECT_EQ(rig(generic, Method::sbs_weighted).work.center_solves, 200u);
    EXPECT_EQ(rig(generic, Method::lbs).work.center_solves, 0u);
    const Vec3d joint(0.5, 0.25, 0);
    rig.skin.joints[1].inverse_bind.topRightCorner<3, 1>() = -joint;
    const Rigidd parent = random.rigid();
    const Rigidd child = parent * rotation_about<double>(joint, Vec3d::UnitZ(), 1.0);
    const std::vector<Mat4d> neighbours = {parent.matrix(), child.matrix(), generic[2]};
    EXPECT_EQ(rig(neighbours, Method::sbs).work.center_solves, 1u);
    const auto shortcut = rig(neighbours, Method::sbs).positions;
    rig.skin.joints[1].inverse_bind = Mat4d::Identity();
    EXPECT_EQ(rig(neighbours, Method::sbs).work.center_solves, 2u);
    EXPECT_LT(largest_distance(shortcut, rig(neighbours, Method::sbs).positions), 1e-9);
}

TEST(Blends, IterationsAndHalfTurnsAreCounted) {
    test::Random random(52);
    const Rig rig = random_rig(random, 4, 100);
    const auto work = rig(random_palette(random, 4), Method::dib).work;
    EXPECT_GE(work.iterations, 100u);
    EXPECT_LE(work.iterations, 1000u);
    const std::vector<Mat4d> half_turns = {
        Mat4d::Identity(), Rigidd{test::about_z(180), Vec3d(1, 0, 0)}.matrix(),
        Rigidd{test::about_z(90), Vec3d(0, 0, 0)}.matrix(), Mat4d::Identity()};
    EXPECT_EQ(rig(half_turns, Method::log).counts.half_turns, 1u);
    EXPECT_GT(rig(half_turns, Method::dib).counts.not_guaranteed, 0u);
}

TEST(Blends, CentresOfRotationMustBeGivenForBarePoints) {
    test::Random random(54);
    const Rig rig = random_rig(random, 3, 10);
    EXPECT_THROW(rig(random_palette(random, 3), Method::cor), Error);
    const std::vector<math::Vec3f> too_few(9, math::Vec3f::Zero());
    EXPECT_THROW(rig(random_palette(random, 3), Method::cor, with_centers(too_few)), Error);
}

}  // namespace
}  // namespace sinew::deform
