// SPDX-License-Identifier: MIT
#include "support/data.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/io/rig/rig_formats.h"

namespace sinew::io {
namespace tgf_test {

Asset read_text(std::string_view text, Monitor& monitor = silent()) {
    return read_tgf(as_bytes(text), "test.tgf", {}, monitor);
}

TEST(Tgf, PointsAndEdgesBecomeASkeleton) {
    const Asset asset = read_text("7 0 0 0 extra 1\n3 0 2 0\n5 1 2 0\n#\n7 3 1 0 0\n3 5\n#\n7 5\n");
    const model::Skeleton& skeleton = asset.character.skeleton;
    ASSERT_EQ(skeleton.size(), 3u);
    EXPECT_EQ(skeleton.joints[0].name, "joint_7");
    EXPECT_EQ(skeleton.joints[2].parent, skeleton.find("joint_3"));
    EXPECT_EQ(skeleton.joints[2].rest.translation, math::Vec3d(1, 0, 0));
}

TEST(Tgf, EdgesMayRunTheOtherWayAndLoopsAreDropped) {
    Collector collector;
    const Asset asset = read_text("1 0 0 0\n2 1 0 0\n3 2 0 0\n#\n1 2\n3 2\n1 3\n", collector);
    EXPECT_EQ(asset.character.skeleton.size(), 3u);
    EXPECT_TRUE(collector.has("tgf-loop"));
}

TEST(Tgf, BadFilesSayWhereAndWhy) {
    for (const std::string_view text :
         {"", "#\n", "1 0 0\n", "1 0 0 x\n", "1 0 0 0\n1 0 0 0\n", "1 0 0 0\n#\n1 2\n", "1.5 0 0 0\n",
          "1e300 0 0 0\n", "1 nan 0 0\n", "1 0 0 0\n#\n1\n"}) {
        EXPECT_THROW(read_text(text), Error) << text;
    }
}

TEST(Tgf, RealSkeletonsRoundTrip) {
    SINEW_NEEDS_DATA();
    for (const auto& [file, joints] : {std::pair{"mesh/arm.tgf", 5u}, std::pair{"mesh/elephant.tgf", 25u}}) {
        const Asset asset = read(test::data(file));
        ASSERT_EQ(asset.character.skeleton.size(), joints) << file;
        const Asset back = read_text(write_tgf(asset, "back.tgf", {}, silent()));
        const auto before = model::joint_positions(model::rest_world_matrices(asset.character.skeleton));
        const auto after = model::joint_positions(model::rest_world_matrices(back.character.skeleton));
        ASSERT_EQ(before.size(), after.size());
        for (std::size_t j = 0; j < before.size(); ++j) EXPECT_LT((before[j] - after[j]).norm(), 1e-9);
    }
}

}  // namespace tgf_test
}  // namespace sinew::io
