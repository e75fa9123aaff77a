// SPDX-License-Identifier: MIT
#include "articulated/bodies.h"
#include <gtest/gtest.h>

#include "sinew/articulated/gaps.h"
#include "sinew/base/error.h"
#include "sinew/render/figures/steps.h"
#include "sinew/sample/samples.h"

namespace sinew::render {
namespace {

/// Pixels near a colour of the screen.
int count_near(const Picture& picture, int red, int green, int blue) {
    int count = 0;
    for (const Pixel& p : picture.pixels)
        count += std::abs(p[0] - red) + std::abs(p[1] - green) + std::abs(p[2] - blue) < 90 ? 1 : 0;
    return count;
}

TEST(GapStages, FivePicturesInTheirColours) {
    const articulated::RigidPartsOfSkin parts = articulated::rigid_parts_of_skin(sample::make("tube"));
    const articulated::GapCloser closer(parts.body);
    std::vector<math::Rigidd> world(2);
    world[1] = math::rotation_about<double>(parts.body.pivot[1], math::Vec3d::UnitX(), math::radians(90));
    Renderer renderer;
    GapStepOptions options;
    options.size = {320, 320};
    const std::vector<StepPicture> steps = draw_gap_steps(renderer, closer, world, options);
    std::vector<std::string> names;
    for (const StepPicture& step : steps) {
        names.push_back(step.name);
        EXPECT_EQ(step.picture.width, 320);
    }
    EXPECT_EQ(names, (std::vector<std::string>{"rest", "moved", "removed", "points", "closed"}));
    const auto yellow = [&](std::size_t i) { return count_near(steps[i].picture, 237, 202, 20); };
    const auto blue = [&](std::size_t i) { return count_near(steps[i].picture, 30, 80, 225); };
    const auto pink = [&](std::size_t i) { return count_near(steps[i].picture, 240, 165, 190); };
    EXPECT_GT(yellow(0), 30);
    EXPECT_GT(yellow(1), 30);
    EXPECT_EQ(yellow(4), 0);
    EXPECT_EQ(blue(2), 0);
    EXPECT_GT(blue(3), 50);
    EXPECT_GT(pink(4), 1000);
    EXPECT_LT(pink(3), pink(4) / 10);
    EXPECT_THROW(draw_gap_steps(renderer, closer, world, {.size = {64, 64}, .gap = 3}), Error);
}

TEST(GapStages, OtherJointsAreLeftOut) {
    // A capsule in three parts: the joint in view bends alike, the other one does or does not.
    const articulated::ChainFigure chain(3, 0.1, 0.9);
    const articulated::GapCloser closer(
        articulated::part_body(chain.mesh, chain.cut, chain.tree, chain.features));
    articulated::ArticulatedFigure figure = chain.figure();
    const auto steps = [&](double other) {
        std::vector<math::Vec3d> angles(3, math::Vec3d::Zero());
        angles[1] = {1.0, 0, 0};
        angles[2] = {other, 0, 0};
        figure.pose(angles);
        Renderer renderer;
        return draw_gap_steps(renderer, closer, figure.world(), {.size = {200, 200}, .gap = 0});
    };
    const std::vector<StepPicture> alone = steps(0), both = steps(0.9);
    for (std::size_t i = 0; i < alone.size(); ++i)
        EXPECT_EQ(alone[i].picture.pixels, both[i].picture.pixels) << alone[i].name;
}

}  // namespace
}  // namespace sinew::render
