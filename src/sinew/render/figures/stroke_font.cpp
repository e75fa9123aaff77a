// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstdint>

#include "sinew/render/figures.h"

namespace sinew::render {
namespace {

// A glyph is a list of strokes with a space between them. A point is two characters, x and y, each a digit of
// base 36. The baseline is y = 4, lower-case letters end at b (11), capitals at e (14), and descenders at 0.
// A stroke that starts with ~ is a smooth curve through its points.
constexpr std::array<std::string_view, 95> ascii_glyphs = {
    "",                                              // space
    "0e07 0404",                                     // !
    "0e0b 3e3b",                                     // "
    "2e14 5e44 0b6b 0767",                           // #
    "~6c4e2e0c0b1a39586766442406 3f33",              // $
    "~0d1e2e3d3c2b1b0c0d ~465767767564544546 6e14",  // %
    "~742a1c1d2e3e4d4b190705143456 5679",            // &
    "0e0b",                                          // '
    "~3f1c09071431",                                 // (
    "~0f2c39372401",                                 // )
    "3d37 0c68 6c08",                                // *
    "3b35 0868",                                     // +
    "151402",                                        // ,
    "0858",                                          // -
    "0404",                                          // .
    "5e04",                                          // /
    "~3e5d6a68553415080a1d3e",                       // 0
    "1c3e34 1454",                                   // 1
    "~0b0c2e4e6c6a4804 0464",                        // 2
    "~0c2e4e6c6b4929 ~496766442406",                 // 3
    "444e0767",                                      // 4
    "5e1e09 ~092a4a6866442405",                      // 5
    "~5d3e1c0906244466684a2a08",                     // 6
    "0e6e24",                                        // 7
    "~3e5d5b391b1d3e ~395866553415061839",           // 8
    "~153456696c4e2e0c0a28486a",                     // 9
    "0404 0a0a",                                     // :
    "1a1a 151402",                                   // ;
    "5b0855",                                        // <
    "0a5a 0656",                                     // =
    "0b5805",                                        // >
    "~0c2e4e6c6b3937 3434",                          // ?
    "~6a5b4b3a384757686a ~6b68778a8c6e3e0c061454",   // @
    "043e64 1757",                                   // A
    "3e0e0434 0939 ~3e5d5b39 ~395867665534",         // B
    "~6c4e2e0b07244466",                             // C
    "2e0e0424 ~2e4d6b674524",                        // D
    "5e0e0454 0949",                                 // E
    "5e0e04 0949",                                   // F
    "~6c4e2e0b07244466 666949",                      // G
    "0e04 6e64 0969",                                // H
    "0e04",                                          // I
    "4e46 ~46341406",                                // J
    "0e04 6e08 2a64",                                // K
    "0e0454",                                        // L
    "040e488e84",                                    // M
    "040e646e",                                      // N
    "~3e4e6d7b7765443415070b1d3e",                   // O
    "040e3e 0838 ~3e5d6c6a5938",                     // P
    "~3e4e6d7b7765443415070b1d3e 4774",              // Q
    "040e3e 0838 ~3e5d6c6a5938 3864",                // R
    "~6c4e2e0c0b1a39586766442406",                   // S
    "0e6e 3e34",                                     // T
    "0e07 ~0715345567 676e",                         // U
    "0e346e",                                        // V
    "0e244c648e",                                    // W
    "0e64 6e04",                                     // X
    "0e396e 3934",                                   // Y
    "0e6e0464",                                      // Z
    "3f0f0131",                                      // [
    "0e54",                                          // backslash
    "0f3f3101",                                      // ]
    "0b3e6b",                                        // ^
    "0262",                                          // _
    "0e2c",                                          // `
    "~3b1a080715345567685a3b 6b64",                  // a
    "~3b1a080715345567685a3b 0e04",                  // b
    "~5a3b1a0807153455",                             // c
    "~3b1a080715345567685a3b 6e64",                  // d
    "0868 ~685a3b1a0807153455",                      // e
    "~4e3e2c2a 2a24 0b4b",                           // f
    "~3b1a080715345567685a3b 6b63 ~63513011",        // g
    "0e04 ~081a3b5a58 5854",                         // h
    "0b04 0e0e",                                     // i
    "2b22 ~221000 2e2e",                             // j
    "0e04 5b07 2854",                                // k
    "0e04",                                          // l
    "0b04 ~081a2b3b4a48 4844 ~485a6b7b8a88 8884",    // m
    "0b04 ~081a3b5a58 5854",                         // n
    "~3b1a080715345567685a3b",                       // o
    "~3b1a080715345567685a3b 0b00",                  // p
    "~3b1a080715345567685a3b 6b60",                  // q
    "0b04 ~081a3b4b",                                // r
    "~5a3b2b0a0918475655342405",                     // s
    "2e26 ~263444 0b4b",                             // t
    "0b07 ~0715243457 5b54",                         // u
    "0b346b",                                        // v
    "0b244a648b",                                    // w
    "0b54 5b04",                                     // x
    "6b3410 0b34",                                   // y
    "0b5b0454",                                      // z
    "~3f1e1a08161231",                               // {
    "0f01",                                          // |
    "~0f2e2a38262201",                               // }
    "~07294769",                                     // ~
};
constexpr std::string_view degree_glyph = "~1e0d0c1b2b3c3d2e1e";
constexpr std::string_view times_glyph = "0a55 5a05";
constexpr std::string_view unknown_glyph = "040e6e6404";

constexpr double baseline = 4, capital = 14;
constexpr double unit = cap_height / (capital - baseline);
/// Letters are drawn narrower than in the table, as in common fonts.
constexpr double unit_x = 0.92 * unit;
constexpr double gap = 3;    ///< between letters
constexpr double space = 3;  ///< width of a space, in addition to the gaps

/// The next character of UTF-8 text; invalid text gives characters without a glyph.
std::uint32_t next_character(std::string_view& text) {
    const auto first = static_cast<unsigned char>(text.front());
    text.remove_prefix(1);
    if (first < 0x80) return first;
    const int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
    std::uint32_t character = first & (0x3fU >> more);
    for (int i = 0; i < more && !text.empty(); ++i) {
        const auto byte = static_cast<unsigned char>(text.front());
        if ((byte & 0xc0U) != 0x80U) return 0xfffd;
        character = character << 6U | (byte & 0x3fU);
        text.remove_prefix(1);
    }
    return character;
}

std::string_view glyph_of(std::uint32_t character) {
    if (character >= 0x20 && character < 0x7f) return ascii_glyphs[character - 0x20];
    if (character == 0xb0) return degree_glyph;
    if (character == 0xd7) return times_glyph;
    return unknown_glyph;
}

double digit(char c) {
    return c <= '9' ? c - '0' : c - 'a' + 10;
}

/// A Catmull-Rom curve through the points; a closed curve is smooth at its start as well.
Polyline smooth(const Polyline& points) {
    constexpr int steps = 6;
    const auto count = static_cast<std::ptrdiff_t>(points.size());
    const bool closed = points.front() == points.back();
    const auto at = [&](std::ptrdiff_t i) {
        if (closed) i = (i + count - 1) % (count - 1);
        return points[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(i, 0, count - 1))];
    };
    Polyline curve{points.front()};
    for (std::ptrdiff_t i = 0; i + 1 < count; ++i) {
        const Vec2d a = at(i - 1), b = at(i), c = at(i + 1), d = at(i + 2);
        for (int s = 1; s <= steps; ++s) {
            const double t = static_cast<double>(s) / steps;
            curve.emplace_back(0.5 * (2 * b + t * (c - a) + t * t * (2 * a - 5 * b + 4 * c - d) +
                                      t * t * t * (3 * (b - c) + d - a)));
        }
    }
    return curve;
}

std::vector<Polyline> parse_glyph(std::string_view glyph) {
    std::vector<Polyline> strokes;
    while (!glyph.empty()) {
        const bool curved = glyph.front() == '~';
        if (curved) glyph.remove_prefix(1);
        Polyline points;
        for (; glyph.size() >= 2 && glyph.front() != ' '; glyph.remove_prefix(2))
            points.emplace_back(digit(glyph[0]), digit(glyph[1]));
        if (!glyph.empty()) glyph.remove_prefix(1);
        strokes.push_back(curved ? smooth(points) : points);
    }
    return strokes;
}

double width_of(std::string_view glyph) {
    double width = glyph.empty() ? space : 0;
    while (!glyph.empty()) {
        if (glyph.front() == '~' || glyph.front() == ' ') {
            glyph.remove_prefix(1);
            continue;
        }
        width = std::max(width, digit(glyph.front()));
        glyph.remove_prefix(2);
    }
    return width;
}

}  // namespace

double text_width(std::string_view text) {
    double width = 0;
    while (!text.empty()) width += width_of(glyph_of(next_character(text))) + gap;
    return std::max(0.0, width - gap) * unit_x;
}

std::vector<Polyline> text_strokes(std::string_view text) {
    std::vector<Polyline> strokes;
    double left = 0;
    while (!text.empty()) {
        const std::string_view glyph = glyph_of(next_character(text));
        for (Polyline& stroke : parse_glyph(glyph)) {
            for (Vec2d& p : stroke) p = {(left + p.x()) * unit_x, (p.y() - baseline) * unit};
            strokes.push_back(std::move(stroke));
        }
        left += width_of(glyph) + gap;
    }
    return strokes;
}

}  // namespace sinew::render
