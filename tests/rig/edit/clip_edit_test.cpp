// SPDX-License-Identifier: MIT
#include "support/samples.h"
#include <gtest/gtest.h>

#include "sinew/model/character.h"
#include "sinew/rig/edit/skeleton_edit.h"

namespace sinew::rig {
namespace {

TEST(ClipEdit, ALongerArmStaysLongerWhileItPlays) {
    const model::Character man = test::sample("man");
    const int hand = man.skeleton.find("LeftHand");
    ASSERT_GE(hand, 0);
    const auto rest = model::joint_positions(model::rest_world_matrices(man.skeleton));
    const int elbow = man.skeleton.joints[static_cast<std::size_t>(hand)].parent;
    const Vec3d along = rest[static_cast<std::size_t>(hand)] - rest[static_cast<std::size_t>(elbow)];
    const model::Skeleton longer =
        move_joint(man.skeleton, hand, rest[static_cast<std::size_t>(hand)] + 0.3 * along);
    const model::Clip& walk = man.clips.front();
    // A file may give every joint keys of its place, which would put the old length back.
    model::Clip placed = walk;
    for (model::Track& track : placed.tracks) {
        if (!track.translation.empty()) continue;
        track.translation.times = model::KeyTimes::even(0, 1, 1);
        track.translation.values = {
            man.skeleton.joints[static_cast<std::size_t>(track.joint)].rest.translation.cast<float>()};
    }
    const model::Clip fitted = adapted_clip(placed, man.skeleton, longer);
    for (const double time : {0.0, 0.3, 0.7}) {
        const auto local = model::sample(fitted, longer, time);
        const auto world = model::joint_positions(model::world_matrices(longer, local));
        const double length =
            (world[static_cast<std::size_t>(hand)] - world[static_cast<std::size_t>(elbow)]).norm();
        EXPECT_NEAR(length, 1.3 * along.norm(), 1e-5);
        const auto old = model::sample(walk, man.skeleton, time);
        for (std::size_t j = 0; j < local.size(); ++j)
            EXPECT_LT(local[j].rotation.angularDistance(old[j].rotation), 1e-5) << "the file's rotations";
        const auto before = model::joint_positions(model::world_matrices(man.skeleton, old));
        EXPECT_LT((world[0] - before[0]).norm(), 1e-6) << "the root travels as before";
    }
}

TEST(ClipEdit, JointsThatAreGoneAreLeftOutAndOthersFoundByName) {
    const model::Character man = test::sample("man");
    const model::Skeleton fewer = delete_joint(man.skeleton, man.skeleton.find("Neck"));
    const model::Clip fitted = adapted_clip(man.clips.front(), man.skeleton, fewer);
    EXPECT_LT(fitted.tracks.size(), man.clips.front().tracks.size());
    for (const model::Track& track : fitted.tracks) EXPECT_LT(track.joint, static_cast<int>(fewer.size()));
    model::Character character = man;
    character.skeleton = fewer;
    character.skin = {};
    character.clips = {fitted};
    EXPECT_NO_THROW(model::validate(character, "test"));
}

}  // namespace
}  // namespace sinew::rig
