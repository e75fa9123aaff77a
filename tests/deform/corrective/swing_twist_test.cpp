// SPDX-License-Identifier: MIT
#include "sinew/deform/corrective/swing_twist.h"

#include "deform/rig.h"
#include "support/shapes.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"

namespace sinew::deform {
namespace swing_twist_test {

using math::radians;

std::vector<Vec3d> deform_swing_twist(const RestShape<double>& rest, const Skin& skin,
                                      const model::Skeleton& skeleton, const std::vector<Mat4d>& palette,
                                      const SwingTwistOptions& options = {}) {
    const auto sets = model::group_by_influences(skin, &skeleton);
    auto positions = deform<double>(rest, skin, sets, palette, Method::dqs).positions;
    BoneCorrector(skin, skeleton, options).swing_twist(rest.positions, palette, positions);
    return positions;
}

/// A tube of radius 0.2 along y from 0 to 2 with joints at its foot and halfway, weights linear between.
struct Tube {
    model::Skeleton skeleton;
    Skin skin;
    RestShape<double> rest;

    explicit Tube(double blend = 0.8) {
        skeleton.joints = {{"lower", -1, {}, {}},
                           {"upper", 0, {Vec3d(0, 1, 0), Quatd::Identity(), Vec3d::Ones()}, Vec3d(0, 1, 0)}};
        skin.joints = model::bind_at_rest(skeleton);
        rest = {rest_shape<double>(test::tube(41, 24, 0.2, 2)).positions};
        for (const Vec3d& p : rest.positions) {
            const auto w = static_cast<float>(std::clamp((p.y() - 1) / blend + 0.5, 0.0, 1.0));
            skin.push_vertex(std::vector<Influence>{{0, 1 - w}, {1, w}});
        }
        model::clean(skin);
    }
    std::vector<Vec3d> posed(const Quatd& turn, const SwingTwistOptions& options = {}) const {
        return deform_swing_twist(rest, skin, skeleton, palette(turn), options);
    }
    static std::vector<Mat4d> palette(const Quatd& turn) {
        const Vec3d joint(0, 1, 0);
        return {Mat4d::Identity(), Rigidd{turn, joint - turn * joint}.matrix()};
    }
    double weight(std::size_t v) const {
        for (const Influence& i : skin.of(v))
            if (i.joint == 1) return i.weight;
        return 0;
    }
};

TEST(SwingTwist, SplitsARotationIntoBoth) {
    test::Random random(3);
    for (int n = 0; n < 200; ++n) {
        const Quatd q = random.rotation();
        const Vec3d axis = random.rotation() * Vec3d::UnitX();
        const auto [swing, twist] = split_swing_twist(q, axis);
        EXPECT_LT(math::angle_between(Quatd(swing * twist), q), 1e-9);
        EXPECT_LT(twist.vec().cross(axis).norm(), 1e-12);
        EXPECT_NEAR(swing.vec().dot(axis), 0, 1e-12);
    }
    const Quatd over = math::axis_angle<double>(Vec3d::UnitZ(), math::pi);
    EXPECT_EQ(split_swing_twist(over, Vec3d::UnitY()).twist.w(), 1);
}

TEST(SwingTwist, ATwistTurnsEveryRingByItsWeightAndKeepsItsRadius) {
    const Tube tube;
    const std::vector<Vec3d> moved = tube.posed(math::axis_angle<double>(Vec3d::UnitY(), radians(170)));
    for (std::size_t v = 0; v < moved.size(); ++v) {
        const Quatd part = math::axis_angle<double>(Vec3d::UnitY(), tube.weight(v) * radians(170));
        EXPECT_LT((moved[v] - part * tube.rest.positions[v]).norm(), 1e-6);
    }
}

TEST(SwingTwist, ABendKeepsTheDistanceFromTheBones) {
    const Tube tube;
    const Quatd turn = math::axis_angle<double>(Vec3d::UnitZ(), radians(90));
    const auto sets = model::group_by_influences(tube.skin, &tube.skeleton);
    const auto dual = deform<double>(tube.rest, tube.skin, sets, Tube::palette(turn), Method::dqs).positions;
    const Vec3d joint(0, 1, 0), tip = joint + turn * Vec3d(0, 1, 0);
    // Distance from the nearer of both posed bones.
    const auto radius = [&](const Vec3d& p) {
        const auto from = [&](const Vec3d& a, const Vec3d& b) {
            const double t = std::clamp((p - a).dot(b - a) / (b - a).squaredNorm(), 0.0, 1.0);
            return (p - a - t * (b - a)).norm();
        };
        return std::min(from(Vec3d::Zero(), joint), from(joint, tip));
    };
    const auto largest = [&](const std::vector<Vec3d>& points) {
        double max = 0;
        for (const Vec3d& p : points) max = std::max(max, radius(p));
        return max;
    };
    EXPECT_GT(largest(dual), 0.24) << "dual quaternions bulge";
    EXPECT_LT(largest(tube.posed(turn)), 0.22) << "both bones are averaged, so a little is left";
    EXPECT_LT(largest(tube.posed(turn)), largest(tube.posed(turn, {.stretch = 0.3})));
    EXPECT_THROW(tube.posed(turn, {.stretch = 2}), Error);
}

TEST(SwingTwist, CurvesActOnTheirOwnPartOnly) {
    const Tube tube;
    const Quatd bend = math::axis_angle<double>(Vec3d::UnitX(), 1.0),
                twist = math::axis_angle<double>(Vec3d::UnitY(), 1.0);
    const SwingTwistOptions steep_twist{.twist_sharpness = 3}, steep_swing{.swing_sharpness = 3};
    const auto apart = [](const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
        double max = 0;
        for (std::size_t v = 0; v < a.size(); ++v) max = std::max(max, (a[v] - b[v]).norm());
        return max;
    };
    EXPECT_LT(apart(tube.posed(bend), tube.posed(bend, steep_twist)), 1e-12);
    EXPECT_LT(apart(tube.posed(twist), tube.posed(twist, steep_swing)), 1e-12);
    EXPECT_GT(apart(tube.posed(bend), tube.posed(bend, steep_swing)), 0.01);
    EXPECT_GT(apart(tube.posed(twist), tube.posed(twist, steep_twist)), 0.01);
}

TEST(SwingTwist, OtherVerticesGoByDualQuaternions) {
    Tube tube;
    tube.skeleton.joints.push_back({"beside", 0, {}, {}});
    tube.skin = {};
    tube.skin.joints = model::bind_at_rest(tube.skeleton);
    test::Random random(4);
    for (std::size_t v = 0; v < tube.rest.positions.size(); ++v) {
        const auto w = static_cast<float>(random.uniform(0.1, 0.4));
        // Three joints, two that are no parent and child, or one.
        if (v % 3 == 0) tube.skin.push_vertex(std::vector<Influence>{{0, w}, {1, w}, {2, 1 - 2 * w}});
        if (v % 3 == 1) tube.skin.push_vertex(std::vector<Influence>{{1, w}, {2, 1 - w}});
        if (v % 3 == 2) tube.skin.push_vertex(std::vector<Influence>{{1, 1}});
    }
    model::clean(tube.skin);
    std::vector<Mat4d> palette;
    for (int j = 0; j < 3; ++j) palette.push_back(random.rigid(1).matrix());
    const auto sets = model::group_by_influences(tube.skin, &tube.skeleton);
    const auto dual = deform<double>(tube.rest, tube.skin, sets, palette, Method::dqs).positions;
    EXPECT_EQ(deform_swing_twist(tube.rest, tube.skin, tube.skeleton, palette), dual);
}

}  // namespace swing_twist_test
}  // namespace sinew::deform
