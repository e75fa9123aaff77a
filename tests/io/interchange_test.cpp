// SPDX-License-Identifier: MIT
#include "sinew/io/interchange.h"

#include <cstring>

#include <gtest/gtest.h>

#include "sinew/base/error.h"

namespace sinew::io {
namespace npy_test {

TEST(Npy, IsWhatNumpyWrites) {
    const NumberArray array{{2, 3}, {0, 1, 2, 3, 4, 5}};
    const std::string bytes = encode_npy(array);
    // numpy.save of arange(6, dtype='<f4').reshape(2, 3): a header of 128 bytes, then the numbers.
    ASSERT_EQ(bytes.size(), 128u + 24);
    EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
    EXPECT_EQ(bytes[8], 118);
    EXPECT_EQ(bytes[9], 0);
    EXPECT_TRUE(bytes.substr(10).starts_with("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), } "));
    EXPECT_EQ(bytes[127], '\n');
    float last = 0;
    std::memcpy(&last, bytes.data() + bytes.size() - 4, 4);
    EXPECT_EQ(last, 5);
}

TEST(Npy, OneAxisAndEmptyArrays) {
    EXPECT_NE(encode_npy({{2}, {1, 2}}).find("'shape': (2,), }"), std::string::npos);
    EXPECT_EQ(encode_npy({{0, 12}, {}}).size() % 64, 0u);
    EXPECT_EQ(encode_npy({{3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {1, 2, 3}}).size() % 64, 12u);
}

TEST(Npy, RefusesAShapeThatDoesNotFit) {
    EXPECT_THROW(encode_npy({{2, 3}, {1}}), Error);
    EXPECT_THROW(encode_npy({{1ULL << 40, 1ULL << 40}, {1}}), Error);
    EXPECT_THROW(encode_csv({{2}, {1, 2}}, "a", "b"), Error);
}

TEST(Npy, TablesNameTheirPlaces) {
    EXPECT_EQ(encode_csv({{2, 2, 1}, {1, 0.1f, -3, 4e-9f}}, "frame", "joint"),
              "frame,joint,v0\n0,0,1\n0,1,0.1\n1,0,-3\n1,1,4e-09\n");
}

TEST(Base64, ReadsBackAndRefusesOtherCharacters) {
    EXPECT_EQ(encode_base64(as_bytes("sinew")), "c2luZXc=");
    const auto bytes = decode_base64("c2luZXc");
    ASSERT_TRUE(bytes);
    EXPECT_EQ(as_text(*bytes), "sinew");
    EXPECT_FALSE(decode_base64("c2lu*"));
}

}  // namespace npy_test
}  // namespace sinew::io
