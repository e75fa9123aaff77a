// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Reading text formats: words, numbers and line numbers, straight from the bytes of the file.
///
/// \code
/// TextCursor cursor(file.text(), "walk.bvh");
/// if (cursor.word() == "OFFSET") x = cursor.number("an offset");
/// \endcode

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sinew {

/// Space, tab, CR, LF, form feed and vertical tab.
constexpr bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/// Parses a decimal number at the start of `text` and removes it. Accepts a leading plus, exponents, and
/// "nan"/"inf" in any case; too large becomes infinite, too small zero. Correctly rounded, independent of
/// locale; plain decimals of up to 19 digits take an exact fast path.
std::optional<double> parse_number(std::string_view& text);

/// True when the whole of `word` is a number, which is stored.
bool parse_exact(std::string_view word, double& value);
bool parse_exact(std::string_view word, std::int64_t& value);

bool equal_ignoring_case(std::string_view a, std::string_view b);
std::string to_lower(std::string_view text);
std::string_view trim(std::string_view text);

/// A cursor over text that counts lines. Whitespace is what `is_space` says.
class TextCursor {
  public:
    /// `name` is the file name used in locations.
    TextCursor(std::string_view text, std::string_view name);

    bool at_end() const { return position_ == text_.size(); }
    /// Skips whitespace over line ends; false at the end of the text.
    bool skip_space();
    /// The next word (empty at the end), over line ends.
    std::string_view word();
    /// The next word without consuming it.
    std::string_view peek();
    /// The next word on this line, empty when the line is over; does not pass the line end.
    std::string_view word_on_line();
    /// The rest of this line without its end, trimmed; the cursor goes to the next line. LF, CR and CRLF end
    /// a line.
    std::string_view rest_of_line();
    /// The next number, over line ends. \throws Error naming `what` when there is none.
    double number(std::string_view what);
    /// The next number, or nothing (and nothing consumed) when the next word is not one.
    std::optional<double> try_number();

    /// "name:line" of the next unread character.
    std::string location() const;
    std::size_t line() const;
    std::string_view remaining() const { return text_.substr(position_); }
    void advance(std::size_t count) { position_ += count; }
    std::size_t position() const { return position_; }
    void seek(std::size_t position) { position_ = position; }

  private:
    std::string_view text_;
    std::string name_;
    std::size_t position_ = 0;
};

/// Text as UTF-8: a UTF-8 byte order mark is skipped, UTF-16 with a mark is converted into `storage`; half of
/// a surrogate pair becomes U+FFFD.
std::string_view as_utf8(std::string_view text, std::string& storage);

/// With the characters that mean something to a browser written as entities: safe between tags and in quoted
/// attributes.
std::string markup_text(std::string_view text);

namespace detail {

/// Powers of ten that a double holds exactly.
inline constexpr std::array<double, 23> exact_powers = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                        1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                        1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

}  // namespace detail

}  // namespace sinew
