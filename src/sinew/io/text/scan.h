// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Fast parsing of numbers in text, because most files consist of numbers.

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "sinew/base/text.h"

namespace sinew::io {

/// "name:line" of an offset of the text. LF and CRLF end a line; CR alone does when the text holds no LF.
std::string location_at(std::string_view text, std::size_t offset, std::string_view name);

/// The text with LF as line end: the text itself, or, when only CR ends its lines, a copy in `storage` with
/// every character at its old location.
std::string_view with_line_feeds(std::string_view text, std::string& storage);

/// The word at `at`, shortened, for "found ..." in messages.
std::string found_at(const char* at, const char* end);

inline bool is_digit(char c) {
    return static_cast<unsigned char>(c - '0') < 10;
}
/// White space within a line. CR counts, so that CRLF files need no special care.
inline bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}
inline const char* skip_blanks(const char* at, const char* end) {
    while (at < end && is_blank(*at)) ++at;
    return at;
}
/// Skips blanks and line ends.
inline const char* skip_white(const char* at, const char* end) {
    while (at < end && (is_blank(*at) || *at == '\n')) ++at;
    return at;
}
inline const char* skip_word(const char* at, const char* end) {
    while (at < end && !is_blank(*at) && *at != '\n') ++at;
    return at;
}
inline bool at_word_end(const char* at, const char* end) {
    return at == end || is_blank(*at) || *at == '\n';
}
/// The next LF at or behind `at`, or the end.
inline const char* find_line_end(const char* at, const char* end) {
    if (at < end && *at == '\n') return at;
    const void* const found = std::memchr(at, '\n', static_cast<std::size_t>(end - at));
    return found == nullptr ? end : static_cast<const char*>(found);
}

}  // namespace sinew::io

namespace sinew::io::detail {

/// Digits of a decimal number without its sign: digits * 10^exponent.
struct Decimal {
    std::uint64_t digits = 0;
    std::int64_t count =
        0;  ///< at least that of the digits from the first that is not 0; beyond 19 `digits` overflows
    std::int64_t exponent = 0;  ///< of ten
};

/// Appends a run of digits to `number`, eight at a time: the digits of a word are moved to its high end,
/// which prepends zeros, and three multiplications combine the eight digits (SWAR method of Lemire).
[[gnu::always_inline]] inline const char* scan_digits(const char* at, const char* end, Decimal& number) {
    static constexpr std::uint32_t powers[9] = {1,      10,      100,      1000,     10000,
                                                100000, 1000000, 10000000, 100000000};
    static_assert(std::endian::native == std::endian::little);
    while (end - at >= 8) {
        std::uint64_t word;
        std::memcpy(&word, at, 8);
        word ^= 0x3030303030303030u;
        const std::uint64_t others = ((word + 0x7676767676767676u) | word) & 0x8080808080808080u;
        const int run = others == 0 ? 8 : std::countr_zero(others) / 8;
        if (run == 0) return at;
        word <<= 8 * (8 - run);
        word = word * 10 + (word >> 8);
        const std::uint64_t value = ((word & 0x000000FF000000FFu) * 0x000F424000000064u +
                                     ((word >> 16) & 0x000000FF000000FFu) * 0x0000271000000001u) >>
                                    32;
        number.digits = number.digits * powers[run] + value;
        at += run;
        if (run < 8) return at;
    }
    for (; at < end && is_digit(*at); ++at)
        number.digits = number.digits * 10 + static_cast<std::uint64_t>(*at - '0');
    return at;
}

/// Zeros before the first other digit.
inline std::int64_t leading_zeros(const char* at, const char* end) {
    std::int64_t count = 0;
    for (; at < end && (*at == '0' || *at == '.'); ++at) count += *at == '0' ? 1 : 0;
    return count;
}

/// The exponent behind the digits, when there is one; leaves `at` before an "e" that no digit follows.
inline const char* scan_exponent(const char* at, const char* end, std::int64_t& exponent) {
    if (at >= end || (*at | 0x20) != 'e') return at;
    const char* digits = at + 1;
    const bool negative = digits < end && *digits == '-';
    if (digits < end && (*digits == '-' || *digits == '+')) ++digits;
    if (digits >= end || !is_digit(*digits)) return at;
    int value = 0;
    for (; digits < end && is_digit(*digits); ++digits) {
        if (value < 100000) value = value * 10 + (*digits - '0');
    }
    exponent += negative ? -value : value;
    return digits;
}

/// digits * 10^exponent with an error of at most one unit in the last place; false when this accuracy is not
/// possible.
inline bool approximate(const Decimal& number, double& value) {
    if (number.count > 19 || number.exponent < -22 || number.exponent > 22) return false;
    value = static_cast<double>(number.digits);
    const double power = sinew::detail::exact_powers[static_cast<std::size_t>(std::abs(number.exponent))];
    value = number.exponent < 0 ? value / power : value * power;
    return true;
}

const char* scan_float_slowly(const char* at, const char* end, float& value);
const char* scan_double_slowly(const char* at, const char* end, double& value);

/// Sign, digits, point, digits, exponent; null when there is no digit.
[[gnu::always_inline]] inline const char* scan_decimal(const char* at, const char* end, bool& negative,
                                                       Decimal& number) {
    negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) ++at;
    const char* const first = at;
    // Few digits stand before the point, many behind it.
    for (; at < end && is_digit(*at); ++at)
        number.digits = number.digits * 10 + static_cast<std::uint64_t>(*at - '0');
    number.count = at - first;
    if (at < end && *at == '.') {
        const char* const point = at + 1;
        at = scan_digits(point, end, number);
        number.exponent = point - at;
        number.count -= number.exponent;
    }
    if (number.count > 19) number.count -= leading_zeros(first, at);
    return at == first || (number.count == 0 && *first == '.') ? nullptr
                                                               : scan_exponent(at, end, number.exponent);
}

}  // namespace sinew::io::detail

namespace sinew::io {

/// Parses a number at `at` as the nearest float; "nan" and "inf" are numbers too. Returns the position behind
/// it, or null when there is no number.
///
/// The fast path computes a double with a relative error of at most 2^-52. Its nearest float is also the
/// nearest float of the decimal number, unless the double is within a few units of a midpoint between floats.
/// Only then, and outside the range of normal floats, the slow exact path is used.
[[gnu::always_inline]] inline const char* scan_float(const char* at, const char* end, float& value) {
    detail::Decimal number;
    bool negative = false;
    double wide = 0;
    const char* const behind = detail::scan_decimal(at, end, negative, number);
    if (behind == nullptr || !detail::approximate(number, wide))
        return detail::scan_float_slowly(at, end, value);
    const auto low = static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(wide) & 0x1FFFFFFFu);
    const bool safe = wide > 1.2e-38 && wide < 3.4e38 && low - 0x0FFFFFF8u > 0x10u;
    if (!safe && number.digits != 0) return detail::scan_float_slowly(at, end, value);
    value = static_cast<float>(negative ? -wide : wide);
    return behind;
}

/// The same for a double.
inline const char* scan_double(const char* at, const char* end, double& value) {
    detail::Decimal number;
    bool negative = false;
    const char* const behind = detail::scan_decimal(at, end, negative, number);
    // Exact digits and an exact power leave a single rounding (Clinger 1990).
    const bool exact = behind != nullptr && number.digits >> 53 == 0 && detail::approximate(number, value);
    if (!exact) return detail::scan_double_slowly(at, end, value);
    if (negative) value = -value;
    return behind;
}

/// Parses a whole number of at most 18 digits; null when there is none.
inline const char* scan_integer(const char* at, const char* end, std::int64_t& value) {
    const bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) ++at;
    const char* const first = at;
    std::int64_t digits = 0;
    for (; at < end && is_digit(*at); ++at) {
        if (at - first >= 18) return nullptr;
        digits = digits * 10 + (*at - '0');
    }
    value = negative ? -digits : digits;
    return at == first ? nullptr : at;
}

}  // namespace sinew::io
