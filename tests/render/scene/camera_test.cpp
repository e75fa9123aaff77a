// SPDX-License-Identifier: MIT
#include "support/random.h"
#include <gtest/gtest.h>

#include "sinew/render/renderer.h"

namespace sinew::render {
namespace {

constexpr std::array<View, 6> all_views = {View::three_quarter, View::front, View::back,
                                           View::left,          View::right, View::top};

math::Vec3d project(const Camera& camera, float aspect, const Vec3f& point) {
    const math::Vec4f clip = projection_matrix(camera, aspect, 0.01f, 1000) * view_matrix(camera) *
                             math::Vec4f(point.x(), point.y(), point.z(), 1);
    return (clip.head<3>() / clip.w()).cast<double>();
}

TEST(Camera, FrontSeesTheCharactersLeftOnTheRight) {
    const Box box{Vec3f(-1, -1, -1), Vec3f(1, 1, 1)};
    const auto place = [&](View view, const Vec3f& point) { return project(fit(view, box, 1), 1, point); };
    EXPECT_GT(place(View::front, {1, 0, 0}).x(), 0.1);
    EXPECT_GT(place(View::front, {0, 1, 0}).y(), 0.1);
    EXPECT_LT(place(View::back, {1, 0, 0}).x(), -0.1);
    EXPECT_LT(place(View::left, {0, 0, 1}).x(), -0.1) << "from its left side it looks to the left";
    EXPECT_GT(place(View::right, {0, 0, 1}).x(), 0.1);
    EXPECT_LT(place(View::top, {0, 0, 1}).y(), -0.1) << "from above it looks down the picture";
    EXPECT_GT(fit(View::three_quarter, box, 1).eye.y(), 0.2f);
    // What is nearer has less depth.
    EXPECT_LT(place(View::front, {0, 0, 1}).z(), place(View::front, {0, 0, -1}).z());
}

TEST(Camera, FitTouchesTheMarginAndNothingIsOutside) {
    sinew::test::Random random(3);
    for (int round = 0; round < 60; ++round) {
        std::vector<Vec3f> points;
        const math::Vec3d offset = random.vector(5);
        for (int i = 0; i < 20; ++i) points.emplace_back((random.vector(2) + offset).cast<float>());
        const float aspect = static_cast<float>(random.uniform(0.4, 2.5));
        FitOptions options;
        options.orthographic = round % 2 == 1;
        options.margin = 0.1f;
        const Camera camera =
            fit(axes_of(all_views[static_cast<std::size_t>(round) % 6]), points, aspect, options);
        double widest = 0;
        for (const Vec3f& point : points) {
            const math::Vec3d p = project(camera, aspect, point);
            widest = std::max({widest, std::abs(p.x()), std::abs(p.y())});
            EXPECT_GT((camera.eye - point).dot(camera.backward()), 0);
        }
        EXPECT_NEAR(widest, 0.8, 1e-3) << round;
    }
}

TEST(Camera, FitOfAPointOrNothingIsFinite) {
    const std::vector<Vec3f> one = {Vec3f(3, 2, 1)};
    for (const bool orthographic : {false, true}) {
        FitOptions options;
        options.orthographic = orthographic;
        const Camera at_point = fit(axes_of(View::front), one, 1, options);
        EXPECT_TRUE(at_point.eye.allFinite());
        EXPECT_GT(at_point.distance(), 0);
        EXPECT_TRUE(fit(View::top, Box{}, 1, options).eye.allFinite());
    }
}

}  // namespace
}  // namespace sinew::render
