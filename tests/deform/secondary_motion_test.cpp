#include "sinew/deform/secondary_motion.h"

#include <gtest/gtest.h>

#include "sinew/base/error.h"

namespace sinew::deform {
namespace {

using math::Vec3d;

const std::vector<Vec3d> origin = {Vec3d::Zero()}, right = {Vec3d::UnitX()};

TEST(SecondaryMotion, SwingsAtItsFrequency) {
    SpringOptions options;
    options.frequency = 2;
    options.damping = 0;
    options.max_step = 0.0005;
    SecondaryMotion motion(1, options);
    motion.step(origin, 0);
    EXPECT_NEAR(motion.step(right, 0)[0].x(), -1, 1e-9) << "a jump leaves it behind";
    // Offset -cos(2 pi f t): back after half a second, on the other side after a quarter.
    EXPECT_NEAR(motion.step(right, 0.25)[0].x(), 1, 0.01);
    EXPECT_NEAR(motion.step(right, 0.25)[0].x(), -1, 0.01);
}

TEST(SecondaryMotion, CriticalDampingDoesNotSwingOver) {
    SpringOptions options;
    options.damping = 1;
    SecondaryMotion motion(1, options);
    motion.step(origin, 0);
    double offset = motion.step(right, 0)[0].x(), over = 0;
    for (int i = 0; i < 200; ++i) {
        offset = motion.step(right, 0.01)[0].x();
        over = std::max(over, offset);
    }
    EXPECT_LT(over, 1e-3) << "but for the error of the steps";
    EXPECT_NEAR(offset, 0, 1e-6);
}

TEST(SecondaryMotion, FollowsAnEvenMoveAtTheLagOfTheFormula) {
    // At constant speed v the offset settles at -c / k v = -damping / (pi f) v.
    SpringOptions options;
    options.max_step = 0.0005;
    SecondaryMotion motion(1, options);
    for (int i = 0; i < 600; ++i) motion.step(std::vector<Vec3d>{Vec3d(0.02 * i, 0, 0)}, 0.01);
    const double offset = motion.step(std::vector<Vec3d>{Vec3d(0.02 * 600, 0, 0)}, 0.01)[0].x();
    EXPECT_NEAR(offset, -2 * options.damping / (math::pi * options.frequency), 2e-3);
}

TEST(SecondaryMotion, FrameRateHardlyMatters) {
    const auto after = [](int frames) {
        SecondaryMotion motion(1);
        motion.step(origin, 0);
        Vec3d offset = Vec3d::Zero();
        for (int i = 1; i <= frames; ++i)
            offset = motion.step(std::vector<Vec3d>{Vec3d(double(i) / frames, 0, 0)}, 0.5 / frames)[0];
        return offset.x();
    };
    EXPECT_NEAR(after(15), after(60), 0.01);
    EXPECT_GT(std::abs(after(15)), 0.02);
}

TEST(SecondaryMotion, LimitsAndHardInputs) {
    SpringOptions options;
    options.limit = 0.1;
    SecondaryMotion motion(1, options);
    motion.step(origin, 0);
    EXPECT_LE(motion.step(std::vector<Vec3d>{Vec3d(100, 0, 0)}, 0.03)[0].norm(), 0.1 + 1e-9);
    EXPECT_TRUE(motion.step(origin, 1e6)[0].allFinite());
    motion.reset();
    EXPECT_EQ(motion.step(right, 0.01)[0], Vec3d::Zero());
    EXPECT_THROW(motion.step({}, 0.1), Error);
    EXPECT_THROW(motion.step(origin, -1), Error);
    options.frequency = 0;
    EXPECT_THROW(SecondaryMotion(1, options), Error);
}

}  // namespace
}  // namespace sinew::deform
