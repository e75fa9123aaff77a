// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>

#include "support/cut_shapes.h"
#include <gtest/gtest.h>

#include "sinew/render/figures/steps.h"

namespace sinew::render {
namespace {

const Picture& picture_of(const std::vector<StepPicture>& steps, std::string_view name) {
    const auto found =
        std::find_if(steps.begin(), steps.end(), [&](const StepPicture& s) { return s.name == name; });
    if (found == steps.end()) throw std::runtime_error("no step " + std::string(name));
    return found->picture;
}

/// Pixels that are much darker than paper and body.
int count_dark(const Picture& picture) {
    return static_cast<int>(std::count_if(picture.pixels.begin(), picture.pixels.end(), [](const Pixel& p) {
        return p[0] < 70 && p[1] < 70 && p[2] < 70;
    }));
}

TEST(PartStages, EveryStageShowsWhatItIsAbout) {
    // A bent body, so that refinement turns its boxes: two bars that meet in a corner.
    std::vector<test::CubeCell> cells;
    for (int i = 0; i < 6; ++i) cells.push_back({{i, 0, 0}, 0});
    for (int j = 1; j < 5; ++j) cells.push_back({{5, j, 0}, 1});
    const geometry::Mesh mesh = test::cubes(cells, {"beam", "tower"});
    const geometry::CutMesh cut = geometry::cut_mesh(mesh);
    const geometry::PartTree tree = geometry::part_tree(cut);
    Renderer renderer;
    const auto steps = draw_part_steps(renderer, mesh, cut, tree, {240, 240});
    std::vector<std::string> names;
    for (const StepPicture& step : steps) {
        names.push_back(step.name);
        EXPECT_EQ(step.picture.width, 240) << step.name;
    }
    EXPECT_EQ(names, (std::vector<std::string>{"parts", "openings", "opening", "centroid", "principal-axis",
                                               "all-axes", "boxes-before", "boxes-after"}));
    // Bones and axes are dark lines; parts have none.
    EXPECT_EQ(count_dark(picture_of(steps, "parts")), 0);
    for (const char* name : {"opening", "centroid", "principal-axis", "boxes-before", "boxes-after"})
        EXPECT_GT(count_dark(picture_of(steps, name)), 20) << name;
    EXPECT_NE(picture_of(steps, "boxes-before").pixels, picture_of(steps, "boxes-after").pixels);
    EXPECT_NE(picture_of(steps, "opening").pixels, picture_of(steps, "principal-axis").pixels);
}

}  // namespace
}  // namespace sinew::render
