// SPDX-License-Identifier: MIT
#include <set>

#include "support/pictures.h"
#include <gtest/gtest.h>

#include "sinew/render/figures/steps.h"
#include "sinew/sample/samples.h"

namespace sinew::render {
namespace {

using test::count_like;

TEST(SkeletonStages, EveryStageShowsWhatItIsAbout) {
    const geometry::Mesh man = sample::make("man").mesh;
    Renderer renderer;
    const auto steps = draw_skeleton_steps(renderer, man, rig::silhouette_skeleton(man), {300, 300});
    std::set<std::string> names;
    for (const StepPicture& step : steps) names.insert(step.name);
    EXPECT_EQ(names,
              (std::set<std::string>{"silhouette", "triangulation", "axis", "depth", "parts", "joints"}));
    const auto& silhouette = steps[0].picture;
    const auto& triangulation = steps[1].picture;
    const auto& axis = steps[2].picture;
    EXPECT_GT(count_like(silhouette, 0), 300) << "a red outline";
    EXPECT_EQ(count_like(silhouette, 2), 0) << "and nothing blue";
    EXPECT_GT(count_like(triangulation, 2), 1000) << "blue triangles";
    EXPECT_GT(count_like(axis, 0), 100) << "a red curve, refined";
    // The blue one before it runs along another side of the body, so the refined one does not hide it.
    EXPECT_GT(count_like(steps[3].picture, 2), 100) << "a blue curve, coarse";
    EXPECT_NE(steps[2].picture, steps[3].picture) << "another side";
    const Picture sheet = step_sheet(steps);
    EXPECT_GE(sheet.width, 3 * 300);
    EXPECT_GE(sheet.height, 2 * 300);
}

}  // namespace
}  // namespace sinew::render
