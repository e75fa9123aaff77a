#pragma once
/// \file
/// Plain decimals from long tables, several times as fast as the general parser. Measured data defeat a
/// processor's guesses about how many digits a number has, so no branch here depends on that.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

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
