// SPDX-License-Identifier: MIT
// Fingers of hands that show them.

#include "sinew/rig/templates/fingers.h"

#include "support/samples.h"
#include <gtest/gtest.h>

#include "sinew/model/roles.h"
#include "sinew/rig/skeletonize.h"

namespace sinew::rig {
namespace fingers_test {

using math::Vec3d;

Vec3d position(const model::Skeleton& skeleton, const std::string& joint) {
    const int j = skeleton.find(joint);
    EXPECT_GE(j, 0) << joint;
    return model::joint_positions(model::rest_world_matrices(skeleton))[static_cast<std::size_t>(j)];
}

TEST(Fingers, TheManHasTenInTheirOrder) {
    const SkeletonizeResult result = skeletonize(test::sample("man").mesh);
    ASSERT_EQ(result.kind, "biped");
    EXPECT_EQ(result.skeleton.size(), 22u + 2 * 5 * 3);
    ASSERT_TRUE(result.fit);
    EXPECT_EQ(result.fit->confidence_of.size(), result.skeleton.size());
    for (const std::string side : {"Left", "Right"}) {
        const Vec3d hand = position(result.skeleton, side + "Hand");
        const Vec3d thumb = position(result.skeleton, side + "ThumbDistal");
        double last = 0;
        for (const char* finger : {"Index", "Middle", "Ring", "Little"}) {
            const Vec3d root = position(result.skeleton, side + finger + "Proximal"),
                        end = position(result.skeleton, side + finger + "Distal");
            EXPECT_GT((end - hand).norm(), 1.25 * (root - hand).norm()) << side << finger;
            EXPECT_GT((root - thumb).norm(), last) << side << finger;
            last = (root - thumb).norm();
        }
    }
    const auto roles = model::find_roles(result.skeleton);
    EXPECT_GE(model::find_role(roles, model::Role::index, model::Side::left), 0);
}

TEST(Fingers, AHandIsLeftOrRightByItsThumbAndBeginsAtItsCut) {
    // The template lies with its palm down, a left hand when the thumb goes down, too.
    for (const auto& [height, side] : {std::pair{-0.06, "Left"}, {0.06, "Right"}, {0.0, ""}}) {
        model::Skeleton hand = skeleton_template("hand");
        model::Joint& thumb = hand.joints[static_cast<std::size_t>(hand.find("ThumbDistal"))];
        ASSERT_TRUE(thumb.tip);
        thumb.tip->y() += height;
        std::vector<double> confidence(hand.size(), 1);
        confidence[static_cast<std::size_t>(hand.find("Wrist"))] = 0.5;
        const double cut = position(hand, "Wrist").x() + hand.joints[1].tip->x();
        finish_hand(hand, confidence);
        ASSERT_GE(hand.find(side + std::string("ThumbDistal")), 0);
        EXPECT_EQ(hand.joints[0].name, side + std::string("Hand")) << "the wrist is the root";
        EXPECT_EQ(confidence[0], 0.5);
        EXPECT_NEAR(position(hand, side + std::string("Hand")).x(), cut, 0.02);
        EXPECT_NEAR(position(hand, side + std::string("Palm")).x(), 0.06, 1e-9);
    }
}

TEST(Fingers, NoneOnRequestAndWhereAHandShowsNone) {
    SkeletonizeOptions none;
    none.fingers = false;
    const geometry::Mesh& man = test::sample("man").mesh;
    EXPECT_EQ(skeletonize(man, none).skeleton.size(), 22u);

    // Hands drawn together to stumps have no fingers.
    geometry::Mesh stumps = man;
    const model::Skeleton skeleton = skeletonize(man, none).skeleton;
    for (const char* side : {"LeftHand", "RightHand"}) {
        const Vec3d wrist = position(skeleton, side);
        for (math::Vec3f& p : stumps.positions) {
            const double beyond = std::abs(p.x()) - std::abs(wrist.x());
            if (beyond > 0 && p.x() * wrist.x() > 0)
                p = (wrist + 0.3 * (p.cast<double>() - wrist)).cast<float>();
        }
    }
    EXPECT_EQ(skeletonize(stumps).skeleton.find("LeftIndexProximal"), -1);
}

}  // namespace fingers_test
}  // namespace sinew::rig
