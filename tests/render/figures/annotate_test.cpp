// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/render/figures.h"
#include "sinew/sample/samples.h"

namespace sinew::render {
namespace {

int dark_pixels(const Picture& picture) {
    return static_cast<int>(
        std::ranges::count_if(picture.pixels, [](const Pixel& p) { return p[0] + p[1] + p[2] < 300; }));
}

TEST(Annotate, ACaptionIsAStripAbove) {
    const Picture plain(200, 100, {150, 200, 190, 255});
    const Picture captioned = with_caption(plain, "lbs");
    EXPECT_EQ(captioned.width, 200);
    ASSERT_GT(captioned.height, 100);
    const int strip = captioned.height - 100;
    EXPECT_EQ(captioned.at(0, strip), plain.at(0, 0));
    EXPECT_EQ(captioned.at(0, strip - 1), (Pixel{255, 255, 255, 255}));
    EXPECT_GT(dark_pixels(captioned), 20);
    EXPECT_EQ(dark_pixels(with_caption(plain, "")), 0);
    // A line that is too long shrinks until it fits.
    const Picture full = with_caption(plain, std::string(300, 'm'));
    for (int y = 0; y < strip; ++y) EXPECT_EQ(full.at(0, y), (Pixel{255, 255, 255, 255}));
}

TEST(Annotate, AColourBarGoesFromColdToHot) {
    const Picture plain(100, 300, {255, 255, 255, 255});
    const Picture result = with_color_bar(plain, {0, 2}, "mm");
    EXPECT_GT(result.width, 130);
    const Pixel hot = result.at(120, 32), cold = result.at(120, 267);
    EXPECT_GT(hot[0], 2 * hot[2]);
    EXPECT_GT(cold[2], 2 * cold[0]);
    EXPECT_NO_THROW(with_color_bar(plain, {1, 1}, "")) << "an empty range is a bar too";
}

TEST(Difference, TheTwistedTubeIsHotInItsMiddle) {
    const model::Character tube = sample::make("tube");
    const model::Clip* twist = model::find_clip(tube, "twist");
    Renderer renderer;
    RenderOptions options;
    options.width = options.height = 200;
    options.view = View::front;
    options.ground = false;
    const auto same =
        render_difference(renderer, tube, twist, 0.9, deform::Method::dqs, deform::Method::dqs, options);
    EXPECT_EQ(same.max_percent, 0);
    const auto other =
        render_difference(renderer, tube, twist, 0.9, deform::Method::lbs, deform::Method::dqs, options);
    // At half weight linear blending shrinks the radius by cos(162 / 2 degrees); the ring at the joint shows
    // it.
    const double diagonal = geometry::bounds(tube.mesh.positions).diagonal();
    const double expected = 100 * 0.1 * (1 - std::cos(math::radians(81))) / diagonal;
    EXPECT_NEAR(other.max_percent, expected, 0.02 * expected);
    EXPECT_LT(other.rms_percent, other.max_percent);
    // Red and yellow in the middle, blue at the ends.
    const int strip = other.picture.height - 200;
    const Pixel middle = other.picture.at(100, strip + 100), end = other.picture.at(100, strip + 30);
    EXPECT_GT(middle[0], middle[2] + 40);
    EXPECT_GT(end[2], end[0] + 40);
    EXPECT_THROW(render_difference(renderer, {}, nullptr, 0, deform::Method::lbs, deform::Method::dqs),
                 Error);
}

}  // namespace
}  // namespace sinew::render
