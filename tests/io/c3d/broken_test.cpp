// SPDX-License-Identifier: MIT
// Damaged C3D files: an Error or a trial that is valid, whatever happens to the bytes.

#include <chrono>

#include "io/c3d/support.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"

namespace sinew::io {
namespace c3d_broken_test {

std::string small_file(int processor, double scale) {
    test::C3dBuilder b(processor);
    b.points = 2;
    b.scale = scale;
    b.analog_values = 12;
    b.samples = 2;
    b.point_group(4).group(2, "ANALOG").words(2, "USED", {6}).reals(2, "SCALE", {1, 1, 1, 1, 1, 1});
    b.words(2, "OFFSET", {1, 2, 3, 4, 5, 6});
    b.group(3, "EVENT")
        .words(3, "USED", {1})
        .texts(3, "LABELS", {"Foot Off"})
        .reals(3, "TIMES", {0, 0.02}, {2, 1});
    b.group(4, "FORCE_PLATFORM").words(4, "USED", {1}).words(4, "TYPE", {2});
    b.words(4, "CHANNEL", {1, 2, 3, 4, 5, 6}, {6, 1}).reals(4, "ORIGIN", {0, 0, -20}, {3, 1});
    b.reals(4, "CORNERS", {4, 0, 0, 0, 0, 0, 0, 6, 0, 4, 6, 0}, {3, 4, 1});
    b.group(9, "ROTATION").words(9, "USED", {1}).words(9, "DATA_START", {0}).words(9, "RATIO", {1});
    b.events = {{0.01, "RHS ", 0}};
    for (int f = 0; f < 4; ++f) {
        b.point(f, 1, 2, 3).point(f, 4, 5, -1);
        for (int i = 0; i < 12; ++i) b.value(i);
    }
    test::C3dBytes rotations(processor);
    for (int i = 0; i < 4 * 17; ++i) rotations.real(1);
    b.rotations = rotations.bytes;
    return b.build();
}

/// Reads, and writes what was read.
void survive(const std::string& bytes) {
    try {
        const test::C3dResult result = test::read_c3d(bytes);
        if (!result.asset.trial.empty()) write_c3d(result.asset, "again.c3d", {}, silent());
    } catch (const Error& error) {
        EXPECT_FALSE(error.reason().empty());
    }
}

TEST(C3dBroken, EveryByteFlipped) {
    for (const int processor : {84, 85, 86}) {
        const std::string good = small_file(processor, processor == 86 ? -0.1 : 0.1);
        for (std::size_t i = 0; i < good.size(); ++i) {
            for (const int flip : {0xFF, 0x80, 0x01}) {
                std::string bad = good;
                bad[i] = static_cast<char>(bad[i] ^ flip);
                survive(bad);
            }
        }
    }
}

TEST(C3dBroken, CutAnywhere) {
    const std::string good = small_file(84, -0.1);
    ASSERT_TRUE(test::read_c3d(good).warnings.empty()) << test::read_c3d(good).codes();
    for (std::size_t size = 0; size < good.size(); ++size) {
        const std::string cut = good.substr(0, size);
        try {
            const test::C3dResult result = test::read_c3d(cut);
            const bool padding = cut.find_last_not_of('\0') == good.find_last_not_of('\0');
            EXPECT_TRUE(!result.warnings.empty() || padding) << size;
            EXPECT_LE(result.asset.trial.frames, 4u);
        } catch (const Error& error) {
            EXPECT_LT(size, good.size() - 2 * 512) << error.what();  // header and parameters
        }
    }
}

TEST(C3dBroken, CutWithinItsParametersIsAnError) {
    const std::string good = small_file(84, 0.1);
    for (const std::size_t size : {std::size_t{600}, std::size_t{1000}, good.size() - 2 * 512 - 10}) {
        try {
            test::read_c3d(good.substr(0, size));
            ADD_FAILURE() << size;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find("is truncated within its parameters"),
                      std::string::npos);
        }
    }
}

TEST(C3dBroken, WhatIsLeftOfATrialIsSaved) {
    const std::string good = small_file(84, 0.1);
    const std::size_t start = good.size() - 2 * 512;  // one block of data, one of rotations
    const std::size_t frame = (2 * 4 + 12) * 2;
    const test::C3dResult result = test::read_c3d(good.substr(0, start + 2 * frame + 7));
    EXPECT_TRUE(result.has("c3d-truncated"));
    EXPECT_EQ(result.asset.trial.frames, 2u);
    EXPECT_FLOAT_EQ(result.asset.trial.markers.at(1, 0).x(), 0.1f);
    const auto found = std::find_if(result.warnings.begin(), result.warnings.end(),
                                    [](const Warning& w) { return w.code == "c3d-truncated"; });
    EXPECT_NE(found->text.find("byte"), std::string::npos);
}

TEST(C3dBroken, WhatIsNoC3dIsRefused) {
    for (const std::string& bytes :
         {std::string(), std::string(5000, '\0'), std::string("\2Q") + std::string(2000, 'a'),
          std::string("\2\x50 short"), std::string("hello")}) {
        EXPECT_THROW(test::read_c3d(bytes), Error);
    }
}

TEST(C3dBroken, CountsWithoutDataCostNothing) {
    test::C3dBuilder b;
    b.points = 65535;
    b.analog_values = 65535;
    b.samples = 1;
    b.group(1, "POINT").words(1, "USED", {-1}).reals(1, "LONG_FRAMES", {9e8}).reals(1, "SCALE", {1});
    b.group(2, "ANALOG").words(2, "USED", {-1}).group(3, "FORCE_PLATFORM").words(3, "USED", {-1});
    b.group(9, "ROTATION").words(9, "USED", {-1}).words(9, "RATIO", {-1}).words(9, "DATA_START", {3});
    const test::C3dResult result = test::read_c3d(b.build());
    EXPECT_TRUE(result.has("c3d-truncated"));
    EXPECT_EQ(result.asset.trial.frames, 0u);
    EXPECT_TRUE(result.asset.trial.markers.empty());
    EXPECT_TRUE(result.asset.trial.rotations.empty());
}

}  // namespace c3d_broken_test
}  // namespace sinew::io
