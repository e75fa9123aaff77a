// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "sinew/io/bvh/bvh.h"

namespace sinew::io {
namespace bvh_convention_test {

using math::Vec3d;

/// A root with OFFSET (1 10 0) and a joint with OFFSET (0 4 0), both with positions; three frames.
Vec3d last_position(std::string_view rows, std::size_t joint, PositionConvention convention,
                    std::string* codes = nullptr) {
    const std::string text =
        "HIERARCHY\nROOT a\n{\nOFFSET 1 10 0\nCHANNELS 3 Xposition Yposition Zposition\n"
        "JOINT b\n{\nOFFSET 0 4 0\nCHANNELS 3 Xposition Yposition Zposition\n}\n}\n"
        "MOTION\nFrames: 3\nFrame Time: 0.5\n" +
        std::string(rows);
    Collector collector;
    ReadOptions options;
    options.convention = convention;
    const Asset asset = read_bvh(as_bytes(text), "test.bvh", options, collector);
    if (codes != nullptr) *codes = collector.warnings().empty() ? "" : collector.warnings()[0].code;
    const auto pose = model::sample(asset.character.clips.at(0), asset.character.skeleton, 1.0);
    return pose[joint].translation;
}

constexpr auto automatic = PositionConvention::automatic;

TEST(BvhConvention, RootNearItsOffsetIsReplaced) {
    std::string codes;
    EXPECT_EQ(last_position("5 9 0 0 4 0\n5 9 0 0 4 0\n6 11 2 0 4 0\n", 0, automatic, &codes),
              Vec3d(6, 11, 2));
    EXPECT_EQ(codes, "bvh-position-convention");
}

TEST(BvhConvention, RootFarFromItsOffsetIsAdded) {
    std::string codes;
    EXPECT_EQ(last_position("5 0 0 0 4 0\n5 -1 0 0 4 0\n6 1 2 0 4 0\n", 0, automatic, &codes),
              Vec3d(7, 11, 2));
    EXPECT_EQ(codes, "");
    EXPECT_EQ(last_position("5 16 0 0 4 0\n5 16 0 0 4 0\n6 16 2 0 4 0\n", 0, automatic), Vec3d(7, 26, 2));
}

TEST(BvhConvention, JointThatStartsAtItsOffsetIsReplaced) {
    std::string codes;
    EXPECT_EQ(last_position("0 0 0 0 4.1 0\n0 0 0 0 4 0\n0 0 0 1 2 3\n", 1, automatic, &codes),
              Vec3d(1, 2, 3));
    EXPECT_EQ(codes, "");
}

TEST(BvhConvention, JointThatStartsNearZeroIsAdded) {
    std::string codes;
    EXPECT_EQ(last_position("0 0 0 0 0.5 0\n0 0 0 0 0 0\n0 0 0 1 2 3\n", 1, automatic, &codes),
              Vec3d(1, 6, 3));
    EXPECT_EQ(codes, "bvh-position-convention");
}

TEST(BvhConvention, JointThatStartsElsewhereIsReplacedWithAWarning) {
    std::string codes;
    EXPECT_EQ(last_position("0 0 0 0 2 0\n0 0 0 0 0 0\n0 0 0 1 2 3\n", 1, automatic, &codes), Vec3d(1, 2, 3));
    EXPECT_EQ(codes, "bvh-position-convention");
}

TEST(BvhConvention, OptionOverridesAllJoints) {
    const std::string_view rows = "5 9 0 0 4 0\n5 9 0 0 4 0\n6 11 2 1 2 3\n";
    std::string codes;
    EXPECT_EQ(last_position(rows, 0, PositionConvention::add, &codes), Vec3d(7, 21, 2));
    EXPECT_EQ(codes, "");
    EXPECT_EQ(last_position(rows, 1, PositionConvention::add), Vec3d(1, 6, 3));
    EXPECT_EQ(last_position(rows, 0, PositionConvention::replace), Vec3d(6, 11, 2));
    EXPECT_EQ(last_position(rows, 1, PositionConvention::replace), Vec3d(1, 2, 3));
}

}  // namespace bvh_convention_test
}  // namespace sinew::io
