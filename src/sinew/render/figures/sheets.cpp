// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/render/figures/steps.h"

namespace sinew::render {
namespace {

constexpr Pixel white = {255, 255, 255, 255}, text_ink = {45, 45, 48, 255};

/// A larger white picture that holds this one at a position.
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

namespace {

void paste(Picture& sheet, const Picture& picture, int left, int top) {
    for (int y = 0; y < picture.height; ++y)
        std::copy_n(&picture.at(0, y), picture.width, &sheet.at(left, top + y));
}

}  // namespace

Picture contact_sheet(std::span<const Picture> pictures, const ContactSheetOptions& options) {
    if (pictures.empty()) fail("", "a contact sheet needs at least one picture");
    if (options.columns < 0 || options.gap < 0 || options.gap > Picture::max_side)
        fail("", "a contact sheet cannot have {} columns with gaps of {} pixels", options.columns,
             options.gap);
    int cell_width = 0;
    int cell_height = 0;
    for (const Picture& picture : pictures) {
        check_size(picture.width, picture.height);
        cell_width = std::max(cell_width, picture.width);
        cell_height = std::max(cell_height, picture.height);
    }
    const int count = static_cast<int>(std::min<std::size_t>(pictures.size(), Picture::max_side));
    const int square = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(count))));
    const int columns = std::min(count, options.columns > 0 ? options.columns : square);
    const int rows = (count + columns - 1) / columns;
    const auto side = [&](int cells, int cell) {
        const std::int64_t length = std::int64_t{cells} * (cell + options.gap) + options.gap;
        return static_cast<int>(std::min<std::int64_t>(length, Picture::max_side + 1));
    };
    Picture sheet(side(columns, cell_width), side(rows, cell_height), options.color);
    for (int i = 0; i < count; ++i) {
        const Picture& picture = pictures[static_cast<std::size_t>(i)];
        const int left = options.gap + (i % columns) * (cell_width + options.gap);
        const int top = options.gap + (i / columns) * (cell_height + options.gap);
        paste(sheet, picture, left + (cell_width - picture.width) / 2,
              top + (cell_height - picture.height) / 2);
    }
    return sheet;
}

Picture step_sheet(const std::vector<StepPicture>& steps, int columns) {
    std::vector<Picture> pictures;
    for (const StepPicture& step : steps)
        pictures.push_back(with_caption(step.picture, step.name + ": " + step.what));
    return contact_sheet(pictures, {.columns = columns});
}

StepPainter::StepPainter(Renderer& renderer, const geometry::Mesh& mesh, const StepPictureOptions& options)
    : renderer_(renderer), mesh_(mesh), options_(options), held_(renderer, mesh) {}

Picture StepPainter::glass(const ViewAxes& axes, Overlay overlay) {
    Drawable body;
    body.surface = Surface::plain;
    body.color = {0.45f, 0.47f, 0.50f, 1};
    body.opacity = 0.35f;
    overlay.layer = Layer::top;
    return paint(axes, body, std::move(overlay), options_.width);
}

Picture StepPainter::colored(const ViewAxes& axes, const std::vector<Vec4f>& colors, Overlay overlay) {
    Drawable body;
    body.surface = Surface::colors;
    body.colors = colors;
    overlay.layer = Layer::scene;
    return paint(axes, body, std::move(overlay), options_.width);
}

Picture StepPainter::heat(const ViewAxes& axes, const std::vector<float>& values, const ValueRange& range,
                          std::string_view label) {
    const std::vector<Vec4f> colors = scalar_colors(values, range);
    Drawable body;
    body.surface = Surface::colors;
    body.colors = colors;
    const auto bar = [&](const Picture& picture) { return with_color_bar(picture, range, label); };
    // The width of the bar depends on its numbers and is found by a dry run.
    const int beside = bar(Picture(1, options_.height)).width - 1;
    return bar(paint(axes, body, {}, std::max(options_.width - beside, 1)));
}

Picture StepPainter::paint(const ViewAxes& axes, Drawable body, Overlay overlay, int width) {
    body.mesh = held_.id();
    Scene scene;
    scene.drawables.push_back(body);
    scene.overlays.push_back(std::move(overlay));
    scene.ground.visible = false;
    scene.background.center = scene.background.edge = Vec3f(0.95f, 0.95f, 0.95f);
    const float aspect = static_cast<float>(width) / static_cast<float>(options_.height);
    FitOptions fit_options;
    fit_options.orthographic = true;
    const Camera camera = fit(axes, mesh_.positions, aspect, fit_options);
    return renderer_.render(scene, camera, {width, options_.height});
}

SegmentShape step_line(const math::Vec3d& a, const math::Vec3d& b, const Vec4f& color, float width) {
    return {a.cast<float>(), b.cast<float>(), color, width};
}

}  // namespace sinew::render
