#include "sinew/io/mesh/obj_vertices.h"

#include <algorithm>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"

namespace sinew::io {
namespace {

/// Small enough that what a piece becomes stays in the cache, large enough that starting it costs nothing.
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

/// Length of the line end behind a backslash, 0 when there is none.
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
    std::size_t seen = 0;  // no line end stands between the start of the line and here
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

std::string ObjText::place(const char* at) const {
    return place_at(original_, static_cast<std::size_t>(at - text_.data()), name_);
}

std::string_view ObjText::face_text() const {
    for (const ObjPiece& piece : pieces_) {
        if (piece.counts.faces == 0) continue;
        for (const char* line = piece.begin; line < piece.end; line = find_line_end(line, piece.end) + 1) {
            const char* at = skip_blanks(line, piece.end);
            if (scan_obj_word(at, piece.end) == ObjWord::face) {
                // Of the original: the text itself may be a copy that lives no longer than this.
                return original_.substr(static_cast<std::size_t>(line - text_.data()));
            }
        }
    }
    return {};
}

}  // namespace sinew::io
