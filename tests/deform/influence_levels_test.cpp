#include "sinew/deform/influence_levels.h"

#include "deform/rig.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"

namespace sinew::deform {
namespace {

// Skinning T32: the bound of pruning, for whole levels.
TEST(InfluenceLevels, MoveNoVertexBeyondTheBound) {
    test::Random random(11);
    for (int round = 0; round < 20; ++round) {
        const Rig rig = random_rig(random, 6, 60);
        const auto palette = random_palette(random, 6);
        std::vector<math::Vec3f> rest;
        for (const Vec3d& p : rig.rest.positions) rest.push_back(p.cast<float>());
        const double spread = pose_spread(rig.skin, rest, palette);
        const auto fine = rig(palette, Method::lbs).positions;
        double last = 0;
        const int counts[] = {6, 4, 2, 1};
        for (const InfluenceLevel& level : influence_levels(rig.skin, counts)) {
            const auto sets = model::group_by_influences(level.skin, nullptr);
            const auto coarse = deform<double>(rig.rest, level.skin, sets, palette, Method::lbs).positions;
            const double error = largest_distance(fine, coarse);
            EXPECT_LE(error, static_cast<double>(level.pruned) * spread + 1e-6);
            EXPECT_GE(static_cast<double>(level.pruned), last);
            last = static_cast<double>(level.pruned);
            for (std::size_t v = 0; v < level.skin.vertex_count(); ++v)
                EXPECT_LE(level.skin.of(v).size(), static_cast<std::size_t>(level.influences));
        }
        EXPECT_GT(last, 0.1) << "one influence loses something";
    }
}

TEST(InfluenceLevels, TheCoarsestGoodEnoughIsChosen) {
    test::Random random(12);
    const int counts[] = {4, 2, 1};
    const auto levels = influence_levels(random_rig(random, 5, 200).skin, counts);
    EXPECT_EQ(choose_level(levels, 1, 10), 2u);
    EXPECT_EQ(choose_level(levels, 1, 0), 0u);
    EXPECT_EQ(choose_level(levels, 0, 0), 2u) << "where all joints agree one is enough";
    EXPECT_EQ(choose_level(levels, 1, double(levels[1].pruned)), 1u);
}

TEST(InfluenceLevels, BadRequestsAreErrors) {
    const int rising[] = {1, 2}, zero[] = {0};
    EXPECT_THROW(influence_levels({}, rising), Error);
    EXPECT_THROW(influence_levels({}, zero), Error);
    EXPECT_THROW(choose_level({}, 1, 1), Error);
    EXPECT_THROW(pose_spread({}, std::vector<math::Vec3f>(1), {}), Error);
}

}  // namespace
}  // namespace sinew::deform
