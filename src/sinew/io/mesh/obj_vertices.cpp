// SPDX-License-Identifier: MIT

#include "sinew/io/mesh/obj_vertices.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/io/mesh/mesh_file.h"
#include "sinew/io/text/parallel_in_order.h"

namespace sinew::io {
namespace {

/// Small enough that the result of a piece fits in the cache, large enough that the overhead is negligible.
constexpr std::size_t piece_bytes = 256 * 1024;

ObjCounts count_statements(const char* at, const char* end) {
    ObjCounts counts;
    while (at < end) {
        at = skip_blanks(at, end);
        switch (scan_obj_word(at, end)) {
            case ObjWord::position:
                ++counts.positions;
                break;
            case ObjWord::uv:
                ++counts.uvs;
                break;
            case ObjWord::normal:
                ++counts.normals;
                break;
            case ObjWord::face:
                ++counts.faces;
                break;
            case ObjWord::other:
                if (at < end && *at != '\n' && *at != '#') ++counts.others;
                break;
        }
        at = find_line_end(at, end);
        if (at < end) ++at;
    }
    return counts;
}

/// Length of the line end after a backslash, 0 when there is none.
std::size_t line_end_length(std::string_view text, std::size_t at) {
    if (at < text.size() && text[at] == '\n') return 1;
    return at + 1 < text.size() && text[at] == '\r' && text[at + 1] == '\n' ? 2 : 0;
}

}  // namespace

ObjCounts& ObjCounts::operator+=(const ObjCounts& other) {
    positions += other.positions;
    uvs += other.uvs;
    normals += other.normals;
    faces += other.faces;
    others += other.others;
    return *this;
}

ObjText::ObjText(std::string_view original, std::string name)
    : original_(original), text_(original), name_(std::move(name)) {
    if (original.substr(0, 4096).find('\0') != std::string_view::npos) {
        fail(name_, "is not an OBJ file: the content is binary");
    }
    unify_lines();
    cut();
}

void ObjText::unify_lines() {
    text_ = with_line_feeds(original_, storage_);
    join_continued_lines();
}

void ObjText::join_continued_lines() {
    std::size_t seen = 0;  // there is no line end between the start of the line and here
    bool comment = text_.starts_with('#');
    for (std::size_t at = text_.find('\\'); at != std::string_view::npos; at = text_.find('\\', at + 1)) {
        const std::size_t last = text_.substr(seen, at - seen).rfind('\n');
        if (last != std::string_view::npos) {
            comment = *skip_blanks(text_.data() + seen + last + 1, text_.data() + at) == '#';
        }
        seen = at;
        const std::size_t length = line_end_length(text_, at + 1);
        if (length == 0 || comment) continue;
        if (storage_.empty()) storage_ = original_;
        text_ = storage_;
        std::fill_n(storage_.begin() + static_cast<std::ptrdiff_t>(at), length + 1, ' ');
    }
}

void ObjText::cut() {
    const char* at = text_.data();
    while (at < end()) {
        const std::size_t left = static_cast<std::size_t>(end() - at);
        const char* stop = left <= piece_bytes ? end() : find_line_end(at + piece_bytes, end());
        if (stop < end()) ++stop;
        pieces_.push_back({at, stop, {}, {}});
        at = stop;
    }
    parallel_for(pieces_.size(), 1, [&](std::size_t i) {
        pieces_[i].counts = count_statements(pieces_[i].begin, pieces_[i].end);
    });
    for (ObjPiece& piece : pieces_) {
        piece.before = counts_;
        counts_ += piece.counts;
    }
}

std::string ObjText::location(const char* at) const {
    return location_at(original_, static_cast<std::size_t>(at - text_.data()), name_);
}

std::string_view ObjText::face_text() const {
    for (const ObjPiece& piece : pieces_) {
        if (piece.counts.faces == 0) continue;
        for (const char* line = piece.begin; line < piece.end; line = find_line_end(line, piece.end) + 1) {
            const char* at = skip_blanks(line, piece.end);
            if (scan_obj_word(at, piece.end) == ObjWord::face) {
                // A location in the original text, because the text itself may be a temporary copy.
                return original_.substr(static_cast<std::size_t>(line - text_.data()));
            }
        }
    }
    return {};
}

namespace {

using math::Vec2f;
using math::Vec3f;
using math::Vec4f;

/// Parses the statements of one piece directly into the common arrays.
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

    /// x y z are followed by a weight (used only by free-form curves), r g b, or r g b a.
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

    /// `ordinal` counts from 1, as in the file.
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
            fail(text_.location(at), "{} {} is not a finite number: {}", what, ordinal, found_at(at, end_));
        }
        fail(text_.location(at), "expected a number of {} {}, found {}", what, ordinal, found_at(at, end_));
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
        // Colours are rare: only a file with colours is parsed again, with memory for them.
        out.colors.assign(out.positions.size(), Vec4f::Ones());
        parse_all(text, positions_only, out, use);
        finish_colors(out.colors, use, text.name(), monitor);
    }
    return out;
}

}  // namespace sinew::io
