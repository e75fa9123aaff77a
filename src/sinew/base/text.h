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
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
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
/// locale; plain decimals of up to 19 digits take an exact fast path. Long tables of numbers are read by
/// parse_plain_decimal.
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
    /// `name` is the file name used in places.
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

}  // namespace sinew

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace sinew {

/// Bytes that parse_plain_decimal may look at.
inline constexpr std::ptrdiff_t plain_decimal_margin = 24;

/// The number at `begin` when it is a plain decimal (a minus or none, up to 7 digits, up to 8 decimals) of at
/// most 15 characters, followed by a space or control character; returns its end. Null proves nothing: the
/// number is of another form, or fewer than plain_decimal_margin bytes are left; ask parse_number then.
/// Correctly rounded.
const char* parse_plain_decimal(const char* begin, const char* end, double& value);

namespace detail {

/// Powers of ten that a double holds exactly.
inline constexpr std::array<double, 23> exact_powers = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                        1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                        1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
inline constexpr std::array<std::uint32_t, 9> whole_powers = {1,      10,      100,      1000,     10000,
                                                              100000, 1000000, 10000000, 100000000};

/// One bit for each of 16 characters.
struct CharacterClasses {
    unsigned space;  ///< space or control character
    unsigned point;
    unsigned digit;
};

/// Eight characters at a time in an integer register.
inline CharacterClasses classify_portable(const char* p) {
    CharacterClasses classes{0, 0, 0};
    for (unsigned half = 0; half < 2; ++half) {
        std::uint64_t bytes = 0;
        std::memcpy(&bytes, p + 8 * half, 8);
        constexpr std::uint64_t low = 0x7F7F7F7F7F7F7F7Fu, high = 0x8080808080808080u,
                                one = 0x0101010101010101u;
        // The high bit of a byte after adding 0x80 - n to its other seven: it is n or more. Nothing carries
        // over.
        const auto at_least = [&](std::uint64_t word, unsigned n) {
            return ((word & low) + one * (0x80 - n)) | word;
        };
        const auto gather = [&](std::uint64_t flags) {
            return static_cast<unsigned>((((flags & high) >> 7) * 0x0102040810204080u) >> 56) << (8 * half);
        };
        classes.space |= gather(~at_least(bytes, 0x21));
        classes.point |= gather(~at_least(bytes ^ one * '.', 1));
        classes.digit |= gather(~at_least(bytes ^ one * '0', 10));
    }
    return classes;
}

#if defined(__SSE2__)
inline CharacterClasses classify(const char* p) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const auto at_most = [](__m128i values, char limit) {
        return _mm_cmpeq_epi8(_mm_min_epu8(values, _mm_set1_epi8(limit)), values);
    };
    const auto bits = [](__m128i flags) { return static_cast<unsigned>(_mm_movemask_epi8(flags)); };
    return {bits(at_most(bytes, ' ')), bits(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('.'))),
            bits(at_most(_mm_sub_epi8(bytes, _mm_set1_epi8('0')), 9))};
}
#else
inline CharacterClasses classify(const char* p) {
    return classify_portable(p);
}
#endif

/// The first `count` of eight digits as a number (Lemire 2021, "Number parsing at a gigabyte per second").
inline std::uint64_t digits_to_integer(const char* p, unsigned count) {
    std::uint64_t run = 0;
    std::memcpy(&run, p, 8);
    run ^= 0x3030303030303030u;
    // Leading zeros in front, so that there are always eight. Two halves, because a shift by 64 is undefined.
    const unsigned half = 32 - 4 * count;
    run = run << half << half;
    run = run * 10 + (run >> 8);
    return ((run & 0x000000FF000000FFu) * 0x000F424000000064u +
            ((run >> 16) & 0x000000FF000000FFu) * 0x0000271000000001u) >>
           32;
}

inline const char* parse_classified(const char* begin, const CharacterClasses& classes, double& value) {
    const auto length = static_cast<unsigned>(std::countr_zero(classes.space | 1u << 16));
    const unsigned inside = (1u << length) - 1;
    const unsigned sign = *begin == '-' ? 1 : 0;
    // The place of the point, or the end when there is none.
    const auto point = static_cast<unsigned>(std::countr_zero((classes.point & inside) | 1u << length));
    const unsigned others = inside & ~classes.digit;
    const bool plain = others == ((sign | 1u << point) & inside);
    const unsigned whole = point - sign;
    const unsigned decimals = length - point - (point < length ? 1 : 0);
    if (!plain || length == 16 || whole >= 8 || decimals > 8 || whole + decimals == 0) return nullptr;
    // At most 15 digits are below 2^53: one exact integer over one exact power, rounded once (Clinger 1990).
    const std::uint64_t digits = digits_to_integer(begin + sign, whole) * whole_powers[decimals] +
                                 digits_to_integer(begin + point + 1, decimals);
    const double size = static_cast<double>(static_cast<std::int64_t>(digits)) / exact_powers[decimals];
    value = std::bit_cast<double>(std::bit_cast<std::uint64_t>(size) | std::uint64_t{sign} << 63);
    return begin + length;
}

/// The same without vector instructions, for other machines and to test against.
inline const char* parse_plain_decimal_portable(const char* begin, const char* end, double& value) {
    if (std::endian::native != std::endian::little || end - begin < plain_decimal_margin) return nullptr;
    return parse_classified(begin, classify_portable(begin), value);
}

}  // namespace detail

inline const char* parse_plain_decimal(const char* begin, const char* end, double& value) {
    if (std::endian::native != std::endian::little || end - begin < plain_decimal_margin) return nullptr;
    return detail::parse_classified(begin, detail::classify(begin), value);
}

}  // namespace sinew
