// SPDX-License-Identifier: MIT
#include "sinew/io/mesh/ply_header.h"

#include <algorithm>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/text.h"

namespace sinew::io {
namespace {

std::optional<PlyType> find_type(std::string_view word) {
    static constexpr std::pair<std::string_view, PlyType> names[] = {
        {"char", PlyType::int8},      {"uchar", PlyType::uint8},    {"short", PlyType::int16},
        {"ushort", PlyType::uint16},  {"int", PlyType::int32},      {"uint", PlyType::uint32},
        {"float", PlyType::float32},  {"double", PlyType::float64}, {"int8", PlyType::int8},
        {"uint8", PlyType::uint8},    {"int16", PlyType::int16},    {"uint16", PlyType::uint16},
        {"int32", PlyType::int32},    {"uint32", PlyType::uint32},  {"float32", PlyType::float32},
        {"float64", PlyType::float64}};
    for (const auto& [name, type] : names) {
        if (name == word) return type;
    }
    return std::nullopt;
}

class HeaderReader {
  public:
    HeaderReader(std::string_view text, std::string_view name) : text_(text), cursor_(text, name) {}

    PlyHeader run() {
        if (line() != "ply") fail(cursor_.location(), "is not a PLY file: it does not start with \"ply\"");
        bool has_format = false;
        for (;;) {
            if (cursor_.at_end())
                fail(cursor_.location(), "the header does not end: \"end_header\" is missing");
            location_ = cursor_;
            const std::string_view word = cursor_.word_on_line();
            if (word == "end_header") break;
            if (word == "format") {
                format();
                has_format = true;
            } else if (word == "element") {
                element();
            } else if (word == "property") {
                property();
            } else if (word == "comment") {
                comment();
            } else if (!word.empty() && word != "obj_info") {
                fail(location_.location(), "unknown word in the header: \"{}\"", word.substr(0, 40));
            }
            cursor_.rest_of_line();
        }
        // If CR alone ends the lines, an LF after the last line is data.
        const bool only_cr = text_.size() > 4 && text_[3] == '\r' && text_[4] != '\n';
        only_cr ? cursor_.advance(cursor_.at_end() ? 0 : 1) : void(cursor_.rest_of_line());
        if (!has_format) fail(cursor_.location(), "the header names no format");
        header_.size = cursor_.position();
        return std::move(header_);
    }

  private:
    /// A line without leading and trailing blanks.
    std::string_view line() { return cursor_.rest_of_line(); }

    void format() {
        const std::string_view word = cursor_.word_on_line();
        if (word == "ascii") {
            header_.encoding = PlyEncoding::text;
        } else if (word == "binary_little_endian") {
            header_.encoding = PlyEncoding::little;
        } else if (word == "binary_big_endian") {
            header_.encoding = PlyEncoding::big;
        } else {
            fail(location_.location(), "unknown format \"{}\"", word.substr(0, 40));
        }
    }

    void element() {
        PlyElement element;
        element.name = cursor_.word_on_line();
        std::int64_t count = 0;
        const std::string_view word = cursor_.word_on_line();
        if (!parse_exact(word, count) || count < 0) {
            fail(location_.location(), "expected the number of \"{}\" elements, found \"{}\"", element.name,
                 word.substr(0, 40));
        }
        element.count = static_cast<std::uint64_t>(count);
        header_.elements.push_back(std::move(element));
    }

    PlyType type() {
        const std::string_view word = cursor_.word_on_line();
        const std::optional<PlyType> found = find_type(word);
        if (!found) fail(location_.location(), "unknown type \"{}\"", word.substr(0, 40));
        return *found;
    }

    void property() {
        if (header_.elements.empty()) fail(location_.location(), "a property before the first element");
        PlyProperty property;
        TextCursor ahead = cursor_;
        if (ahead.word_on_line() == "list") {
            cursor_.word_on_line();
            property.count_type = type();
            if (is_float(*property.count_type))
                fail(location_.location(), "the length of a list cannot be a floating-point number");
        }
        property.type = type();
        property.name = cursor_.word_on_line();
        if (property.name.empty()) fail(location_.location(), "a property without a name");
        header_.elements.back().properties.push_back(std::move(property));
    }

    void comment() {
        TextCursor ahead = cursor_;
        if (ahead.word_on_line() != "TextureFile") return;
        const std::string_view rest = ahead.rest_of_line();
        if (header_.texture.empty()) header_.texture = rest;
    }

    std::string_view text_;
    TextCursor cursor_;
    TextCursor location_{{}, {}};
    PlyHeader header_;
};

}  // namespace

bool PlyElement::has_lists() const {
    return std::any_of(properties.begin(), properties.end(),
                       [](const PlyProperty& p) { return p.is_list(); });
}

std::size_t PlyElement::min_bytes() const {
    std::size_t sum = 0;
    for (const PlyProperty& property : properties)
        sum += size_of(property.count_type.value_or(property.type));
    return sum;
}

int PlyElement::find(std::initializer_list<std::string_view> names) const {
    for (std::size_t i = 0; i < properties.size(); ++i) {
        if (std::find(names.begin(), names.end(), properties[i].name) != names.end())
            return static_cast<int>(i);
    }
    return -1;
}

std::size_t PlyElement::offset(int property) const {
    std::size_t sum = 0;
    for (int i = 0; i < property; ++i) sum += size_of(properties[static_cast<std::size_t>(i)].type);
    return sum;
}

PlyHeader read_ply_header(std::string_view text, std::string_view name) {
    return HeaderReader(text, name).run();
}

}  // namespace sinew::io
