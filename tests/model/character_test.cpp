// SPDX-License-Identifier: MIT
#include "sinew/model/character.h"

#include <limits>

#include "support/shapes.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"

namespace sinew::model {
namespace {

Character boxed() {
    Character c;
    c.name = "box";
    c.mesh = test::cube();
    c.skeleton.joints = {{"root", -1, {}, {}},
                         {"tip", 0, {Vec3d(0, 1, 0), Quatd::Identity(), Vec3d::Ones()}, {}}};
    c.skin.joints = bind_at_rest(c.skeleton);
    for (int v = 0; v < 8; ++v) c.skin.push_vertex(std::vector<Influence>{{0, 0.5f}, {1, 0.5f}});
    for (const char* name : {"walk", "run", "1"}) {
        Clip clip;
        clip.name = name;
        Track track;
        track.translation = {KeyTimes::even(0, 1, 2), {{0, 0, 0}, {2, 0, 0}}, Interpolation::linear};
        clip.tracks = {track};
        c.clips.push_back(clip);
    }
    return c;
}

TEST(Character, ValidateChecksThatTheParts) {
    EXPECT_NO_THROW(validate(boxed(), "c"));
    EXPECT_NO_THROW(validate(Character{}, "c"));
    const auto refuses = [](auto&& damage) {
        Character c = boxed();
        damage(c);
        try {
            validate(c, "c.glb");
        } catch (const Error& error) {
            return error.location() == "c.glb";
        }
        return false;
    };
    EXPECT_TRUE(refuses([](Character& c) { c.mesh.triangles[0][0] = 99; }));
    EXPECT_TRUE(refuses([](Character& c) { c.mesh.positions.emplace_back(0.0f, 0.0f, 0.0f); }));
    EXPECT_TRUE(refuses([](Character& c) { c.skeleton.joints[1].parent = 1; }));
    EXPECT_TRUE(refuses([](Character& c) { c.skeleton.joints.pop_back(); }));
    EXPECT_TRUE(refuses([](Character& c) { c.skin.influences[0].weight = 0.9f; }));
    EXPECT_TRUE(refuses([](Character& c) { c.clips[1].tracks[0].joint = 2; }));
    EXPECT_TRUE(refuses([](Character& c) { c.clips[1].morph_tracks.push_back({0, {}}); }));
}

TEST(Character, WorldMatricesOfRestAndClip) {
    const Character c = boxed();
    EXPECT_EQ(world_matrices(c, nullptr, 5)[1](1, 3), 1);
    EXPECT_NEAR(world_matrices(c, &c.clips[0], 0.5)[1](0, 3), 1, 1e-12);
}

TEST(Character, FindClip) {
    const Character c = boxed();
    EXPECT_EQ(find_clip(c, ""), &c.clips[0]);
    EXPECT_EQ(find_clip(c, "run"), &c.clips[1]);
    EXPECT_EQ(find_clip(c, "RUN"), &c.clips[1]);
    EXPECT_EQ(find_clip(c, "0"), &c.clips[0]);
    EXPECT_EQ(find_clip(c, "2"), &c.clips[2]);
    EXPECT_EQ(find_clip(c, "1"), &c.clips[2]);  // a name wins over a number
    EXPECT_EQ(find_clip(Character{}, ""), nullptr);
    for (const char* wrong : {"3", "-1", "jump", "99999999999999999999"}) {
        try {
            find_clip(c, wrong);
            ADD_FAILURE() << wrong;
        } catch (const Error& error) {
            EXPECT_NE(error.reason().find("walk"), std::string::npos);
        }
    }
    EXPECT_THROW(find_clip(Character{}, "walk"), Error);
}

TEST(MeshSequence, ValidateNamesTheFrame) {
    MeshSequence sequence{test::cube(), 30, {test::cube().positions, test::cube().positions}};
    EXPECT_NO_THROW(validate(sequence, "s"));
    sequence.frames[1][2].x() = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THROW(validate(sequence, "s"), Error);
    sequence.frames[1].pop_back();
    try {
        validate(sequence, "s");
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_NE(error.reason().find("frame 1"), std::string::npos);
    }
}

}  // namespace
}  // namespace sinew::model
