// SPDX-License-Identifier: MIT
#include "support/random.h"
#include <gtest/gtest.h>

#include "sinew/render/view.h"

namespace sinew::render {
namespace {

constexpr float quarter = static_cast<float>(math::pi / 2);

TEST(Orbit, HeadingLooksAlongTheDocumentedAxes) {
    OrbitCamera camera;
    EXPECT_TRUE((-to_camera(camera).backward()).isApprox(-Vec3f::UnitZ(), 1e-6f));
    camera.heading = quarter;
    EXPECT_TRUE((-to_camera(camera).backward()).isApprox(-Vec3f::UnitX(), 1e-6f));
    camera.heading = 0;
    camera.pitch = quarter / 2;
    EXPECT_GT(-to_camera(camera).backward().y(), 0.7f) << "a pitch above 0 looks up";
}

TEST(Orbit, FourQuartersReturnAndPitchStopsBelowThePole) {
    OrbitCamera camera;
    camera.heading = 0.3f;
    const Camera before = to_camera(camera);
    for (int i = 0; i < 4; ++i) orbit(camera, quarter, 0);
    EXPECT_LT((to_camera(camera).eye - before.eye).norm(), 1e-5f);
    orbit(camera, 0, 10);
    EXPECT_FLOAT_EQ(camera.pitch, max_pitch);
    orbit(camera, 0, -20);
    EXPECT_FLOAT_EQ(camera.pitch, -max_pitch);
}

TEST(Orbit, ViewMatrixIsOrthonormalEverywhere) {
    test::Random random(4);
    for (int i = 0; i < 200; ++i) {
        OrbitCamera camera;
        camera.heading = static_cast<float>(random.uniform(-10, 10));
        orbit(camera, 0, static_cast<float>(random.uniform(-2, 2)));
        const math::Mat3<float> turn = view_matrix(to_camera(camera)).topLeftCorner<3, 3>();
        EXPECT_LT((turn * turn.transpose() - math::Mat3<float>::Identity()).cwiseAbs().maxCoeff(), 1e-6f);
        EXPECT_NEAR(turn.determinant(), 1, 1e-5);
    }
}

TEST(Orbit, TurnKeepsTheEyeAndOrbitTheTarget) {
    OrbitCamera camera;
    camera.target = {1, 2, 3};
    const Vec3f eye = to_camera(camera).eye;
    look(camera, 0.7f, -0.2f);
    EXPECT_LT((to_camera(camera).eye - eye).norm(), 1e-5f);
    const Vec3f target = camera.target;
    orbit(camera, 0.4f, 0.1f);
    EXPECT_EQ(camera.target, target);
}

TEST(Orbit, PanAdvanceAndZoom) {
    OrbitCamera camera;
    camera.heading = quarter;
    camera.distance = 2;
    // Dragged half a picture to the right: the target goes left by half of what is seen, here along +z.
    const float seen = 2 * camera.distance * std::tan(camera.fov / 2);
    const Vec3f before = camera.target;
    pan(camera, 0.5f, 0);
    EXPECT_TRUE((camera.target - before).isApprox(Vec3f(0, 0, seen / 2), 1e-5f));
    advance(camera, 1);
    EXPECT_NEAR(camera.target.x(), before.x() - 1, 1e-5);
    zoom(camera, 0.5f);
    EXPECT_FLOAT_EQ(camera.distance, 1);
    zoom(camera, 0, 0.25f);
    EXPECT_FLOAT_EQ(camera.distance, 0.25f);
}

TEST(Orbit, PresetsComeBackAndFramingSeesTheBox) {
    const Box box{Vec3f(-1, 0, -0.5f), Vec3f(1, 2, 0.5f)};
    for (const View view : {View::three_quarter, View::front, View::back, View::left, View::right}) {
        const Camera fitted = fit(view, box, 1.5f);
        const Camera again = to_camera(orbit_of(fitted));
        EXPECT_LT((again.eye - fitted.eye).norm(), 1e-4f) << name_of(view);
        EXPECT_LT((again.up - fitted.upward()).norm(), 1e-4f) << name_of(view);
    }
    EXPECT_NEAR(orbit_of(fit(View::top, box, 1)).heading, 0, 1e-5);
    EXPECT_FLOAT_EQ(orbit_of(fit(View::top, box, 1)).pitch, -max_pitch);
    OrbitCamera camera;
    camera.heading = 0.5f;
    frame(camera, box, 1.5f);
    const Camera fitted = fit(axes_of(0.5f, 0), box, 1.5f);
    EXPECT_LT((to_camera(camera).eye - fitted.eye).norm(), 1e-4f);
}

}  // namespace
}  // namespace sinew::render
