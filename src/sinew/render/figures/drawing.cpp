// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/render/figures.h"

namespace sinew::render {
namespace {

/// Coverage of each pixel by a shape, within a box of the picture.
class Mask {
  public:
    /// The part of the picture within [low, high].
    Mask(const Picture& picture, const Vec2d& low, const Vec2d& high)
        : left_(clamped(low.x(), picture.width)),
          top_(clamped(low.y(), picture.height)),
          right_(clamped(high.x() + 1, picture.width)),
          bottom_(clamped(high.y() + 1, picture.height)) {
        cover_.resize(static_cast<std::size_t>(right_ - left_) * static_cast<std::size_t>(bottom_ - top_));
    }

    /// Raises the coverage in [low, high] to cover(centre of the pixel).
    template <class Cover>
    void raise(const Vec2d& low, const Vec2d& high, const Cover& cover) {
        const int x0 = std::max(left_, clamped(low.x(), right_)), x1 = clamped(high.x() + 1, right_);
        const int y0 = std::max(top_, clamped(low.y(), bottom_)), y1 = clamped(high.y() + 1, bottom_);
        for (int y = y0; y < y1; ++y)
            for (int x = x0; x < x1; ++x) {
                float& value = cover_[index(x, y)];
                value =
                    std::max(value, static_cast<float>(std::clamp(cover(Vec2d(x + 0.5, y + 0.5)), 0.0, 1.0)));
            }
    }

    /// Blends the colour over the picture.
    void blend(Picture& picture, const Pixel& color) const {
        for (int y = top_; y < bottom_; ++y)
            for (int x = left_; x < right_; ++x)
                if (const float cover = cover_[index(x, y)]; cover > 0)
                    blend_pixel(picture.at(x, y), color, cover * static_cast<float>(color[3]) / 255);
    }

  private:
    static int clamped(double value, int limit) {
        return static_cast<int>(std::clamp(std::floor(value), 0.0, static_cast<double>(limit)));
    }
    std::size_t index(int x, int y) const {
        return static_cast<std::size_t>(y - top_) * static_cast<std::size_t>(right_ - left_) +
               static_cast<std::size_t>(x - left_);
    }
    /// Porter and Duff's "over" with straight alpha.
    static void blend_pixel(Pixel& below, const Pixel& color, float alpha) {
        const float under = static_cast<float>(below[3]) / 255 * (1 - alpha), sum = alpha + under;
        if (sum <= 0) return;
        for (std::size_t c = 0; c < 3; ++c) {
            const float value =
                (alpha * static_cast<float>(color[c]) + under * static_cast<float>(below[c])) / sum;
            below[c] = static_cast<std::uint8_t>(std::lround(value));
        }
        below[3] = static_cast<std::uint8_t>(std::lround(255 * sum));
    }

    int left_, top_, right_, bottom_;
    std::vector<float> cover_;
};

double distance_to_segment(const Vec2d& p, const Vec2d& a, const Vec2d& b) {
    const Vec2d along = b - a;
    const double length = along.squaredNorm();
    const double t = length > 0 ? std::clamp((p - a).dot(along) / length, 0.0, 1.0) : 0.0;
    return (p - a - t * along).norm();
}

/// A line divided into its dashes.
std::vector<Polyline> dashes(const Polyline& line, double dash) {
    std::vector<Polyline> parts;
    double done = 0;  // of the current dash or gap
    bool pen = true;
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
        const Vec2d step = line[i + 1] - line[i];
        const double length = step.norm();
        if (pen && parts.empty()) parts.push_back({line[i]});
        for (double at = 0; at < length;) {
            const double next = std::min(length, at + dash - done);
            const Vec2d point = line[i] + step * (next / length);
            if (pen) parts.back().push_back(point);
            done += next - at;
            at = next;
            if (done < dash - 1e-9) continue;
            done = 0;
            pen = !pen;
            if (pen) parts.push_back({point});
        }
    }
    return parts;
}

/// Strokes of one colour: overlaps are not blended twice.
void stroke(Picture& picture, const std::vector<Polyline>& lines, double width, const Pixel& color) {
    Vec2d low = Vec2d::Constant(1e9), high = -low;
    for (const Polyline& line : lines)
        for (const Vec2d& p : line) {
            if (!p.allFinite()) return;
            low = low.cwiseMin(p);
            high = high.cwiseMax(p);
        }
    if (low.x() > high.x()) return;
    // A line thinner than a pixel is drawn one pixel wide and fainter.
    const double half = std::max(width, 1.0) / 2, strength = std::min(width, 1.0);
    const Vec2d reach = Vec2d::Constant(half + 1);
    Mask mask(picture, low - reach, high + reach);
    for (const Polyline& line : lines)
        for (std::size_t i = 0; i < std::max<std::size_t>(1, line.size() - 1); ++i) {
            const Vec2d a = line[i], b = line[std::min(i + 1, line.size() - 1)];
            mask.raise(a.cwiseMin(b) - reach, a.cwiseMax(b) + reach, [&](const Vec2d& p) {
                return strength * std::min(1.0, half + 0.5 - distance_to_segment(p, a, b));
            });
        }
    mask.blend(picture, color);
}

void draw(Picture& picture, const LineShape& line) {
    if (line.points.empty()) return;
    double length = 0;
    for (std::size_t i = 0; i + 1 < line.points.size(); ++i)
        length += (line.points[i + 1] - line.points[i]).norm();
    // Also false for lengths that are not finite; beyond the limit dashes would be too small to see.
    if (line.dash > 0 && length < 1e4 * line.dash)
        stroke(picture, dashes(line.points, line.dash), line.width, line.color);
    else
        stroke(picture, {line.points}, line.width, line.color);
}

void draw(Picture& picture, const RectShape& rect) {
    if (!rect.low.allFinite() || !rect.high.allFinite()) return;
    Mask mask(picture, rect.low, rect.high);
    mask.raise(rect.low, rect.high, [&](const Vec2d& p) {
        const auto covered = [](double at, double from, double to) {
            return std::max(0.0, std::min(at + 0.5, to) - std::max(at - 0.5, from));
        };
        return covered(p.x(), rect.low.x(), rect.high.x()) * covered(p.y(), rect.low.y(), rect.high.y());
    });
    mask.blend(picture, rect.color);
}

void draw(Picture& picture, const DiscShape& disc) {
    stroke(picture, {{disc.center}}, 2 * disc.radius, disc.color);
}

void draw(Picture& picture, const TextShape& text) {
    const double width = text_width(text.text) * text.size;
    const double shift = text.align == Align::start ? 0 : text.align == Align::middle ? width / 2 : width;
    std::vector<Polyline> strokes = text_strokes(text.text);
    for (Polyline& line : strokes)
        for (Vec2d& p : line) {
            const Vec2d at(p.x() * text.size - shift, -p.y() * text.size);
            p = text.position + (text.upward ? Vec2d(at.y(), -at.x()) : at);
        }
    stroke(picture, strokes, text.size * (text.bold ? 0.125 : 0.085), text.color);
}

}  // namespace

Pixel pixel_from_hex(std::uint32_t rgb) {
    return {static_cast<std::uint8_t>(rgb >> 16U), static_cast<std::uint8_t>(rgb >> 8U),
            static_cast<std::uint8_t>(rgb), 255};
}

void draw_shapes(Picture& picture, const std::vector<Shape>& shapes) {
    for (const Shape& shape : shapes) std::visit([&](const auto& s) { draw(picture, s); }, shape);
}

Picture to_picture(const Drawing& drawing) {
    const auto side = [](double length) {
        return static_cast<int>(std::lround(std::clamp(length, 0.0, Picture::max_side + 1.0)));
    };
    Picture picture(side(drawing.width), side(drawing.height), drawing.background);
    draw_shapes(picture, drawing.shapes);
    return picture;
}

namespace {

/// At most two decimals: a hundredth of a pixel is not visible.
std::string number(double value) {
    std::string text = fmt::format("{:.2f}", value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text == "-0" ? "0" : text;
}

std::string paint(std::string_view attribute, const Pixel& color) {
    std::string result = fmt::format("{}=\"#{:02x}{:02x}{:02x}\"", attribute, color[0], color[1], color[2]);
    if (color[3] < 255) result += fmt::format(" {}-opacity=\"{}\"", attribute, number(color[3] / 255.0));
    return result;
}

std::string svg_of(const LineShape& line) {
    std::string points;
    for (const Vec2d& p : line.points) {
        if (!p.allFinite()) return {};
        points += fmt::format("{}{},{}", points.empty() ? "" : " ", number(p.x()), number(p.y()));
    }
    const std::string dash =
        line.dash > 0 ? fmt::format(" stroke-dasharray=\"{0} {0}\"", number(line.dash)) : std::string();
    return fmt::format(
        "<polyline points=\"{}\" fill=\"none\" {} stroke-width=\"{}\" stroke-linecap=\"round\" "
        "stroke-linejoin=\"round\"{}/>\n",
        points, paint("stroke", line.color), number(line.width), dash);
}

std::string svg_of(const RectShape& rect) {
    if (!rect.low.allFinite() || !rect.high.allFinite()) return {};
    const Vec2d size = rect.high - rect.low;
    return fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {}/>\n", number(rect.low.x()),
                       number(rect.low.y()), number(size.x()), number(size.y()), paint("fill", rect.color));
}

std::string svg_of(const DiscShape& disc) {
    if (!disc.center.allFinite()) return {};
    return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" {}/>\n", number(disc.center.x()),
                       number(disc.center.y()), number(disc.radius), paint("fill", disc.color));
}

std::string svg_of(const TextShape& text) {
    if (!text.position.allFinite()) return {};
    const std::string x = number(text.position.x()), y = number(text.position.y());
    const char* const anchor = text.align == Align::start    ? "start"
                               : text.align == Align::middle ? "middle"
                                                             : "end";
    return fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{}\" {}{}{}>{}</text>\n", x, y,
                       number(text.size), anchor, paint("fill", text.color),
                       text.bold ? " font-weight=\"bold\"" : "",
                       text.upward ? fmt::format(" transform=\"rotate(-90 {} {})\"", x, y) : std::string(),
                       markup_text(text.text));
}

}  // namespace

std::string to_svg(const Drawing& drawing) {
    const std::string width = number(drawing.width), height = number(drawing.height);
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "font-family=\"Helvetica, Arial, sans-serif\">\n",
        width, height);
    svg += svg_of(RectShape{Vec2d::Zero(), {drawing.width, drawing.height}, drawing.background});
    for (const Shape& shape : drawing.shapes)
        svg += std::visit([](const auto& s) { return svg_of(s); }, shape);
    return svg + "</svg>\n";
}

}  // namespace sinew::render
