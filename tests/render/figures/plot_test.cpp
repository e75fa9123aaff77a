// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <set>

#include "support/data.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/render/figures.h"

namespace sinew::render {
namespace {

std::vector<std::string> labels(const std::vector<Tick>& ticks) {
    std::vector<std::string> result;
    for (const Tick& tick : ticks)
        if (!tick.label.empty()) result.push_back(tick.label);
    return result;
}

std::size_t count_of(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

/// Pixels that are nearly of a colour.
int count_pixels(const Picture& picture, const Pixel& color) {
    return static_cast<int>(std::ranges::count_if(picture.pixels, [&](const Pixel& p) {
        return std::abs(p[0] - color[0]) + std::abs(p[1] - color[1]) + std::abs(p[2] - color[2]) < 12;
    }));
}

TEST(StrokeFont, EveryLetterIsDrawnAndNoTwoAreAlike) {
    std::set<std::string> seen;
    for (char c = '!'; c <= '~'; ++c) {
        Drawing drawing;
        drawing.width = drawing.height = 40;
        drawing.shapes.emplace_back(TextShape{{10, 28}, std::string(1, c), 28});
        const Picture picture = to_picture(drawing);
        EXPECT_TRUE(seen.insert(encode_png(picture)).second || c == 'l') << c;  // I and l are both a bar
        for (const Polyline& stroke : text_strokes(std::string(1, c)))
            for (const Vec2d& p : stroke) {
                EXPECT_GE(p.x(), -0.05) << c;
                EXPECT_LE(p.x(), text_width(std::string(1, c)) + 0.05) << c;
                EXPECT_GE(p.y(), -0.3) << c;
                EXPECT_LE(p.y(), 0.82) << c;
            }
    }
    EXPECT_TRUE(text_strokes(" ").empty());
    EXPECT_EQ(text_strokes("").size(), 0u);
    EXPECT_EQ(text_width(""), 0);
}

TEST(StrokeFont, TextIsAsWideAsItsLettersAndBrokenUtf8IsABox) {
    EXPECT_GT(text_width("ab"), text_width("a") + text_width("b"));
    EXPECT_EQ(text_strokes("\xc2\xb0").size(), 1u) << "the degree sign";
    EXPECT_EQ(text_strokes("\xff").size(), 1u);
    EXPECT_EQ(text_strokes("\xe2\x82").size(), 1u);
    EXPECT_DOUBLE_EQ(text_width("\xff"), text_width("\xe2\x82\xac"));
}

TEST(Drawing, LinesCoverTheirWidthAndDoNotAddUp) {
    Drawing drawing;
    drawing.width = 20;
    drawing.height = 20;
    // The line goes back over itself, half transparent: it must be half grey, not darker.
    drawing.shapes.emplace_back(LineShape{{{2, 10}, {18, 10}, {2, 10}}, {0, 0, 0, 128}, 4, 0});
    const Picture picture = to_picture(drawing);
    for (const int y : {8, 9, 10, 11}) EXPECT_NEAR(picture.at(10, y)[0], 127, 1);
    for (const int y : {7, 12}) EXPECT_EQ(picture.at(10, y)[0], 255);
}

TEST(Drawing, RectsCoverPartsOfPixels) {
    Drawing drawing;
    drawing.width = drawing.height = 8;
    drawing.shapes.emplace_back(RectShape{{2.5, 2}, {5, 6}, {0, 0, 0, 255}});
    const Picture picture = to_picture(drawing);
    EXPECT_NEAR(picture.at(2, 3)[0], 128, 1);
    EXPECT_EQ(picture.at(3, 3)[0], 0);
    EXPECT_EQ(picture.at(5, 3)[0], 255);
    EXPECT_EQ(picture.at(3, 6)[0], 255);
}

TEST(Drawing, DashesAreAsLongAsTheirGaps) {
    Drawing drawing;
    drawing.width = 200;
    drawing.height = 9;
    drawing.shapes.emplace_back(LineShape{{{0, 4.5}, {90, 4.5}, {200, 4.5}}, {0, 0, 0, 255}, 1, 10});
    const Picture picture = to_picture(drawing);
    EXPECT_EQ(picture.at(5, 4)[0], 0);
    EXPECT_EQ(picture.at(15, 4)[0], 255);
    EXPECT_EQ(picture.at(85, 4)[0], 0);
    EXPECT_EQ(picture.at(95, 4)[0], 255);
    EXPECT_EQ(picture.at(185, 4)[0], 0);
}

TEST(Drawing, NonsenseIsLeftOutAndTheRestIsDrawn) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    Drawing drawing;
    drawing.width = drawing.height = 10;
    drawing.shapes = {LineShape{{{0, 0}, {nan, 5}}},
                      RectShape{{nan, 0}, {5, 5}},
                      DiscShape{{nan, 1}},
                      LineShape{},
                      TextShape{{nan, 2}, "x"},
                      LineShape{{{1e12, 3}, {-1e12, 3}}},
                      RectShape{{-1e9, 8}, {1e9, 1e9}}};
    const Picture picture = to_picture(drawing);
    EXPECT_EQ(picture.at(5, 9)[0], 0);
    EXPECT_EQ(count_of(to_svg(drawing), "nan"), 0u);
    drawing.width = 1e6;
    EXPECT_THROW(to_picture(drawing), Error);
}

TEST(Plot, TicksAreRound) {
    using Words = std::vector<std::string>;
    EXPECT_EQ(labels(axis_ticks(0, 1, AxisScale::linear, 5)),
              (Words{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
    EXPECT_EQ(labels(axis_ticks(-10, 10, AxisScale::linear, 4)), (Words{"-10", "-5", "0", "5", "10"}));
    EXPECT_EQ(labels(axis_ticks(0.9582, 0.9604, AxisScale::linear, 4)),
              (Words{"0.9585", "0.9590", "0.9595", "0.9600"}));
    EXPECT_EQ(labels(axis_ticks(0.5, 2000, AxisScale::logarithmic, 6)), (Words{"1", "10", "100", "1000"}));
    EXPECT_EQ(axis_ticks(1, 10, AxisScale::logarithmic).size(), 10u) << "1 to 10, those between unnamed";
    EXPECT_THROW(axis_ticks(1, 1, AxisScale::linear), Error);
    EXPECT_THROW(axis_ticks(0, 1, AxisScale::logarithmic), Error);
}

/// The words of a laid-out plot.
std::set<std::string> words_of(const Plot& plot) {
    std::set<std::string> words;
    for (const Shape& shape : layout(plot).shapes)
        if (const auto* text = std::get_if<TextShape>(&shape)) words.insert(text->text);
    return words;
}

TEST(Plot, LimitsGoAroundTheData) {
    Plot plot;
    plot.series.push_back({"a", {{0.1, 3}, {9.3, 97}, {5, NAN}}, {}, {}});
    for (const char* label : {"0", "10", "100"}) EXPECT_TRUE(words_of(plot).contains(label)) << label;
    plot.y.scale = AxisScale::logarithmic;
    EXPECT_TRUE(words_of(plot).contains("1"));
    plot.y.low = -1;
    EXPECT_THROW(layout(plot), Error);
    plot.y.low = 200;
    EXPECT_THROW(layout(plot), Error);
    EXPECT_FALSE(words_of({}).empty()) << "an empty plot has axes too";
}

TEST(Plot, CurvesAreDrawnWhereTheyBelong) {
    Plot plot;
    plot.series.push_back({"", {{0, 0}, {1, 1}}, {}, pixel_from_hex(0xff0000)});
    plot.x = {"", {}, 0, 1};
    plot.y = {"", {}, 0, 1};
    const Picture picture = draw(plot, {400, 300});
    const Drawing drawing = layout(plot, {400, 300});
    const auto& line = std::get<LineShape>(drawing.shapes[drawing.shapes.size() - 4]);
    ASSERT_EQ(line.points.size(), 2u);
    const Vec2d middle = (line.points[0] + line.points[1]) / 2;
    EXPECT_LT(line.points[0].x(), line.points[1].x());
    EXPECT_GT(line.points[0].y(), line.points[1].y()) << "y goes up";
    const Pixel at = picture.at(static_cast<int>(middle.x()), static_cast<int>(middle.y()));
    EXPECT_GT(at[0], 200);
    EXPECT_LT(at[1], 120);
}

TEST(Plot, CurvesEndAtTheAxesAndBreakAtGaps) {
    Plot plot;
    plot.x = {"", {}, 0, 10};
    plot.y = {"", {}, 0, 10};
    plot.series.push_back({"", {{-10, 5}, {20, 5}, {NAN, NAN}, {2, 2}, {3, 3}, {4, 40}}, {}, {}});
    const Drawing drawing = layout(plot, {400, 300});
    const Drawing empty = layout({"", plot.x, plot.y, {}}, {400, 300});
    std::vector<LineShape> curves;
    for (std::size_t i = 0; i < drawing.shapes.size(); ++i)
        if (const auto* line = std::get_if<LineShape>(&drawing.shapes[i]); line && line->width == 2)
            curves.push_back(*line);
    ASSERT_EQ(curves.size(), 2u);
    EXPECT_EQ(drawing.shapes.size(), empty.shapes.size() + 2);
    for (const LineShape& curve : curves)
        for (const Vec2d& p : curve.points) {
            EXPECT_GE(p.x(), 20);
            EXPECT_LE(p.x(), 372 + 1e-9);
            EXPECT_GE(p.y(), 18 - 1e-9);
        }
    EXPECT_EQ(curves[1].points.size(), 3u) << "the last segment is cut at the upper edge";
}

TEST(Plot, TheLegendHidesNoCurveWhenThereIsRoom) {
    Plot plot;
    plot.x = {"", {}, 0, 1};
    plot.y = {"", {}, 0, 1};
    const Pixel red = pixel_from_hex(0xff0000);
    // Along the left side and the upper one: the lower right corner is free.
    Series series{"corner", {{0.05, 0}, {0.05, 0.95}, {1, 0.95}}, {}, red};
    plot.series = {series};
    const int with = count_pixels(draw(plot), red);
    plot.series[0].name.clear();
    const int without = count_pixels(draw(plot), red);
    EXPECT_GT(with, without) << "the legend shows the colour, and hides none of the curve";
}

TEST(Plot, SvgHoldsTheSameAndEscapesText) {
    Plot plot;
    plot.title = "a < b & \"c\"";
    plot.x.label = "time";
    plot.series = {{"one", {{0, 0}, {1, 2}}, SeriesStyle::dashed, {}},
                   {"two", {{0, 1}, {1, 1}}, SeriesStyle::marks, {}}};
    const std::string text = svg(plot);
    EXPECT_TRUE(text.starts_with("<svg ") && text.ends_with("</svg>\n"));
    EXPECT_NE(text.find("a &lt; b &amp; &quot;c&quot;"), std::string::npos);
    EXPECT_EQ(count_of(text, "stroke-dasharray"), 2u) << "the curve and its sample in the legend";
    EXPECT_EQ(count_of(text, "<circle"), 3u);
    EXPECT_EQ(count_of(text, ">time</text>"), 1u);
    EXPECT_EQ(text, svg(plot));
}

TEST(Plot, SavesByTheSuffix) {
    const test::TemporaryFolder folder;
    save_plot(folder / "p.png", {}, {200, 150});
    EXPECT_EQ(load_picture(folder / "p.png").width, 200);
    save_plot(folder / "p.svg", {});
    EXPECT_THROW(save_plot(folder / "p.pdf", {}), Error);
    EXPECT_THROW(layout({}, {100, 100}), Error);
}

}  // namespace
}  // namespace sinew::render
