// SPDX-License-Identifier: MIT
#include "sinew/render/film/direction.h"

#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/render/film.h"
#include "sinew/sample/samples.h"

namespace sinew::render {
namespace {

using model::StageValue;

/// Channels of constant values.
model::ChannelSet channels(std::initializer_list<std::pair<StageValue, double>> values) {
    model::ChannelSet set;
    for (const auto& [value, number] : values) {
        model::Channel curve;
        curve.keys.push_back({0, number, {}, {}});
        set.stage.push_back({value, curve});
    }
    return set;
}

Camera moved(const Camera& camera, std::initializer_list<std::pair<StageValue, double>> values) {
    model::StagePlayer player(channels(values));
    return directed(camera, player, 0.5);
}

TEST(Direction, TheCameraGoesAround) {
    const Camera camera{.eye = {0, 1, 3}, .target = {0, 1, 0}};
    EXPECT_LT((moved(camera, {{StageValue::camera_azimuth, 90}}).eye - Vec3f(3, 1, 0)).norm(), 1e-5f);
    const Camera above = moved(camera, {{StageValue::camera_elevation, 30}});
    EXPECT_NEAR(above.eye.y(), 1 + 3 * 0.5, 1e-5);
    EXPECT_NEAR(above.distance(), 3, 1e-5);
    EXPECT_LT(moved(camera, {{StageValue::camera_elevation, 200}}).backward().y(), 1);  // not over the top
    EXPECT_NEAR(moved(camera, {{StageValue::camera_zoom, 2}}).distance(), 1.5, 1e-6);
    EXPECT_NEAR(moved(camera, {{StageValue::camera_fov, 50}}).fov, math::radians(50), 1e-6);
    const Camera placed = moved(camera, {{StageValue::camera_eye_x, 2}, {StageValue::camera_target_y, 0.5}});
    EXPECT_EQ(placed.eye, Vec3f(2, 1, 3));
    EXPECT_EQ(placed.target, Vec3f(0, 0.5f, 0));
    // Rolled clockwise, what was up points to the right.
    const Camera rolled = moved(camera, {{StageValue::camera_roll, 90}});
    EXPECT_LT((rolled.upward() + camera.right()).norm(), 1e-5f);
    EXPECT_THROW(moved(camera, {{StageValue::camera_zoom, 0}}), Error);
    EXPECT_THROW(moved(camera, {{StageValue::camera_fov, 180}}), Error);
    EXPECT_THROW(moved(camera, {{StageValue::camera_eye_x, 0}, {StageValue::camera_eye_z, 0}}), Error);
}

TEST(Direction, NothingDrivenIsNothingChanged) {
    model::StagePlayer none;
    const Camera camera;
    EXPECT_EQ(directed(camera, none, 1).eye, camera.eye);
    EXPECT_EQ(directed(camera, none, 1).up, camera.up);
    Scene scene;
    scene.drawables.resize(1);
    const Scene same = directed(scene, none, 1);
    EXPECT_EQ(same.background.center, scene.background.center);
    EXPECT_EQ(same.drawables[0].surface, Surface::material);
    EXPECT_EQ(same.lighting.exposure, 1);
}

/// Mean of a channel of the picture.
double mean(const Picture& picture, std::size_t channel) {
    double sum = 0;
    for (const Pixel& p : picture.pixels) sum += p[channel];
    return sum / static_cast<double>(picture.pixels.size());
}

TEST(Direction, ChannelsDriveThePictureOverTime) {
    model::ChannelSet set = channels({{StageValue::background_red, 0},
                                      {StageValue::background_green, 0},
                                      {StageValue::background_blue, 0}});
    // From black to red within a second; the figure gets darker in the end.
    set.stage[0].curve.keys = {{0, 0, {}, {}}, {1, 1, {}, {}}};
    model::Channel exposure;
    exposure.keys = {{0, 1, {}, {}}, {1, 1, {}, {}}, {1, 0, {}, {}}};
    set.stage.push_back({StageValue::light_exposure, exposure});
    RenderOptions options;
    options.width = options.height = 96;
    options.ground = false;
    options.direction = set;
    const model::Character tube = sample::make("tube");
    Renderer renderer;
    const auto at = [&](double time) { return render_character(renderer, tube, nullptr, time, options); };
    const Picture first = at(0), middle = at(0.75), last = at(2);
    EXPECT_GT(mean(middle, 0), mean(first, 0) + 50);
    EXPECT_NEAR(mean(middle, 2), mean(first, 2), 3);
    EXPECT_LT(mean(last, 2), mean(middle, 2) - 2);
}

}  // namespace
}  // namespace sinew::render
