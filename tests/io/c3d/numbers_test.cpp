// SPDX-License-Identifier: MIT
#include "sinew/io/c3d/numbers.h"

#include <array>
#include <cmath>
#include <vector>

#include "io/c3d/support.h"
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace sinew::io::c3d {
namespace c3d_numbers_test {

float real_of(Processor processor, std::array<int, 4> bytes) {
    std::byte raw[4];
    for (std::size_t i = 0; i < 4; ++i) raw[i] = static_cast<std::byte>(bytes[i]);
    return read_real(processor, raw);
}

constexpr Processor processors[] = {Processor::intel, Processor::dec, Processor::mips};

// Test 18 of the specification.
TEST(C3dNumbers, DecRealsAreThoseOfTheSpecification) {
    EXPECT_EQ(real_of(Processor::dec, {0x80, 0x40, 0x00, 0x00}), 1.0f);
    EXPECT_EQ(real_of(Processor::dec, {0x48, 0x43, 0x00, 0x00}), 50.0f);
    EXPECT_EQ(real_of(Processor::dec, {0xCC, 0xBE, 0xCD, 0xCC}), -0.1f);
    EXPECT_EQ(real_of(Processor::dec, {0x00, 0xC0, 0x00, 0x00}), -0.5f);
    EXPECT_EQ(real_of(Processor::dec, {0xF0, 0x43, 0x00, 0x00}), 120.0f);
    EXPECT_EQ(real_of(Processor::intel, {0x00, 0x00, 0x80, 0x3F}), 1.0f);
    EXPECT_EQ(real_of(Processor::mips, {0x3F, 0x80, 0x00, 0x00}), 1.0f);
}

TEST(C3dNumbers, DecRealsAtTheEndsOfTheirRange) {
    EXPECT_EQ(real_of(Processor::dec, {0x00, 0x00, 0x34, 0x12}), 0.0f);          // exponent 0: dirty zero
    EXPECT_TRUE(std::isnan(real_of(Processor::dec, {0x00, 0x80, 0x00, 0x00})));  // reserved operand
    EXPECT_EQ(real_of(Processor::dec, {0x80, 0x7F, 0x00, 0x00}), 0x1p126f);      // exponent 255 is a number
    EXPECT_EQ(real_of(Processor::dec, {0xFF, 0x7F, 0xFF, 0xFF}), 0x1.fffffep126f);
    EXPECT_EQ(real_of(Processor::dec, {0x80, 0x00, 0x00, 0x00}), 0x1p-128f);  // exponent 1: subnormal in IEEE
    EXPECT_EQ(real_of(Processor::dec, {0x00, 0x81, 0x00, 0x00}), -0x1p-127f);
    EXPECT_EQ(to_vax(0x1p-129f), 0u);
    EXPECT_TRUE(std::isnan(from_vax(to_vax(std::nanf("")))));
}

TEST(C3dNumbers, WordsAndRealsReadBackAsWritten) {
    for (const Processor processor : processors) {
        std::byte raw[4];
        for (int value = 0; value < 65536; value += 251) {
            write_word(processor, static_cast<std::uint16_t>(value), raw);
            EXPECT_EQ(read_word(processor, raw), value);
        }
        for (const float value :
             {0.0f, 1.0f, -0.1f, 3.4e-30f, -1.7e38f, 0x1p-126f, 0x1.8p-127f, 12345.678f}) {
            write_real(processor, value, raw);
            EXPECT_EQ(read_real(processor, raw), value);
        }
    }
}

RC_GTEST_PROP(C3dNumbersProperty, RealsAgreeWithTheirDefinition, (int mantissa, int exponent)) {
    const double value = std::ldexp(static_cast<float>(mantissa), exponent % 60);
    if (std::abs(value) >= 0x1p100) return;
    for (const Processor processor : processors) {
        test::C3dBytes bytes(static_cast<int>(processor));
        bytes.real(value);
        RC_ASSERT(read_real(processor, reinterpret_cast<const std::byte*>(bytes.bytes.data())) ==
                  static_cast<float>(value));
        std::byte written[4];
        write_real(processor, static_cast<float>(value), written);
        RC_ASSERT(std::equal(written, written + 4, reinterpret_cast<const std::byte*>(bytes.bytes.data())));
    }
}

TEST(C3dNumbers, RunsAreTheirNumbersOneByOne) {
    std::vector<std::byte> raw(4 * 101);
    for (std::size_t i = 0; i < raw.size(); ++i) raw[i] = static_cast<std::byte>(i * 167 + i / 7);
    for (const Processor processor : processors) {
        for (const Storage storage : {Storage::signed_words, Storage::unsigned_words, Storage::reals}) {
            std::vector<float> run(101);
            decode_run(processor, storage, raw.data(), run.size(), run.data());
            for (std::size_t i = 0; i < run.size(); ++i) {
                const std::uint16_t word = read_word(processor, raw.data() + 2 * i);
                const float one = storage == Storage::reals ? read_real(processor, raw.data() + 4 * i)
                                  : storage == Storage::unsigned_words
                                      ? static_cast<float>(word)
                                      : static_cast<float>(static_cast<std::int16_t>(word));
                EXPECT_TRUE(run[i] == one || (std::isnan(run[i]) && std::isnan(one))) << i;
            }
        }
    }
}

}  // namespace c3d_numbers_test
}  // namespace sinew::io::c3d
