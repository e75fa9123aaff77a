// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Parsing of text formats: words, numbers and line numbers, directly from the bytes of the file.
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
/// "nan"/"inf" in any case; a number too large becomes infinite, one too small zero. Correctly rounded and
/// independent of the locale; plain decimals of up to 19 digits take a fast path with exact arithmetic.
std::optional<double> parse_number(std::string_view& text);

/// True when all of `word` is a number; it is stored in `value`.
bool parse_exact(std::string_view word, double& value);
bool parse_exact(std::string_view word, std::int64_t& value);

bool equal_ignoring_case(std::string_view a, std::string_view b);
std::string to_lower(std::string_view text);
std::string_view trim(std::string_view text);

/// A read position in a text that also counts lines. Whitespace is what `is_space` accepts.
class TextCursor {
  public:
    /// \param text the text; must outlive the cursor
    /// \param name file name for the locations of errors
    TextCursor(std::string_view text, std::string_view name);

    bool at_end() const { return position_ == text_.size(); }
    /// Skips whitespace, line ends included; false at the end of the text.
    bool skip_space();
    /// The next word, on this or a later line; empty at the end of the text.
    std::string_view word();
    /// The next word without consuming it.
    std::string_view peek();
    /// The next word on this line; empty when no more words follow on it. Never moves to the next line.
    std::string_view word_on_line();
    /// The rest of this line without its line end, trimmed; the cursor moves to the next line. LF, CR and
    /// CRLF end a line.
    std::string_view rest_of_line();
    /// The next number, on this or a later line. \throws Error naming `what` when the next word is not a
    /// number
    double number(std::string_view what);
    /// The next number; empty, without moving, when the next word is not a number.
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

/// Converts text to UTF-8: a UTF-8 byte order mark is skipped, UTF-16 with a mark is converted into
/// `storage`; an unpaired surrogate becomes U+FFFD.
std::string_view as_utf8(std::string_view text, std::string& storage);

/// Escapes text for HTML and XML: safe between tags and in quoted attributes.
std::string markup_text(std::string_view text);

namespace detail {

/// Powers of ten that a double represents exactly.
inline constexpr std::array<double, 23> exact_powers = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                        1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                        1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

}  // namespace detail

}  // namespace sinew
