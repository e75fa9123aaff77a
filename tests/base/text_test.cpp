// SPDX-License-Identifier: MIT
#include "sinew/base/text.h"

#include <bit>
#include <cmath>
#include <cstdlib>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sinew/base/error.h"

namespace sinew {
namespace {

std::uint64_t bits(double value) {
    return std::bit_cast<std::uint64_t>(value);
}

/// parse_number takes the whole text and gives strtod's value to the last bit.
void expect_like_strtod(const std::string& text) {
    std::string_view rest = text;
    const std::optional<double> value = parse_number(rest);
    ASSERT_TRUE(value.has_value()) << text;
    EXPECT_TRUE(rest.empty()) << text << " left " << rest;
    const double expected = std::strtod(text.c_str(), nullptr);
    EXPECT_EQ(bits(*value), bits(expected)) << text << ": " << *value << " instead of " << expected;
}

/// Numbers as programs print them, in five forms.
std::string random_number(std::mt19937_64& random, int form) {
    const double any = std::bit_cast<double>(random());
    const std::uint64_t digits = random();
    const auto some = [&] {
        const std::uint64_t number = random();
        return number >> (random() % 64);
    };
    switch (form) {
        case 0:
            return fmt::format("{:.{}f}", std::remainder(any, 1000.0), digits % 10);
        case 1:
            return fmt::format("{:.17g}", any);
        case 2:
            return fmt::format("{:.{}e}", any, digits % 25);
        case 3:
            return fmt::format("{}.{}", digits >> (digits % 64), some());
        default:
            return fmt::format("{}", static_cast<std::int64_t>(some()) - 5000);
    }
}

TEST(ParseNumber, AMillionRandomNumbersLikeStrtod) {
    std::mt19937_64 random(1);
    for (int i = 0; i < 1000000 && !testing::Test::HasFailure(); ++i) {
        const std::string text = random_number(random, i % 5);
        if (!std::isfinite(std::strtod(text.c_str(), nullptr))) continue;
        expect_like_strtod(text);
    }
}

TEST(ParseNumber, HardCases) {
    for (const char* text : {"0",
                             "-0",
                             "0.0",
                             "-0.000",
                             ".5",
                             "5.",
                             "-.5",
                             "1e5",
                             "1E+5",
                             "1e-5",
                             "00012.50",
                             "9007199254740993",
                             "9007199254740992.5",
                             "9007199254740991",
                             "0.1",
                             "0.3",
                             "123456789012345678",
                             "1234567890123456789",
                             "12345678901234567890",
                             "1e22",
                             "1e23",
                             "8.5e22",
                             "2.2250738585072011e-308",
                             "2.2250738585072014e-308",
                             "4.9e-324",
                             "2.4703282292062327e-324",
                             "2.4703282292062328e-324",
                             "1.7976931348623157e308",
                             "1.7976931348623159e308",
                             "1e309",
                             "-1e400",
                             "1e-400",
                             "-1e-400",
                             "1e99999999999999999999",
                             "1e-99999999999999999999",
                             "0e999",
                             "0.000000000000000000000000000000000000001",
                             "179769313486231580793e289",
                             "6929495644600919.5",
                             "3.141592653589793238462643383279502884197",
                             "5e-324",
                             "99999999999999974834176",
                             "100000000000000000000001",
                             "0.500000000000000166533453693773481063544750213623046875",
                             "7.2057594037927933e16",
                             "9214843084008499",
                             "1e1",
                             "10000000",
                             "99999999",
                             "1234567.12345678",
                             "12345678.5"}) {
        expect_like_strtod(text);
    }
    expect_like_strtod("0." + std::string(400, '0') + "1");
    expect_like_strtod(std::string(400, '9'));
    expect_like_strtod(std::string(400, '9') + "e-390");
    expect_like_strtod("-" + std::string(400, '9') + "e-100");
    expect_like_strtod("0." + std::string(400, '0') + "1e395");
}

TEST(ParseNumber, PlusNanAndInfinity) {
    for (const auto& [text, expected] : {std::pair{"+1.5", 1.5}, {"+.5", 0.5}, {"+1e3", 1000.0}}) {
        std::string_view rest = text;
        EXPECT_EQ(parse_number(rest), expected);
        EXPECT_TRUE(rest.empty());
    }
    for (const char* text : {"nan", "NaN", "-nan", "NAN", "nan(ind)"}) {
        double value = 0;
        ASSERT_TRUE(parse_exact(text, value)) << text;
        EXPECT_TRUE(std::isnan(value));
    }
    for (const char* text : {"inf", "-INF", "Infinity"}) {
        double value = 0;
        ASSERT_TRUE(parse_exact(text, value)) << text;
        EXPECT_TRUE(std::isinf(value));
    }
}

TEST(ParseNumber, RefusesWhatIsNoNumber) {
    for (const char* text : {"", "-", "+", ".", "-.", "e5", "abc", "+-5", "--5", "++5", "0x", " 1", "1.#QNAN",
                             "1e", "1.2.3", "1,5"}) {
        double value = 7;
        EXPECT_FALSE(parse_exact(text, value)) << text;
        EXPECT_EQ(value, 7) << text;
    }
    std::string_view rest = "x1";
    EXPECT_FALSE(parse_number(rest).has_value());
    EXPECT_EQ(rest, "x1");
    rest = "12abc";
    EXPECT_EQ(parse_number(rest), 12.0);
    EXPECT_EQ(rest, "abc");
}

TEST(ParseNumber, WholeIntegers) {
    std::int64_t value = 0;
    EXPECT_TRUE(parse_exact("-12", value));
    EXPECT_EQ(value, -12);
    for (const char* text : {"", "1.5", "12 ", "99999999999999999999", "a"})
        EXPECT_FALSE(parse_exact(text, value)) << text;
}

TEST(Text, CaseAndTrim) {
    EXPECT_TRUE(equal_ignoring_case("OffSet", "OFFSET"));
    EXPECT_FALSE(equal_ignoring_case("OFFSET", "OFFSETS"));
    EXPECT_EQ(to_lower("AbC-1\xC3\x84"), "abc-1\xC3\x84");
    EXPECT_EQ(trim(" \t a b \r\n\v\f"), "a b");
    EXPECT_EQ(trim(" \n"), "");
}

TEST(TextCursor, WordsOverLines) {
    TextCursor cursor("  one\t two\r\n\f three ", "f.txt");
    EXPECT_EQ(cursor.peek(), "one");
    EXPECT_EQ(cursor.word(), "one");
    EXPECT_EQ(cursor.word(), "two");
    EXPECT_EQ(cursor.word_on_line(), "");
    EXPECT_EQ(cursor.word(), "three");
    EXPECT_EQ(cursor.word(), "");
    EXPECT_TRUE(cursor.at_end());
}

TEST(TextCursor, LinesOfEveryKind) {
    TextCursor cursor("a b \n c\r\nd\re", "f.txt");
    EXPECT_EQ(cursor.line(), 1u);
    EXPECT_EQ(cursor.rest_of_line(), "a b");
    EXPECT_EQ(cursor.location(), "f.txt:2");
    EXPECT_EQ(cursor.rest_of_line(), "c");
    EXPECT_EQ(cursor.location(), "f.txt:3");
    EXPECT_EQ(cursor.rest_of_line(), "d");
    EXPECT_EQ(cursor.location(), "f.txt:4");
    EXPECT_EQ(cursor.rest_of_line(), "e");
    EXPECT_TRUE(cursor.at_end());
    EXPECT_EQ(cursor.rest_of_line(), "");
}

TEST(TextCursor, NumbersAndErrors) {
    TextCursor cursor("1.5\n-2 x 3y", "f.txt");
    EXPECT_EQ(cursor.number("width"), 1.5);
    EXPECT_EQ(cursor.number("width"), -2);
    EXPECT_FALSE(cursor.try_number().has_value());
    const auto message = [&](std::string_view what) {
        try {
            cursor.number(what);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("no error");
    };
    EXPECT_EQ(message("width"), "f.txt:2: expected width, found \"x\"");
    EXPECT_EQ(cursor.word(), "x");
    EXPECT_EQ(message("height"), "f.txt:2: expected height, found \"3y\"");
    cursor.word();
    EXPECT_EQ(message("depth"), "f.txt:2: expected depth, but the file ends here");
}

TEST(TextCursor, SeekAndRemaining) {
    TextCursor cursor("ab cd", "f");
    cursor.word();
    const std::size_t kept = cursor.position();
    EXPECT_EQ(cursor.remaining(), " cd");
    cursor.word();
    cursor.seek(kept);
    cursor.advance(1);
    EXPECT_EQ(cursor.word(), "cd");
}

std::string utf16(std::u16string_view text, bool little) {
    std::string bytes = little ? "\xFF\xFE" : "\xFE\xFF";
    for (const char16_t unit : text) {
        const char low = static_cast<char>(unit & 0xFF), high = static_cast<char>(unit >> 8);
        bytes += little ? std::string{low, high} : std::string{high, low};
    }
    return bytes;
}

TEST(Utf8, MarksAndConversion) {
    std::string storage;
    EXPECT_EQ(as_utf8("plain", storage), "plain");
    EXPECT_EQ(as_utf8("\xEF\xBB\xBFmarked", storage), "marked");
    EXPECT_EQ(as_utf8("", storage), "");
    for (const bool little : {true, false}) {
        EXPECT_EQ(as_utf8(utf16(u"aé€\U0001F600z", little), storage), "aé€\U0001F600z");
        EXPECT_EQ(as_utf8(utf16(u"", little), storage), "");
    }
}

TEST(Utf8, BrokenPairsAreReplaced) {
    std::string storage;
    const char16_t lone_high[] = {'a', 0xD83D, 'b', 0};
    const char16_t lone_low[] = {'a', 0xDE00, 'b', 0};
    const char16_t at_end[] = {'a', 0xD83D, 0};
    EXPECT_EQ(as_utf8(utf16(lone_high, true), storage), "a\uFFFDb");
    EXPECT_EQ(as_utf8(utf16(lone_low, false), storage), "a\uFFFDb");
    EXPECT_EQ(as_utf8(utf16(at_end, true), storage), "a\uFFFD");
    // An odd byte at the end belongs to nothing.
    EXPECT_EQ(as_utf8(utf16(u"ab", true) + "c", storage), "ab");
}

}  // namespace
}  // namespace sinew
