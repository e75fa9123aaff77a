// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/render/renderer.h"

namespace sinew::render {
namespace {

TEST(Color, SrgbIsItsOwnInverse) {
    for (int i = 0; i <= 255; ++i) {
        const float encoded = static_cast<float>(i) / 255;
        EXPECT_NEAR(srgb_from_linear(linear_from_srgb(encoded)), encoded, 1e-6);
    }
    EXPECT_NEAR(linear_from_srgb(0.5f), 0.21404f, 1e-4);
}

TEST(Color, OklchWhiteAndPrimaries) {
    EXPECT_TRUE(color_from_oklch(1, 0, 0).isApprox(Vec3f::Ones(), 1e-3f));
    EXPECT_TRUE(color_from_oklch(0.6279554f, 0.2576833f, 29.2338803f / 360).isApprox(Vec3f(1, 0, 0), 5e-3f));
}

TEST(Color, NeighbouringJointsLookDifferent) {
    const auto encoded = [](std::size_t j) {
        const Vec3f color = joint_color(j);
        return Vec3f(srgb_from_linear(color.x()), srgb_from_linear(color.y()), srgb_from_linear(color.z()));
    };
    for (std::size_t j = 0; j < 100; ++j) {
        EXPECT_GT((encoded(j) - encoded(j + 1)).norm(), 0.3f) << j;
        for (std::size_t k = j + 2; k < j + 5; ++k)
            EXPECT_GT((encoded(j) - encoded(k)).norm(), 0.12f) << j << " " << k;
    }
}

TEST(Color, HeatGoesFromBlueToRed) {
    EXPECT_GT(heat_color(0).z(), 3 * heat_color(0).x());
    EXPECT_GT(heat_color(1).x(), 3 * heat_color(1).z());
    EXPECT_GT(heat_color(0.5f).y(), heat_color(0.5f).x());
    EXPECT_EQ(heat_color(-1), heat_color(0));
    EXPECT_EQ(heat_color(2), heat_color(1));
}

model::Skin two_joints() {
    model::Skin skin;
    skin.joints.resize(2);
    skin.joints[1].joint = 5;
    const std::array<model::Influence, 2> half = {{{0, 0.5f}, {1, 0.5f}}};
    const std::array<model::Influence, 1> first = {{{0, 1.0f}}};
    skin.push_vertex(half);
    skin.push_vertex(first);
    return skin;
}

TEST(Color, WeightsBlendTheColoursOfSkeletonJoints) {
    const std::vector<Vec4f> colors = weight_colors(two_joints());
    ASSERT_EQ(colors.size(), 2u);
    EXPECT_TRUE(colors[0].head<3>().isApprox((joint_color(0) + joint_color(5)) / 2, 1e-6f));
    EXPECT_TRUE(colors[1].head<3>().isApprox(joint_color(0), 1e-6f));
    EXPECT_EQ(colors[0].w(), 1);
}

TEST(Color, OneJointsWeightsAreHeat) {
    const std::vector<Vec4f> colors = joint_weight_colors(two_joints(), 1);
    EXPECT_TRUE(colors[0].head<3>().isApprox(heat_color(0.5f)));
    EXPECT_TRUE(colors[1].head<3>().isApprox(heat_color(0)));
    EXPECT_THROW(joint_weight_colors(two_joints(), 2), Error);
}

TEST(Color, ScalarsWithinTheirRange) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<float> values = {1, 3, nan, 2};
    const ValueRange range = value_range(values);
    EXPECT_EQ(range.low, 1);
    EXPECT_EQ(range.high, 3);
    const std::vector<Vec4f> colors = scalar_colors(values, range);
    EXPECT_TRUE(colors[0].head<3>().isApprox(heat_color(0)));
    EXPECT_TRUE(colors[1].head<3>().isApprox(heat_color(1)));
    EXPECT_TRUE(colors[3].head<3>().isApprox(heat_color(0.5f)));
    EXPECT_EQ(colors[2].x(), colors[2].z()) << "grey where there is no number";
    EXPECT_EQ(value_range({}).high, 1);
    EXPECT_TRUE(scalar_colors(std::vector<float>(3, 7.0f), {7, 7})[0].allFinite());
}

}  // namespace
}  // namespace sinew::render
