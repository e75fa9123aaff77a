// SPDX-License-Identifier: MIT
#include "sinew/io/text/scan.h"

#include <cmath>
#include <cstdlib>
#include <limits>

#include "support/random.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace sinew::io {
namespace scan_test {

float scanned(std::string_view text) {
    float value = -12345;
    const char* const behind = scan_float(text.data(), text.data() + text.size(), value);
    EXPECT_EQ(behind, text.data() + text.size()) << text;
    return value;
}

TEST(Scan, FloatsOfEveryForm) {
    EXPECT_EQ(scanned("0"), 0.0f);
    EXPECT_TRUE(std::signbit(scanned("-0")));
    EXPECT_EQ(scanned("+1.5"), 1.5f);
    EXPECT_EQ(scanned(".25"), 0.25f);
    EXPECT_EQ(scanned("3."), 3.0f);
    EXPECT_EQ(scanned("1e3"), 1000.0f);
    EXPECT_EQ(scanned("-1.25E-2"), -0.0125f);
    EXPECT_EQ(scanned("123456789012345678901234567890"), 123456789012345678901234567890.0f);
    EXPECT_EQ(scanned("1e-45"), std::numeric_limits<float>::denorm_min());
    EXPECT_EQ(scanned("1e-400"), 0.0f);
    EXPECT_TRUE(std::isinf(scanned("1e60")));
    EXPECT_TRUE(std::isnan(scanned("nan")));
    float value = 0;
    for (const std::string_view bad : {"", "-", ".", "e5", "x", "/"}) {
        EXPECT_EQ(scan_float(bad.data(), bad.data() + bad.size(), value), nullptr) << bad;
    }
}

TEST(Scan, FloatsAreRoundedAsStrtofDoes) {
    test::Random random(7);
    for (int i = 0; i < 200000; ++i) {
        const double number = random.uniform(-1, 1) * std::pow(10.0, random.integer(-12, 12));
        const int digits = random.integer(0, 20);
        const std::string text =
            i % 3 == 0 ? fmt::format("{:.{}e}", number, digits) : fmt::format("{:.{}f}", number, digits);
        ASSERT_EQ(scanned(text), std::strtof(text.c_str(), nullptr)) << text;
    }
}

TEST(Scan, DecimalsNearMidpointsOfFloatsAreRoundedOnce) {
    test::Random random(8);
    for (int i = 0; i < 20000; ++i) {
        const auto a = static_cast<float>(random.uniform(1, 1000));
        const double middle = (static_cast<double>(a) + static_cast<double>(std::nextafter(a, 2000.0f))) / 2;
        for (const double number : {middle, std::nextafter(middle, 0.0), std::nextafter(middle, 2000.0)}) {
            const std::string text = fmt::format("{:.17g}", number);
            ASSERT_EQ(scanned(text), std::strtof(text.c_str(), nullptr)) << text;
        }
    }
}

TEST(Scan, ShortestFloatsAreReadBackExactly) {
    test::Random random(9);
    for (int i = 0; i < 100000; ++i) {
        const auto bits = static_cast<std::uint32_t>(random.integer(0, 0x7F7FFFFF));
        const auto number = std::bit_cast<float>(bits);
        ASSERT_EQ(scanned(fmt::format("{}", number)), number);
    }
}

TEST(Scan, DoublesAreRoundedAsStrtodDoes) {
    test::Random random(10);
    for (int i = 0; i < 50000; ++i) {
        const std::string text = fmt::format("{:.{}f}", random.uniform(-10, 10), random.integer(0, 20));
        double value = 0;
        ASSERT_NE(scan_double(text.data(), text.data() + text.size(), value), nullptr);
        ASSERT_EQ(value, std::strtod(text.c_str(), nullptr)) << text;
    }
}

TEST(Scan, PlacesCountLinesOfEveryKind) {
    EXPECT_EQ(location_at("a\nb\nc", 4, "f"), "f:3");
    EXPECT_EQ(location_at("a\r\nb\r\nc", 6, "f"), "f:3");
    EXPECT_EQ(location_at("a\rb\rc", 4, "f"), "f:3");
}

}  // namespace scan_test
}  // namespace sinew::io
