// SPDX-License-Identifier: MIT
// What every blend of transformations owes its user (Kavan 2007, 4.1): run on every method there is.

#include <algorithm>

#include "deform/rig.h"
#include <gtest/gtest.h>

namespace sinew::deform {
namespace {

class Blending : public testing::TestWithParam<Method> {
  protected:
    test::Random random;
};

/// A random rig, the same with another rest frame, v -> U v, and a pose of the first.
struct MovedRest {
    Rig rig;
    Rig other;
    std::vector<Mat4d> palette;
    Mat4d u;
};
MovedRest moved_rest(test::Random& random) {
    const Rig rig = random_rig(random, random.integer(1, 6), 100);
    const auto palette = random_palette(random, static_cast<int>(rig.skin.joints.size()));
    const Mat4d u = random.rigid(3).matrix();
    Rig other = rig;
    other.rest = {moved(u, rig.rest.positions), turned(u, rig.rest.normals)};
    return {rig, other, palette, u};
}

// Skinning T1.
TEST_P(Blending, IdentityReturnsTheRestPose) {
    const Rig rig = random_rig(random, 6, 1000);
    const auto result = rig(std::vector<Mat4d>(6, Mat4d::Identity()), GetParam());
    EXPECT_LT(largest_distance(result.positions, rig.rest.positions), 1e-15);
    EXPECT_LT(largest_distance(result.normals, rig.rest.normals), 1e-15);
    EXPECT_EQ(result.counts, DeformCounts{});
}

// Skinning T2.
TEST_P(Blending, OneInfluenceGivesThatTransformation) {
    std::vector<std::vector<Influence>> lists;
    Rig rig = random_rig(random, 6, 600);
    for (std::uint32_t v = 0; v < 600; ++v) lists.push_back({{v % 6, 1.0f}});
    rig.skin = make_skin(6, lists);
    rig.sets = model::group_by_influences(rig.skin, nullptr);
    const auto palette = random_palette(random, 6);
    const auto result = rig(palette, GetParam());
    for (std::size_t v = 0; v < 600; ++v) {
        EXPECT_LT((result.positions[v] - math::transform_point(palette[v % 6], rig.rest.positions[v])).norm(),
                  1e-14);
        EXPECT_LT((result.normals[v] - palette[v % 6].topLeftCorner<3, 3>() * rig.rest.normals[v]).norm(),
                  1e-14);
    }
}

// Skinning T3, T34, mocap test 6.
TEST_P(Blending, EqualTransformationsMoveTheWhole) {
    const Rig rig = random_rig(random, 6, 500);
    for (int frame = 0; frame < 20; ++frame) {
        const Mat4d u = random.rigid(3).matrix();
        const auto result = rig(std::vector<Mat4d>(6, u), GetParam());
        EXPECT_LT(largest_distance(result.positions, moved(u, rig.rest.positions)), 1e-13);
        EXPECT_LT(largest_distance(result.normals, turned(u, rig.rest.normals)), 1e-13);
    }
}

// Skinning T4: moving the posed joints moves the posed skin.
TEST_P(Blending, LeftInvariance) {
    for (int n = 0; n < 50; ++n) {
        const Rig rig = random_rig(random, random.integer(1, 6), 100);
        const auto palette = random_palette(random, static_cast<int>(rig.skin.joints.size()));
        const Mat4d u = random.rigid(3).matrix();
        std::vector<Mat4d> after;
        for (const Mat4d& c : palette) after.emplace_back(u * c);
        const auto before = rig(palette, GetParam()), result = rig(after, GetParam());
        EXPECT_LT(largest_distance(result.positions, moved(u, before.positions)), 1e-10);
        EXPECT_LT(largest_distance(result.normals, turned(u, before.normals)), 1e-10);
    }
}

// Skinning T5: another rest frame, v -> U v with C -> C U^-1, changes nothing.
TEST_P(Blending, RightInvariance) {
    for (int n = 0; n < 50; ++n) {
        const auto [rig, other, palette, u] = moved_rest(random);
        std::vector<Mat4d> shifted;
        for (const Mat4d& c : palette) shifted.emplace_back(c * math::inverse_affine(u));
        const auto a = rig(palette, GetParam()), b = other(shifted, GetParam());
        EXPECT_LT(largest_distance(a.positions, b.positions), 1e-10);
        EXPECT_LT(largest_distance(a.normals, b.normals), 1e-10);
    }
}

// Skinning T6: the same in other coordinates.
TEST_P(Blending, CoordinateInvariance) {
    for (int n = 0; n < 50; ++n) {
        const auto [rig, other, palette, u] = moved_rest(random);
        std::vector<Mat4d> conjugated;
        for (const Mat4d& c : palette) conjugated.emplace_back(u * c * math::inverse_affine(u));
        const auto a = rig(palette, GetParam()), b = other(conjugated, GetParam());
        EXPECT_LT(largest_distance(moved(u, a.positions), b.positions), 1e-10);
    }
}

// Axiom 3: the order of the joints does not matter.
TEST_P(Blending, PermutationInvariance) {
    for (int n = 0; n < 50; ++n) {
        const int joints = random.integer(2, 6);
        const auto palette = random_palette(random, joints);
        const auto weights = random.weights(joints);
        const Vec3d v = random.vector();
        const std::vector<double> backward(weights.rbegin(), weights.rend());
        const std::vector<Mat4d> reversed(palette.rbegin(), palette.rend());
        const auto a = one_point(v, weights)(palette, GetParam());
        const auto b = one_point(v, backward)(reversed, GetParam());
        EXPECT_LT(largest_distance(a.positions, b.positions), 1e-12);
    }
}

// Skinning T35: half turns, equal transformations, up to 64 joints: no NaN, and rigid where the method is.
TEST_P(Blending, HardPosesStayFinite) {
    for (int n = 0; n < 100; ++n) {
        const int joints = random.integer(1, 64);
        const Vec3d axis = random.unit_vector();
        std::vector<Mat4d> palette;
        for (int j = 0; j < joints; ++j) {
            const double angle = math::pi * random.integer(0, 2);
            palette.push_back(
                Rigidd{math::axis_angle(axis, angle), random.integer(0, 1) * random.vector()}.matrix());
        }
        const Rig rig = random_rig(random, joints, 40);
        const auto result = rig(palette, GetParam());
        for (std::size_t v = 0; v < 40; ++v) {
            ASSERT_TRUE(result.positions[v].allFinite());
            ASSERT_NEAR(result.normals[v].norm(), 1, 1e-9);
        }
    }
}

TEST_P(Blending, SinglePrecisionFollowsDouble) {
    const Rig rig = random_rig(random, 5, 500);
    const auto palette = random_palette(random, 5);
    RestShape<float> rest;
    for (const Vec3d& p : rig.rest.positions) rest.positions.emplace_back(p.cast<float>());
    for (const Vec3d& p : rig.rest.normals) rest.normals.emplace_back(p.cast<float>());
    const auto single = deform<float>(rest, rig.skin, rig.sets, palette, GetParam());
    const auto exact = rig(palette, GetParam());
    for (std::size_t v = 0; v < 500; ++v) {
        EXPECT_LT((single.positions[v].cast<double>() - exact.positions[v]).norm(), 3e-6);
        EXPECT_LT((single.normals[v].cast<double>() - exact.normals[v]).norm(), 3e-5);
    }
}

// The methods that obey all of these; blends_test.cpp shows where the others do not.
INSTANTIATE_TEST_SUITE_P(Methods, Blending,
                         testing::Values(Method::lbs, Method::sbs, Method::sbs_weighted, Method::dqs,
                                         Method::rigid),
                         [](const auto& param) {
                             std::string text(name(param.param));
                             std::ranges::replace(text, '-', '_');
                             return text;
                         });

}  // namespace
}  // namespace sinew::deform
