#include "sinew/render/skeleton_stages.h"

#include <set>

#include <gtest/gtest.h>

#include "sinew/sample/samples.h"

namespace sinew::render {
namespace {

/// Pixels that are much more one colour than the others.
int count_like(const Picture& picture, std::size_t channel) {
    int count = 0;
    for (const Pixel& pixel : picture.pixels) {
        const int other = std::max(pixel[(channel + 1) % 3], pixel[(channel + 2) % 3]);
        count += pixel[channel] > other + 80 ? 1 : 0;
    }
    return count;
}

TEST(SkeletonStages, EveryStageShowsWhatItIsAbout) {
    const geometry::Mesh man = sample::make("man").mesh;
    Renderer renderer;
    const auto stages = draw_stages(renderer, man, rig::silhouette_skeleton(man), {300, 300});
    std::set<std::string> names;
    for (const StagePicture& stage : stages) names.insert(stage.name);
    EXPECT_EQ(names,
              (std::set<std::string>{"silhouette", "triangulation", "axis", "depth", "parts", "joints"}));
    const auto& silhouette = stages[0].picture;
    const auto& triangulation = stages[1].picture;
    const auto& axis = stages[2].picture;
    EXPECT_GT(count_like(silhouette, 0), 300) << "a red outline";
    EXPECT_EQ(count_like(silhouette, 2), 0) << "and nothing blue";
    EXPECT_GT(count_like(triangulation, 2), 1000) << "blue triangles";
    EXPECT_GT(count_like(axis, 0), 100) << "a red curve";
    EXPECT_NE(stages[2].picture, stages[3].picture) << "another side";
    const Picture sheet = stage_sheet(stages);
    EXPECT_GE(sheet.width, 3 * 300);
    EXPECT_GE(sheet.height, 2 * 300);
}

}  // namespace
}  // namespace sinew::render
