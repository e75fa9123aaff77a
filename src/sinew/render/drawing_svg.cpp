#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/render/drawing.h"

namespace sinew::render {
namespace {

/// At most two decimals: a hundredth of a pixel is not seen.
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
    if (!text.place.allFinite()) return {};
    const std::string x = number(text.place.x()), y = number(text.place.y());
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
