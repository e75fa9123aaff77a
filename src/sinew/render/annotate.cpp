#include "sinew/render/annotate.h"

#include <algorithm>
#include <cmath>

#include "sinew/render/plot.h"

namespace sinew::render {
namespace {

constexpr Pixel white = {255, 255, 255, 255}, text_ink = {45, 45, 48, 255};

/// A larger white picture that holds this one at a place.
Picture framed(const Picture& picture, int width, int height, int left, int top) {
    Picture result(width, height, white);
    for (int y = 0; y < picture.height; ++y)
        for (int x = 0; x < picture.width; ++x) result.at(left + x, top + y) = picture.at(x, y);
    return result;
}

Pixel encoded(const Vec3f& linear) {
    Pixel pixel = {0, 0, 0, 255};
    for (int c = 0; c < 3; ++c)
        pixel[static_cast<std::size_t>(c)] =
            static_cast<std::uint8_t>(std::lround(255 * std::clamp(srgb_from_linear(linear[c]), 0.0f, 1.0f)));
    return pixel;
}

}  // namespace

Picture with_caption(const Picture& picture, std::string_view text) {
    constexpr int strip = 30;
    constexpr double largest = 17;
    Picture result = framed(picture, picture.width, picture.height + strip, 0, strip);
    const double width = std::max(text_width(text), 1e-9);
    const double size = std::min(largest, 0.96 * picture.width / width);
    draw_shapes(result, {TextShape{{picture.width / 2.0, strip - 10.0},
                                   std::string(text),
                                   size,
                                   text_ink,
                                   Align::middle,
                                   false,
                                   false}});
    return result;
}

Picture with_color_bar(const Picture& picture, const ValueRange& range, std::string_view label) {
    constexpr int bar = 18, gap = 14;
    constexpr double size = 13;
    const double low = range.low, high = range.high > range.low ? range.high : range.low + 1;
    const std::vector<Tick> ticks =
        axis_ticks(low, high, AxisScale::linear, std::max(2, picture.height / 80));
    double widest = 0;
    for (const Tick& tick : ticks) widest = std::max(widest, text_width(tick.label) * size);
    const int extra = 2 * gap + bar + static_cast<int>(std::ceil(widest)) + 40;
    Picture result = framed(picture, picture.width + extra, picture.height, 0, 0);
    const double left = picture.width + gap, top = 0.1 * picture.height, bottom = 0.9 * picture.height;
    std::vector<Shape> shapes;
    for (int y = static_cast<int>(top); y < static_cast<int>(bottom); ++y) {
        const auto fraction = static_cast<float>((bottom - y - 0.5) / (bottom - top));
        shapes.emplace_back(RectShape{{left, y}, {left + bar, y + 1}, encoded(heat_color(fraction))});
    }
    for (const Tick& tick : ticks) {
        const double y = bottom - (tick.value - low) / (high - low) * (bottom - top);
        shapes.emplace_back(LineShape{{{left + bar, y}, {left + bar + 4, y}}, text_ink, 1, 0});
        shapes.emplace_back(TextShape{{left + bar + 8, y + size * cap_height / 2},
                                      tick.label,
                                      size,
                                      text_ink,
                                      Align::start,
                                      false,
                                      false});
    }
    shapes.emplace_back(TextShape{{result.width - 10.0, (top + bottom) / 2},
                                  std::string(label),
                                  size,
                                  text_ink,
                                  Align::middle,
                                  true,
                                  false});
    draw_shapes(result, shapes);
    return result;
}

}  // namespace sinew::render
