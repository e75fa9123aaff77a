// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include <fmt/compile.h>

#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/io/mesh/mesh_file.h"
#include "sinew/io/mesh/mesh_formats.h"
#include "sinew/io/text/scan.h"

namespace sinew::io {
namespace {

using geometry::Mesh;
using geometry::Triangle;
using math::Vec3f;
using math::Vec4f;

/// Lines with content: blank lines and comments are skipped.
class OffLines {
  public:
    OffLines(std::string_view text, std::string name)
        : original_(text),
          text_(with_line_feeds(text, storage_)),
          name_(std::move(name)),
          next_(text_.data()) {}
    OffLines(const OffLines&) = delete;
    OffLines& operator=(const OffLines&) = delete;

    /// Goes to the next line; false at the end of the file.
    bool next() {
        const char* const end = text_.data() + text_.size();
        while (next_ < end) {
            at_ = skip_blanks(next_, end);
            line_end_ = find_line_end(at_, end);
            next_ = line_end_ < end ? line_end_ + 1 : end;
            if (at_ < line_end_ && *at_ != '#') return true;
        }
        at_ = line_end_ = end;
        return false;
    }

    /// Goes to the next word of the line; false at the end of the line or at a comment.
    bool more() {
        at_ = skip_blanks(at_, line_end_);
        return at_ < line_end_ && *at_ != '#';
    }

    /// The next word of the line, without consuming it; empty at the end of the line.
    std::string_view peek() { return more() ? std::string_view(at_, word_end(at_)) : std::string_view(); }
    void skip() { at_ = word_end(at_); }

    /// The next number of the line. `what` and `index` describe its element in messages.
    template <class Number>
    Number number(std::string_view what, std::size_t index) {
        Number value = 0;
        const char* const behind = more() ? scan(value) : nullptr;
        if (behind == nullptr || !(at_word_end(behind, line_end_) || *behind == '#')) {
            fail(location(), "expected a number of {} {}, found {}", what, index, found_at(at_, line_end_));
        }
        if constexpr (std::is_floating_point_v<Number>) {
            if (!std::isfinite(value))
                fail(location(), "{} {} is not a finite number: {}", what, index, found_at(at_, line_end_));
        }
        at_ = behind;
        return value;
    }

    /// Words up to the end of the line.
    std::size_t words_left() const {
        std::size_t count = 0;
        const char* at = skip_blanks(at_, line_end_);
        for (; at < line_end_ && *at != '#'; at = skip_blanks(word_end(at), line_end_)) ++count;
        return count;
    }

    std::size_t bytes_left() const { return static_cast<std::size_t>(text_.data() + text_.size() - at_); }
    std::string_view rest() const {
        return {next_, static_cast<std::size_t>(text_.data() + text_.size() - next_)};
    }
    std::string location() const {
        return location_at(original_, static_cast<std::size_t>(at_ - text_.data()), name_);
    }
    const std::string& name() const { return name_; }
    bool copied() const { return !storage_.empty(); }

  private:
    /// A comment also ends a word.
    const char* word_end(const char* at) const { return std::find(at, skip_word(at, line_end_), '#'); }
    const char* scan(float& value) const { return scan_float(at_, line_end_, value); }
    const char* scan(double& value) const { return scan_double(at_, line_end_, value); }
    const char* scan(std::int64_t& value) const { return scan_integer(at_, line_end_, value); }

    std::string_view original_;
    std::string storage_;
    std::string_view text_;
    std::string name_;
    const char* next_;
    const char* at_ = nullptr;
    const char* line_end_ = nullptr;
};

struct OffHeader {
    bool uvs = false;
    bool colors = false;
    bool normals = false;
    std::size_t vertices = 0;
    std::size_t faces = 0;
};

/// Reads "[ST][C][N]OFF" into the header; false when the word is not such a keyword.
bool read_keyword(std::string_view word, OffHeader& header, const OffLines& lines) {
    if (!word.ends_with("OFF")) return false;
    word.remove_suffix(3);
    const auto take = [&](std::string_view prefix) {
        const bool found = word.starts_with(prefix);
        if (found) word.remove_prefix(prefix.size());
        return found;
    };
    header.uvs = take("ST");
    header.colors = take("C");
    header.normals = take("N");
    if (!word.empty())
        fail(lines.location(), "\"{}OFF\" files are not supported: only three dimensions are",
             word.substr(0, 8));
    return true;
}

OffHeader read_header(OffLines& lines) {
    OffHeader header;
    if (!lines.next()) fail(lines.name(), "the file is empty");
    if (read_keyword(lines.peek(), header, lines)) {
        lines.skip();
        if (lines.peek() == "BINARY") fail(lines.location(), "binary OFF files are not supported");
        if (!lines.more() && !lines.next())
            fail(lines.location(), "expected the counts, but the file ends here");
    } else if (!is_digit(lines.peek()[0])) {
        fail(lines.location(), "is not an OFF file: expected OFF, found {}",
             found_at(lines.peek().data(), lines.peek().end()));
    }
    const auto count = [&](std::string_view what) {
        const auto value = lines.number<std::int64_t>(what, 1);
        if (value < 0 || value > std::numeric_limits<std::int32_t>::max())
            fail(lines.location(), "{} {} is out of range", what, value);
        return static_cast<std::size_t>(value);
    };
    header.vertices = count("vertex count");
    header.faces = count("face count");
    check_count(header.vertices, 6, lines.bytes_left(), "vertices", lines.location());  // "0 0 0\n"
    check_count(header.faces, 2, lines.bytes_left(), "faces", lines.location());        // "0\n"
    return header;
}

/// The lines of the vertices: x y z, then normal, colour and texture coordinate as stated by the header.
class OffVertices {
  public:
    OffVertices(OffLines& lines, const OffHeader& header, Mesh& mesh)
        : lines_(lines), header_(header), mesh_(mesh) {}

    void run(Monitor& monitor) {
        mesh_.positions.reserve(header_.vertices);
        for (index_ = 0; index_ < header_.vertices; ++index_) {
            if (!lines_.next())
                fail(lines_.location(), "expected vertex {} of {}, but the file ends here", index_,
                     header_.vertices);
            mesh_.positions.push_back(vector());
            if (header_.normals) mesh_.normals.push_back(vector());
            if (header_.colors) mesh_.colors.push_back(color());
            if (header_.uvs) uv();
            if (lines_.more()) ++extra_;
        }
        if (extra_ > 0) {
            warn(monitor, "off-extra-columns",
                 "{}: {} vertex lines hold more numbers than the header announces: left out", lines_.name(),
                 extra_);
        }
        if (indexed_ > 0) {
            warn(monitor, "off-color-index",
                 "{}: {} vertices have the number of a colour in a map that the file does not hold: they are "
                 "white",
                 lines_.name(), indexed_);
            if (indexed_ == header_.vertices) mesh_.colors.clear();
        }
        finish_colors();
    }

  private:
    Vec3f vector() {
        Vec3f v;
        for (int i = 0; i < 3; ++i) v[i] = lines_.number<float>("vertex", index_);
        return v;
    }

    /// Three or four channels: alpha exists if the line has another number for it. A single number is an
    /// index into a colour map that is not available.
    Vec4f color() {
        Vec4f color = Vec4f::Ones();
        if (lines_.words_left() == (header_.uvs ? 3u : 1u)) {
            lines_.number<std::int64_t>("vertex", index_);
            ++indexed_;
            return color;
        }
        for (int i = 0; i < 3; ++i) color[i] = lines_.number<float>("vertex", index_);
        largest_ = std::max(largest_, color.head<3>().maxCoeff());
        if (lines_.words_left() != (header_.uvs ? 2u : 0u)) {
            color[3] = lines_.number<float>("vertex", index_);
            has_alpha_ = true;
            largest_ = std::max(largest_, color[3]);
        }
        return color;
    }

    void uv() {
        const auto u = lines_.number<float>("vertex", index_);
        mesh_.uvs[0].emplace_back(u, flipped(lines_.number<double>("vertex", index_)));
    }

    /// Colours are 0 to 255 if any of them is greater than 1.
    void finish_colors() {
        const bool bytes = largest_ > 1;
        for (Vec4f& color : mesh_.colors) {
            if (bytes) color.head<3>() /= 255;
            if (bytes && has_alpha_) color[3] /= 255;
            color = color.cwiseMax(0).cwiseMin(1);
            for (int i = 0; i < 3; ++i) color[i] = linear_from_srgb(color[i]);
        }
    }

    OffLines& lines_;
    const OffHeader& header_;
    Mesh& mesh_;
    std::size_t index_ = 0;
    std::size_t extra_ = 0;
    std::size_t indexed_ = 0;
    float largest_ = 0;
    bool has_alpha_ = false;
};

/// The lines of the faces: a count, that many indices, and possibly a colour.
class OffFaces {
  public:
    OffFaces(OffLines& lines, const OffHeader& header, std::span<const Vec3f> shape,
             std::vector<Triangle>& triangles)
        : lines_(lines), header_(header), shape_(shape), triangles_(triangles) {}

    void run(Monitor& monitor) {
        triangles_.reserve(header_.faces);
        for (std::size_t f = 0; f < header_.faces; ++f) {
            if (!lines_.next())
                fail(lines_.location(), "expected face {} of {}, but the file ends here", f, header_.faces);
            read_corners(f);
            if (lines_.more()) ++colored_;
            cut();
        }
        const auto tell = [&](std::size_t count, std::string_view code, std::string_view what) {
            if (count > 0) warn(monitor, code, "{}: {} {}", lines_.name(), count, what);
        };
        tell(colored_, "off-face-colors", "faces have a colour of their own, which was left out");
        tell(short_, "off-short-faces", "faces with fewer than three corners were left out");
        tell(fans_, "off-large-polygons", "large polygons that are not convex were cut as fans");
        tell(lines_.next() ? 1 : 0, "off-trailing", "line or more after the last face was left out");
    }

  private:
    void read_corners(std::size_t f) {
        const auto count = lines_.number<std::int64_t>("face", f);
        if (count < 0) fail(lines_.location(), "face {} has {} corners", f, count);
        corners_.clear();
        for (std::int64_t i = 0; i < count; ++i) {
            const auto index = lines_.number<std::int64_t>("face", f);
            if (index < 0 || index >= static_cast<std::int64_t>(header_.vertices)) {
                fail(lines_.location(), "face {} names vertex {} of {}", f, index, header_.vertices);
            }
            corners_.push_back(static_cast<std::uint32_t>(index));
        }
    }

    void cut() {
        if (corners_.size() == 3) {
            triangles_.push_back({corners_[0], corners_[1], corners_[2]});
            return;
        }
        if (corners_.size() < 3) {
            ++short_;
            return;
        }
        if (!triangulate(corners_, shape_, triangles_)) ++fans_;
    }

    OffLines& lines_;
    const OffHeader& header_;
    std::span<const Vec3f> shape_;
    std::vector<Triangle>& triangles_;
    std::vector<std::uint32_t> corners_;
    std::size_t colored_ = 0;
    std::size_t short_ = 0;
    std::size_t fans_ = 0;
};

}  // namespace

MeshFile read_off_mesh(Bytes bytes, const std::filesystem::path& path, const ReadOptions& /*options*/,
                       Monitor& monitor, const MeshFile* first) {
    std::string converted;
    OffLines lines(as_utf8(as_text(bytes), converted), path.string());
    const OffHeader header = read_header(lines);
    if (header.vertices == 0) fail(lines.name(), "holds no vertices");
    MeshFile file;
    file.file_vertices = header.vertices;
    file.other_counts = header.faces;
    Mesh& mesh = file.mesh;
    OffVertices(lines, header, mesh).run(monitor);
    if (converted.empty() && !lines.copied()) file.face_text = lines.rest();
    if (first != nullptr) {
        if (first->file_vertices != file.file_vertices) return file;
        file.same_faces = !file.face_text.empty() && file.face_text == first->face_text &&
                          file.other_counts == first->other_counts;
        if (file.same_faces) return file;
    }
    OffFaces(lines, header, first != nullptr ? first->mesh.positions : mesh.positions, mesh.triangles)
        .run(monitor);
    if (first == nullptr) complete_normals(mesh, lines.name(), monitor);
    if (mesh.triangles.empty())
        warn(monitor, "no-faces", "{}: the mesh has vertices but no faces", lines.name());
    return file;
}

Asset read_off(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor) {
    return mesh_asset(read_off_mesh(bytes, path, options, monitor, nullptr), path);
}

std::string write_off(const Asset& asset, const std::filesystem::path& path, const WriteOptions&,
                      Monitor& monitor) {
    const Mesh& mesh = mesh_to_write(asset, path, {.name = "OFF"}, monitor);
    // Readers interpret integers as 0 to 255 only if one of them is greater than 1.
    const bool bytes =
        fits_bytes(mesh.colors) &&
        std::any_of(mesh.colors.begin(), mesh.colors.end(), [](const Vec4f& color) { return color[3] == 1; });
    std::string text = fmt::format("{}{}{}OFF\n", mesh.uvs[0].empty() ? "" : "ST",
                                   mesh.colors.empty() ? "" : "C", mesh.normals.empty() ? "" : "N");
    const auto out = std::back_inserter(text);
    fmt::format_to(out, "# sinew\n{} {} 0\n", mesh.positions.size(), mesh.triangles.size());
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const Vec3f& p = mesh.positions[v];
        fmt::format_to(out, FMT_COMPILE("{} {} {}"), p[0], p[1], p[2]);
        if (!mesh.normals.empty()) {
            const Vec3f& n = mesh.normals[v];
            fmt::format_to(out, FMT_COMPILE(" {} {} {}"), n[0], n[1], n[2]);
        }
        if (!mesh.colors.empty()) {
            const Vec4f& c = mesh.colors[v];
            for (int i = 0; i < 3; ++i) {
                bytes ? fmt::format_to(out, " {}", byte_from_linear(c[i]))
                      : fmt::format_to(out, " {}", srgb_from_linear(c[i]));
            }
            bytes ? fmt::format_to(out, " {}", std::lround(c[3] * 255)) : fmt::format_to(out, " {}", c[3]);
        }
        if (!mesh.uvs[0].empty()) {
            fmt::format_to(out, FMT_COMPILE(" {} {}"), mesh.uvs[0][v][0], flipped_text(mesh.uvs[0][v][1]));
        }
        text += '\n';
    }
    for (const Triangle& t : mesh.triangles)
        fmt::format_to(out, FMT_COMPILE("3 {} {} {}\n"), t[0], t[1], t[2]);
    return text;
}

}  // namespace sinew::io
