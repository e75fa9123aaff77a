// SPDX-License-Identifier: MIT
#include "bench/study/artifact_scenes.h"

#include <set>

#include <gtest/gtest.h>

#include "sinew/base/error.h"

namespace sinew::bench {
namespace {

TEST(Artifacts, EverySceneIsACharacterWithOneClip) {
    std::set<std::string> names;
    for (const ArtifactScene& scene : artifact_scenes()) {
        EXPECT_TRUE(names.insert(scene.name).second) << scene.name;
        EXPECT_FALSE(scene.what.empty());
        validate(scene.character, scene.name);
        ASSERT_EQ(scene.character.clips.size(), 1u);
        const model::TimeRange range = model::time_range(scene.character.clips[0]);
        EXPECT_LE(range.start, scene.time_before) << scene.name;
        EXPECT_GE(range.end, scene.time) << scene.name;
        EXPECT_EQ(scene.character.mesh.colors.size(), scene.character.mesh.vertex_count());
    }
    EXPECT_EQ(names.size(), 6u);
    EXPECT_EQ(artifact_scene("flip").name, "flip");
    EXPECT_THROW(artifact_scene("nothing"), Error);
}

TEST(Artifacts, TheMiddleOfTheTwistedChainFollowsAllJointsAlike) {
    const ArtifactScene scene = artifact_scene("long-way");
    std::size_t found = 0;
    for (std::size_t v = 0; v < scene.character.mesh.vertex_count(); ++v) {
        if (std::abs(scene.character.mesh.positions[v].y() - 0.5f) > 1e-6f) continue;
        ++found;
        ASSERT_EQ(scene.character.skin.of(v).size(), 3u);
        for (const model::Influence& influence : scene.character.skin.of(v))
            EXPECT_NEAR(influence.weight, 1.0 / 3, 1e-6);
    }
    EXPECT_EQ(found, 48u);
}

TEST(Artifacts, TheGuestLeavesTheClothInItsMiddle) {
    const ArtifactScene scene = artifact_scene("set-jump");
    for (std::size_t v = 0; v < scene.character.mesh.vertex_count(); ++v) {
        const float x = scene.character.mesh.positions[v].x();
        const bool guest = scene.character.skin.of(v).back().joint == 2;
        EXPECT_TRUE(std::abs(x - 0.5f) < 0.009f || guest == (x < 0.5f)) << x;
    }
}

}  // namespace
}  // namespace sinew::bench
