#pragma once
/// \file
/// Reading text formats: words, numbers and line numbers, straight from the bytes of the file.

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace sinew {

/// Parses a decimal number at the start of `text` and removes it. Accepts a leading plus, exponents, and
/// "nan"/"inf" in any case; too large becomes infinite, too small zero. Correctly rounded, independent of
/// locale; plain decimals of up to 19 digits take an exact fast path quicker than std::from_chars.
std::optional<double> parse_number(std::string_view& text);

/// For readers of long tables: the number at `begin` when it is a plain decimal (up to 7 digits, then up to 8
/// decimals) followed by white space, with its end; null when it is anything else, or when fewer than
/// `plain_decimal_margin` bytes are left, which proves nothing: ask parse_number then. Correctly rounded.
const char* parse_plain_decimal(const char* begin, const char* end, double& value);

/// True when the whole of `word` is a number, which is stored.
bool parse_whole(std::string_view word, double& value);
bool parse_whole(std::string_view word, std::int64_t& value);

bool equal_ignoring_case(std::string_view a, std::string_view b);
std::string to_lower(std::string_view text);
std::string_view trim(std::string_view text);

/// A cursor over text that counts lines. Whitespace is space, tab, CR, LF, form feed and vertical tab.
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
    std::string place() const;
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

// --- The fast path, inline
// ----------------------------------------------------------------------------------------

/// Bytes that parse_plain_decimal may look at: sign, 8 bytes, point, 8 bytes, and what follows.
inline constexpr std::ptrdiff_t plain_decimal_margin = 20;

namespace detail {

/// The digits that eight bytes start with, as a number.
struct DigitRun {
    std::uint64_t value;
    unsigned count;
};

/// Eight characters at once in one register (Mula 2014; Lemire 2021, "Number parsing at a gigabyte per
/// second"): no branch depends on how many digits there are, which is what a processor cannot guess in
/// measured data.
inline DigitRun leading_digits(const char* p) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, p, 8);
    bytes ^= 0x3030303030303030u;  // digits are now 0 to 9
    // A carry out of a byte above 9 only spoils later bytes, and only the first one that is no digit counts.
    const std::uint64_t stops = ((bytes + 0x7676767676767676u) | bytes) & 0x8080808080808080u;
    const auto count = static_cast<unsigned>(std::countr_zero(stops)) >> 3;
    // Leading zeros in front, so that there are always eight digits.
    std::uint64_t run = count == 0 ? 0 : bytes << (64 - 8 * count);
    run = run * 10 + (run >> 8);
    run = ((run & 0x000000FF000000FFu) * 0x000F424000000064u +
           ((run >> 16) & 0x000000FF000000FFu) * 0x0000271000000001u) >>
          32;
    return {run, count};
}

/// Powers of ten that a double holds exactly.
inline constexpr std::array<double, 23> exact_powers = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                        1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                        1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
inline constexpr std::array<std::uint32_t, 9> whole_powers = {1,      10,      100,      1000,     10000,
                                                              100000, 1000000, 10000000, 100000000};

}  // namespace detail

inline const char* parse_plain_decimal(const char* begin, const char* end, double& value) {
    if (std::endian::native != std::endian::little || end - begin < plain_decimal_margin) return nullptr;
    const bool negative = *begin == '-';
    begin += negative;
    const detail::DigitRun whole = detail::leading_digits(begin);
    begin += whole.count;
    const bool point = *begin == '.';
    begin += point;
    const detail::DigitRun part = detail::leading_digits(begin);
    begin += part.count;
    const bool ended = *begin == ' ' || (*begin >= '\t' && *begin <= '\r');
    if (!ended || whole.count == 8 || whole.count + part.count == 0) return nullptr;
    // At most 15 digits are below 2^53: one exact integer over one exact power, rounded once (Clinger 1990).
    const auto digits = static_cast<double>(
        static_cast<std::int64_t>(whole.value * detail::whole_powers[part.count] + part.value));
    const double size = digits / detail::exact_powers[part.count];
    value = negative ? -size : size;
    return begin;
}

}  // namespace sinew
