// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The text of an OBJ file, divided into blocks of whole lines for parallel parsing, and its v, vt and vn
/// statements.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/monitor.h"
#include "sinew/geometry/mesh.h"
#include "sinew/io/text/scan.h"

namespace sinew::io {

/// Statements of each kind, or the number of them before a location of the file.
struct ObjCounts {
    std::size_t positions = 0;
    std::size_t uvs = 0;
    std::size_t normals = 0;
    std::size_t faces = 0;
    std::size_t others = 0;  ///< neither of these, nor blank, nor a comment

    ObjCounts& operator+=(const ObjCounts& other);
    bool operator==(const ObjCounts&) const = default;
};

/// What a line starts with.
enum class ObjWord : std::uint8_t { position, uv, normal, face, other };

/// The keyword at `at`, which must not be blank; `at` goes behind it unless it is `other`.
inline ObjWord scan_obj_word(const char*& at, const char* end) {
    const auto word_ends = [&](const char* p) { return p >= end || is_blank(*p) || *p == '\n'; };
    const std::size_t left = static_cast<std::size_t>(end - at);
    if (left == 0) return ObjWord::other;
    if (*at == 'f' && word_ends(at + 1)) return ++at, ObjWord::face;
    if (*at != 'v') return ObjWord::other;
    if (word_ends(at + 1)) return ++at, ObjWord::position;
    if (!word_ends(at + 2)) return ObjWord::other;
    if (at[1] == 't') return at += 2, ObjWord::uv;
    if (at[1] == 'n') return at += 2, ObjWord::normal;
    return ObjWord::other;
}

/// Lines [begin, end) of the text, and what is in and before them.
struct ObjPiece {
    const char* begin = nullptr;
    const char* end = nullptr;
    ObjCounts counts;
    ObjCounts before;
};

class ObjText {
  public:
    /// \throws Error when the content is not text.
    ObjText(std::string_view original, std::string name);
    ObjText(const ObjText&) = delete;
    ObjText& operator=(const ObjText&) = delete;

    const std::vector<ObjPiece>& pieces() const { return pieces_; }
    const ObjCounts& counts() const { return counts_; }
    const char* end() const { return text_.data() + text_.size(); }
    const std::string& name() const { return name_; }
    /// "name:line" of a location in the text.
    std::string location(const char* at) const;
    /// The text from the first face on.
    std::string_view face_text() const;

  private:
    void unify_lines();
    void join_continued_lines();
    void cut();

    std::string_view original_;
    std::string_view
        text_;  ///< line ends are LF and continued lines are joined, without moving any character
    std::string name_;
    std::string storage_;
    std::vector<ObjPiece> pieces_;
    ObjCounts counts_;
};

struct ObjVertices {
    std::vector<geometry::Vec3f> positions;
    std::vector<geometry::Vec4f> colors;  ///< linear, empty when no vertex has one
    std::vector<geometry::Vec2f> uvs;
    std::vector<geometry::Vec3f> normals;
};

/// \throws Error with the line of a number that is missing or not finite.
ObjVertices read_obj_vertices(const ObjText& text, bool positions_only, Monitor& monitor);

}  // namespace sinew::io
