#include "sinew/io/obj_faces.h"

#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/io/mesh/mesh_file.h"

namespace sinew::io {
namespace {

using geometry::Triangle;
using geometry::Vec3f;

constexpr ObjFaces::Attributes no_attributes = {-1, -1};

class FaceParser {
  public:
    FaceParser(const ObjText& text, const ObjPiece& piece, std::span<const Vec3f> shape, ObjFaces& out)
        : text_(text), piece_(piece), end_(piece.end), seen_(piece.before), shape_(shape), out_(out) {}

    void run() {
        const char* at = piece_.begin;
        while (at < end_) {
            at = skip_blanks(at, end_);
            at = find_line_end(statement(at), end_);
            if (at < end_) ++at;
        }
    }

  private:
    struct Corner {
        std::uint32_t position = 0;
        ObjFaces::Attributes attributes = no_attributes;
        bool is_plain() const { return attributes[0] < 0 && attributes[1] < 0; }
    };

    const char* statement(const char* at) {
        switch (scan_obj_word(at, end_)) {
            case ObjWord::face:
                return face(at);
            case ObjWord::position:
                ++seen_.positions;
                return at;
            case ObjWord::uv:
                ++seen_.uvs;
                return at;
            case ObjWord::normal:
                ++seen_.normals;
                return at;
            case ObjWord::other:
                other(at);
                return at;
        }
        return at;
    }

    const char* face(const char* at) {
        const char* const start = at;
        if (const char* const behind = plain_triangle(at)) return behind;
        corners_.clear();
        for (at = skip_blanks(at, end_); at < end_ && *at != '\n' && *at != '#'; at = skip_blanks(at, end_)) {
            at = corner(at);
        }
        if (corners_.size() < 3) {
            out_.oddities.short_faces.add(start);
        } else if (corners_.size() == 3) {
            add_triangle(corners_[0], corners_[1], corners_[2]);
        } else {
            add_polygon(start);
        }
        return at;
    }

    /// Almost all faces are three positive numbers with single blanks between them. Returns the end of the
    /// line, or null when the face is anything else, broken ones included.
    const char* plain_triangle(const char* at) {
        constexpr int most_digits = 9;
        if (end_ - at < 3 * (most_digits + 1) + 2) return nullptr;
        const std::size_t total = text_.counts().positions;
        Triangle triangle;
        for (std::uint32_t& corner : triangle) {
            if (*at++ != ' ' || !is_digit(*at)) return nullptr;
            std::uint32_t number = static_cast<std::uint32_t>(*at++ - '0');
            for (int digits = 1; is_digit(*at); ++at) {
                if (++digits > most_digits) return nullptr;
                number = number * 10 + static_cast<std::uint32_t>(*at - '0');
            }
            corner = number - 1;
            if (corner >= total) return nullptr;
        }
        if (*at == '\r') ++at;
        if (*at != '\n') return nullptr;
        out_.triangles.push_back(triangle);
        if (!out_.attributes.empty()) out_.attributes.resize(3 * out_.triangles.size(), no_attributes);
        return at;
    }

    const char* corner(const char* at) {
        Corner corner;
        const char* behind =
            index(at, seen_.positions, text_.counts().positions, "position", corner.position);
        for (std::size_t i = 0; i < 2 && behind < end_ && *behind == '/'; ++i) {
            ++behind;
            if (behind < end_ && (*behind == '/' || is_blank(*behind) || *behind == '\n')) continue;
            const bool uv = i == 0;
            std::uint32_t value = 0;
            behind = index(behind, uv ? seen_.uvs : seen_.normals,
                           uv ? text_.counts().uvs : text_.counts().normals,
                           uv ? "texture coordinate" : "normal", value);
            corner.attributes[i] = static_cast<std::int32_t>(value);
        }
        if (behind < end_ && !is_blank(*behind) && *behind != '\n') bad_corner(at);
        corners_.push_back(corner);
        return behind;
    }

    /// An index counts from 1, or backwards from the latest when negative.
    const char* index(const char* at, std::size_t seen, std::size_t total, const char* what,
                      std::uint32_t& value) {
        std::int64_t number = 0;
        const char* const behind = scan_integer(at, end_, number);
        if (behind == nullptr) bad_corner(at);
        const std::int64_t place = number < 0 ? static_cast<std::int64_t>(seen) + number : number - 1;
        if (place < 0 || place >= static_cast<std::int64_t>(total)) {
            fail(text_.place(at), "face names {} {}, but there are {}", what, number,
                 number < 0 ? seen : total);
        }
        value = static_cast<std::uint32_t>(place);
        return behind;
    }

    [[noreturn]] void bad_corner(const char* at) const {
        fail(text_.place(at), "expected a corner of a face (v, v/vt, v//vn or v/vt/vn), found {}",
             found_at(at, end_));
    }

    void add_triangle(const Corner& a, const Corner& b, const Corner& c) {
        out_.triangles.push_back({a.position, b.position, c.position});
        const bool plain = a.is_plain() && b.is_plain() && c.is_plain();
        if (plain && out_.attributes.empty()) return;
        out_.attributes.resize(3 * (out_.triangles.size() - 1), no_attributes);
        for (const Corner* corner : {&a, &b, &c}) out_.attributes.push_back(corner->attributes);
    }

    void add_polygon(const char* start) {
        polygon_.clear();
        cut_.clear();
        for (const Corner& corner : corners_) polygon_.push_back(shape_[corner.position]);
        if (!triangulate(polygon_, cut_)) out_.oddities.fans.add(start);
        for (const Triangle& t : cut_) add_triangle(corners_[t[0]], corners_[t[1]], corners_[t[2]]);
    }

    void event(ObjEvent::Kind kind, const char* at, const char* behind) {
        const std::string_view text(behind, static_cast<std::size_t>(find_line_end(behind, end_) - behind));
        out_.events.push_back({kind, trim(text), static_cast<std::uint32_t>(out_.triangles.size()), at});
    }

    void other(const char* at) {
        if (at == end_ || *at == '\n' || *at == '#') return;
        const char* const behind = skip_word(at, end_);
        const std::string_view word(at, static_cast<std::size_t>(behind - at));
        static constexpr std::string_view ignored[] = {
            "s", "lod", "bevel", "c_interp", "d_interp", "usemap", "maplib", "shadow_obj", "trace_obj", "mg"};
        static constexpr std::string_view free_form[] = {"vp",    "cstype", "deg",  "bmat",  "step", "curv",
                                                         "curv2", "surf",   "parm", "trim",  "hole", "scrv",
                                                         "sp",    "end",    "con",  "ctech", "stech"};
        const auto is_in = [&](const auto& list) {
            return std::find(std::begin(list), std::end(list), word) != std::end(list);
        };
        if (word == "o" || word == "g") {
            event(ObjEvent::Kind::name, at, behind);
        } else if (word == "usemtl") {
            event(ObjEvent::Kind::material, at, behind);
        } else if (word == "mtllib") {
            event(ObjEvent::Kind::library, at, behind);
        } else if (word == "l" || word == "p") {
            out_.oddities.lines_points.add(at);
        } else if (is_in(free_form)) {
            out_.oddities.free_form.add(at);
        } else if (!is_in(ignored)) {
            out_.oddities.unknown.add(at);
        }
    }

    const ObjText& text_;
    const ObjPiece& piece_;
    const char* end_;
    ObjCounts seen_;
    std::span<const Vec3f> shape_;
    ObjFaces& out_;
    std::vector<Corner> corners_;
    std::vector<Vec3f> polygon_;
    std::vector<Triangle> cut_;
};

}  // namespace

void ObjOddities::add(const ObjOddities& later) {
    short_faces.add(later.short_faces);
    fans.add(later.fans);
    lines_points.add(later.lines_points);
    free_form.add(later.free_form);
    unknown.add(later.unknown);
}

void ObjFaces::clear() {
    triangles.clear();
    attributes.clear();
    events.clear();
    oddities = {};
}

void read_obj_faces(const ObjText& text, const ObjPiece& piece, std::span<const Vec3f> shape, ObjFaces& out) {
    out.clear();
    if (piece.counts.faces + piece.counts.others == 0) return;
    FaceParser(text, piece, shape, out).run();
}

}  // namespace sinew::io
