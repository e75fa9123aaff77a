#include "sinew/io/mesh/obj_vertices.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/io/mesh/mesh_file.h"
#include "sinew/io/text/parallel_in_order.h"

namespace sinew::io {
namespace {

using geometry::Vec2f;
using geometry::Vec3f;
using geometry::Vec4f;

/// Parses the statements of one piece into their places of the common arrays.
class VertexParser {
  public:
    VertexParser(const ObjText& text, const ObjPiece& piece, bool positions_only, ObjVertices& out)
        : text_(text),
          piece_(piece),
          end_(text.end()),
          next_(piece.before),
          positions_only_(positions_only),
          out_(out) {}

    void run() {
        const char* at = piece_.begin;
        while (at < piece_.end) {
            at = skip_blanks(at, piece_.end);
            at = find_line_end(statement(at), piece_.end);
            if (at < piece_.end) ++at;
        }
    }

    std::size_t colored() const { return colored_; }
    bool wide_colors() const { return wide_colors_; }

  private:
    const char* statement(const char* at) {
        switch (scan_obj_word(at, piece_.end)) {
            case ObjWord::position:
                return position(at);
            case ObjWord::uv:
                return positions_only_ ? at : uv(at);
            case ObjWord::normal:
                return positions_only_ ? at : normal(at);
            default:
                return at;
        }
    }

    const char* position(const char* at) {
        const std::size_t index = next_.positions++;
        Vec3f& p = out_.positions[index];
        for (int i = 0; i < 3; ++i) at = number(at, p[i], "position", next_.positions);
        at = skip_blanks(at, end_);
        if (at < end_ && *at != '\n' && *at != '#' && !positions_only_) return color(at, index);
        return at;
    }

    /// Behind x y z stand a weight (which only free-form curves use), r g b, or r g b a.
    const char* color(const char* at, std::size_t index) {
        Vec4f color = Vec4f::Ones();
        int count = 0;
        while (count < 4 && at < end_ && *at != '\n' && *at != '#') {
            at = skip_blanks(number(at, color[count++], "colour", index + 1), end_);
        }
        if (count < 3) return at;
        ++colored_;
        wide_colors_ = wide_colors_ || color.head<3>().maxCoeff() > 1;
        if (!out_.colors.empty()) out_.colors[index] = color;
        return at;
    }

    const char* uv(const char* at) {
        Vec2f& uv = out_.uvs[next_.uvs++];
        at = number(at, uv[0], "texture coordinate", next_.uvs);
        at = skip_blanks(at, end_);
        double v = 0;
        const char* const behind = at < end_ && *at != '\n' ? scan_double(at, end_, v) : at;
        if (behind == nullptr || !std::isfinite(v)) bad_number(at, "texture coordinate", next_.uvs);
        uv[1] = flipped(v);
        return behind;
    }

    const char* normal(const char* at) {
        Vec3f& n = out_.normals[next_.normals++];
        for (int i = 0; i < 3; ++i) at = number(at, n[i], "normal", next_.normals);
        return at;
    }

    /// `ordinal` counts from 1, as the file does.
    const char* number(const char* at, float& value, const char* what, std::size_t ordinal) {
        at = skip_blanks(at, end_);
        const char* const behind = at < end_ && *at != '\n' ? scan_float(at, end_, value) : nullptr;
        const bool ends =
            behind != nullptr && (behind == end_ || is_blank(*behind) || *behind == '\n' || *behind == '#');
        if (!ends || !std::isfinite(value)) bad_number(at, what, ordinal);
        return behind;
    }

    [[noreturn]] void bad_number(const char* at, const char* what, std::size_t ordinal) const {
        float value = 0;
        const bool parsed = at < end_ && *at != '\n' && scan_float(at, end_, value) != nullptr;
        if (parsed && !std::isfinite(value)) {
            fail(text_.place(at), "{} {} is not a finite number: {}", what, ordinal, found_at(at, end_));
        }
        fail(text_.place(at), "expected a number of {} {}, found {}", what, ordinal, found_at(at, end_));
    }

    const ObjText& text_;
    const ObjPiece& piece_;
    const char* end_;
    ObjCounts next_;
    bool positions_only_;
    ObjVertices& out_;
    std::size_t colored_ = 0;
    bool wide_colors_ = false;
};

struct ColorUse {
    std::atomic<std::size_t> colored = 0;
    std::atomic<bool> wide = false;
};

void parse_all(const ObjText& text, bool positions_only, ObjVertices& out, ColorUse& use) {
    use.colored = 0;
    parallel_in_order(text.pieces().size(), [&](std::size_t i) {
        const ObjPiece& piece = text.pieces()[i];
        if (piece.counts.positions + piece.counts.uvs + piece.counts.normals == 0) return;
        VertexParser parser(text, piece, positions_only, out);
        parser.run();
        use.colored += parser.colored();
        if (parser.wide_colors()) use.wide = true;
    });
}

void finish_colors(std::vector<Vec4f>& colors, const ColorUse& use, const std::string& name,
                   Monitor& monitor) {
    if (use.colored < colors.size()) {
        warn(monitor, "obj-some-colors", "{}: {} of {} vertices have no colour: they became white", name,
             colors.size() - use.colored, colors.size());
    }
    if (use.wide) {
        warn(monitor, "obj-byte-colors", "{}: colours exceed 1: read as 0 to 255", name);
    }
    for (Vec4f& color : colors) {
        if (use.wide) color.head<3>() /= 255;
        if (color[3] > 1) color[3] /= 255;
        color = color.cwiseMax(0).cwiseMin(1);
        for (int i = 0; i < 3; ++i) color[i] = linear_from_srgb(color[i]);
    }
}

}  // namespace

ObjVertices read_obj_vertices(const ObjText& text, bool positions_only, Monitor& monitor) {
    ObjVertices out;
    out.positions.resize(text.counts().positions);
    if (!positions_only) {
        out.uvs.resize(text.counts().uvs);
        out.normals.resize(text.counts().normals);
    }
    ColorUse use;
    parse_all(text, positions_only, out, use);
    if (use.colored > 0) {
        // Colours are rare: only a file that has them is parsed again with room for them.
        out.colors.assign(out.positions.size(), Vec4f::Ones());
        parse_all(text, positions_only, out, use);
        finish_colors(out.colors, use, text.name(), monitor);
    }
    return out;
}

}  // namespace sinew::io
