// SPDX-License-Identifier: MIT
// Sticks and frames go with the character and stand on the ground.

#include "reference/deform/reference.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/gait/gait.h"
#include "sinew/sample/samples.h"

namespace sinew::gait {
namespace {

using math::Vec3d;

TEST(WalkingAids, ACaneHangsUnderTheHandAndReachesTheGround) {
    model::Character man = sample::make("man");
    const std::size_t vertices = man.mesh.vertex_count(), joints = man.skeleton.size();
    add_walking_aid(man, {AidKind::cane, model::Side::right});
    model::validate(man, "man with a cane");
    ASSERT_EQ(man.skeleton.size(), joints + 1);
    EXPECT_EQ(man.skeleton.joints.back().name, "cane.right");
    ASSERT_GT(man.mesh.vertex_count(), vertices);
    const auto hand = static_cast<std::size_t>(man.skeleton.find("RightHand"));
    const model::Clip& walk = *model::find_clip(man, "walk");
    for (std::size_t f = 0; f < model::frame_count(walk); f += 11) {
        const auto world = model::world_matrices(man, &walk, model::frame_time(walk, f));
        const auto palette = model::palette(man.skin, world);
        double low = 1e9, aside = 0;
        for (std::size_t v = vertices; v < man.mesh.vertex_count(); ++v) {
            const auto entry = man.skin.of(v).front().joint;
            const Vec3d p = math::transform_point(palette[entry], man.mesh.positions[v].cast<double>());
            low = std::min(low, p.y());
            Vec3d from_hand = p - world[hand].topRightCorner<3, 1>();
            from_hand.y() = 0;
            aside = std::max(aside, from_hand.norm());
        }
        EXPECT_NEAR(low, 0, 0.05) << f;  // hands swing up and down by so much
        EXPECT_LT(aside, 0.12) << f;
    }
}

TEST(WalkingAids, AWalkerStandsBeforeTheBody) {
    model::Character man = sample::make("man");
    add_walking_aid(man, {AidKind::walker, model::Side::none});
    model::validate(man, "man with a walker");
    const model::Clip& walk = *model::find_clip(man, "walk");
    const auto hips = static_cast<std::size_t>(man.skeleton.find("Hips"));
    const auto world = model::world_matrices(man, &walk, model::frame_time(walk, 20));
    const Vec3d from_hips = (world.back() - world[hips]).topRightCorner<3, 1>();
    EXPECT_GT(from_hips.z(), 0.2);
    EXPECT_NEAR(world.back()(1, 3), 0, 0.02);
}

TEST(WalkingAids, WordsAndWhatCannotBe) {
    EXPECT_EQ(parse_walking_aids("crutches")->size(), 2u);
    EXPECT_EQ(parse_walking_aids("cane-left")->front().side, model::Side::left);
    EXPECT_FALSE(parse_walking_aids("umbrella"));
    model::Character bare;
    EXPECT_THROW(add_walking_aid(bare, {}), Error);
    model::Character tube = sample::make("tube");
    EXPECT_THROW(add_walking_aid(tube, {AidKind::crutch, model::Side::left}), Error);
}

}  // namespace
}  // namespace sinew::gait
