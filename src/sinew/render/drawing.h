#pragma once
/// \file
/// Flat drawings of lines, boxes and text. One description becomes pixels or SVG.

#include <string>
#include <variant>
#include <vector>

#include "sinew/render/renderer.h"
#include "sinew/render/stroke_font.h"

namespace sinew::render {

/// A pen line with round ends.
struct LineShape {
    Polyline points;
    Pixel color = {0, 0, 0, 255};
    double width = 1;
    double dash = 0;  ///< length of dashes and of the gaps between them; 0 is solid
};

/// A filled rectangle; `low` is its upper left corner.
struct RectShape {
    Vec2d low = Vec2d::Zero();
    Vec2d high = Vec2d::Zero();
    Pixel color = {0, 0, 0, 255};
};

struct DiscShape {
    Vec2d center = Vec2d::Zero();
    double radius = 3;
    Pixel color = {0, 0, 0, 255};
};

enum class Align { start, middle, end };

/// A line of text; `place` is on its baseline.
struct TextShape {
    Vec2d place = Vec2d::Zero();
    std::string text;
    double size = 14;
    Pixel color = {40, 40, 40, 255};
    Align align = Align::start;
    bool upward = false;  ///< reads from below to above
    bool bold = false;
};

using Shape = std::variant<LineShape, RectShape, DiscShape, TextShape>;

/// Lengths are pixels, x to the right, y down, from the upper left corner. Later shapes lie over earlier.
struct Drawing {
    double width = 0;
    double height = 0;
    Pixel background = {255, 255, 255, 255};
    std::vector<Shape> shapes;
};

/// A colour written as in HTML: 0xRRGGBB.
Pixel pixel_from_hex(std::uint32_t rgb);

/// Draws the shapes over a picture. What leaves it is cut off; what is not finite is left out.
void draw_shapes(Picture& picture, const std::vector<Shape>& shapes);

/// \throws Error when a side is not within 1 .. Picture::max_side.
Picture to_picture(const Drawing& drawing);

/// The same as text that browsers and papers take, with real letters.
std::string to_svg(const Drawing& drawing);

}  // namespace sinew::render
