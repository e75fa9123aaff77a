// SPDX-License-Identifier: MIT
#include <array>
#include <string>
#include <vector>

#include "support/random.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/math/quaternion.h"

namespace sinew::math {
namespace {

const std::array orders = {"xyz", "xzy", "yxz", "yzx", "zxy", "zyx",
                           "xyx", "xzx", "yxy", "yzy", "zxz", "zyz"};

Mat3d axis_matrix(int axis, double angle) {
    return Eigen::AngleAxisd(angle, Vec3d::Unit(axis)).toRotationMatrix();
}

double round_trip_error(const EulerOrder& order, const Quatd& q) {
    const Vec3d angles = to_euler(order, q);
    return (to_matrix(from_euler(order, angles)) - to_matrix(q)).cwiseAbs().maxCoeff();
}

TEST(Euler, FromEulerIsTheProductOfMatricesLeftToRight) {
    test::Random random;
    for (const char* name : orders) {
        const EulerOrder order = parse_euler_order(name);
        const Vec3d a = random.vector(pi);
        const Mat3d expected =
            axis_matrix(order[0], a[0]) * axis_matrix(order[1], a[1]) * axis_matrix(order[2], a[2]);
        EXPECT_LT((to_matrix(from_euler(order, a)) - expected).norm(), 1e-14) << name;
    }
    // Mocap test 14: channels Z X Y with 90, 30, 0 take (0,1,0) to (-0.8660, 0, 0.5).
    const Quatd q = from_euler(parse_euler_order("ZXY"), {radians(90), radians(30), 0});
    EXPECT_LT((q * Vec3d(0, 1, 0) - Vec3d(-std::sqrt(0.75), 0, 0.5)).norm(), 1e-15);
}

// Mocap test 13.
TEST(Euler, RoundTripOfRandomRotations) {
    test::Random random;
    for (const char* name : orders) {
        const EulerOrder order = parse_euler_order(name);
        double worst = 0;
        for (int n = 0; n < 100000; ++n) worst = std::max(worst, round_trip_error(order, random.rotation()));
        EXPECT_LT(worst, 1e-9) << name;
    }
}

TEST(Euler, RoundTripInAndNearGimbalLock) {
    test::Random random;
    for (const char* name : orders) {
        const EulerOrder order = parse_euler_order(name);
        const bool proper = order[0] == order[2];
        double worst = 0;
        for (int n = 0; n < 5000; ++n) {
            const double lock = (proper ? 0 : pi / 2) + pi * random.integer(-1, 1);
            const double off = n % 3 == 0 ? 0 : std::pow(10, random.uniform(-16, -3));
            const Vec3d angles(random.uniform(-pi, pi), lock + off, random.uniform(-pi, pi));
            worst = std::max(worst, round_trip_error(order, from_euler(order, angles)));
        }
        EXPECT_LT(worst, 1e-9) << name;
    }
}

TEST(Euler, AnglesComeBackAwayFromTheLock) {
    test::Random random;
    for (const char* name : orders) {
        const EulerOrder order = parse_euler_order(name);
        const bool proper = order[0] == order[2];
        for (int n = 0; n < 1000; ++n) {
            const double middle = proper ? random.uniform(0.05, pi - 0.05) : random.uniform(-1.5, 1.5);
            const Vec3d angles(random.uniform(-3, 3), middle, random.uniform(-3, 3));
            EXPECT_LT((to_euler(order, from_euler(order, angles)) - angles).norm(), 1e-12) << name;
        }
    }
}

TEST(Euler, UnwrapFollowsASmoothMotion) {
    for (const char* name : orders) {
        const EulerOrder order = parse_euler_order(name);
        // A motion whose angles pass several whole turns and, for the outer axes, the alternate solution.
        const auto truth = [](double t) -> Vec3d { return {9 * t, 0.4 + 5 * t, -7 * t}; };
        Vec3d previous = truth(0);
        for (int i = 1; i <= 2000; ++i) {
            const Vec3d expected = truth(i / 2000.0);
            const Quatd q = from_euler(order, expected);
            const Vec3d angles = unwrap_euler(order, to_euler(order, q), previous);
            EXPECT_LT((to_matrix(from_euler(order, angles)) - to_matrix(q)).norm(), 1e-12);
            // Within the lock the split between first and last is free; everywhere else the truth comes back.
            const double b = expected[1];
            const double lock = order[0] == order[2] ? std::abs(std::sin(b)) : std::abs(std::cos(b));
            if (lock > 0.02) {
                EXPECT_LT((angles - expected).norm(), 1e-9) << name << ' ' << i;
            }
            previous = lock > 0.02 ? angles : expected;
        }
    }
}

TEST(Euler, UnwrapStepsStayBelowHalfATurn) {
    test::Random random;
    for (const char* name : orders) {
        const EulerOrder order = parse_euler_order(name);
        for (int n = 0; n < 1000; ++n) {
            const Vec3d previous = random.vector(10);
            const Vec3d angles = unwrap_euler(order, to_euler(order, random.rotation()), previous);
            EXPECT_LE((angles - previous).cwiseAbs().maxCoeff(), pi + 1e-12);
        }
    }
}

TEST(Euler, ComposeAxesTakesAnyNumber) {
    const std::vector<int> axes = {2, 0, 1, 2, 0};
    const std::vector<double> angles = {0.3, -1, 2, 0.7, 0.1};
    Mat3d expected = Mat3d::Identity();
    for (std::size_t i = 0; i < axes.size(); ++i) expected = expected * axis_matrix(axes[i], angles[i]);
    EXPECT_LT((to_matrix(compose_axes(axes, angles)) - expected).norm(), 1e-14);
    EXPECT_EQ(compose_axes({}, {}).w(), 1);
}

TEST(Euler, ParseRefusesWhatIsNotAnOrder) {
    EXPECT_EQ(parse_euler_order("ZxY"), (EulerOrder{2, 0, 1}));
    for (const char* bad : {"", "xy", "xyzx", "xxy", "xyy", "abc", "x-z", "XYW", "8xy"}) {
        EXPECT_THROW(parse_euler_order(bad), Error) << bad;
    }
}

}  // namespace
}  // namespace sinew::math
