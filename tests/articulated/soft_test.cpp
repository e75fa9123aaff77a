// SPDX-License-Identifier: MIT
// Skin between joints that are too near to each other to be cut.

#include "articulated/crossings.h"
#include "support/samples.h"

#include "sinew/articulated/closing/stages.h"
#include "sinew/articulated/gaps.h"
#include "sinew/deform/deformer.h"

namespace sinew::articulated {
namespace {

std::vector<Rigidd> walking(const model::Character& character, const RigidPartsOfSkin& parts,
                            std::size_t frame) {
    const model::Clip& clip = character.clips[0];
    const auto world = model::world_matrices(character, &clip, model::frame_time(clip, frame));
    return part_transforms(parts, model::palette(character.skin, world));
}

TEST(SoftSeams, SharesAreThoseOfThePartsAround) {
    const RigidPartsOfSkin parts = rigid_parts_of_skin(test::sample("cat"));
    const GapCloser closer(parts.body);
    const geometry::CutMesh& cut = parts.body.cut;
    std::size_t soft = 0;
    for (std::size_t t = 0; t < cut.triangles.size(); ++t) {
        for (const std::uint32_t point : cut.triangles[t]) {
            const auto shares = closer.soft().shares(cut.part_of[t], point);
            double sum = 0;
            for (const SoftSeams::Share& share : shares) {
                EXPECT_GT(share.weight, 0);
                sum += share.weight;
            }
            ASSERT_NEAR(sum, 1, 1e-12);
            ASSERT_LE(shares.size(), 4u);
            soft += closer.soft().soft(point) ? 1 : 0;
            ASSERT_TRUE(closer.soft().soft(point) || shares[0].part == cut.part_of[t]);
        }
    }
    EXPECT_GT(soft, 0u);
    EXPECT_LT(soft, cut.triangles.size());  // a third of all corners
}

TEST(SoftSeams, CopiesOfAStuckPointAreAtOnePlace) {
    const model::Character& cat = test::sample("cat");
    const RigidPartsOfSkin parts = rigid_parts_of_skin(cat);
    const GapCloser closer(parts.body);
    const std::vector<Rigidd> world = walking(cat, parts, 30);
    std::size_t looked_at = 0;
    for (const Gap& gap : closer.gaps()) {
        for (std::size_t i = 0; i < gap.loop_size; ++i) {
            if (gap.sides[0].removable[i]) continue;
            const std::uint32_t point = gap.sides[0].points[i];
            const Vec3d& rest = parts.body.cut.points[point];
            const Vec3d a = blend(closer.soft().shares(gap.parent, point), world) * rest;
            const Vec3d b = blend(closer.soft().shares(gap.child, point), world) * rest;
            ASSERT_LT((a - b).norm(), 1e-12);
            ++looked_at;
        }
    }
    EXPECT_GT(looked_at, 100u);
}

TEST(SoftSeams, FarFromCrowdedJointsPartsAreRigid) {
    const model::Character& man = test::sample("man");
    const RigidPartsOfSkin parts = rigid_parts_of_skin(man);
    const GapCloser closer(parts.body);
    const std::vector<Rigidd> world = walking(man, parts, 40);
    const GapFrame frame = closer.close(world);
    std::size_t rigid = 0;
    for (std::size_t v = 0; v < man.mesh.vertex_count(); ++v) {
        for (const Rigidd& w : world)
            if ((w * man.mesh.positions[v].cast<double>() - frame.mesh.positions[v].cast<double>()).norm() <
                1e-6) {
                ++rigid;
                break;
            }
    }
    EXPECT_GT(rigid, man.mesh.vertex_count() * 3 / 4);
    // And a tube, whose only joint has room, has no soft skin at all.
    EXPECT_FALSE(GapCloser(rigid_parts_of_skin(tube()).body).soft().any());
    EXPECT_FALSE(GapCloser(parts.body, {.softness = 0}).soft().any());
}

TEST(SoftSeams, CrowdedJointsDoNotRunIntoEachOther) {
    for (const auto& [name, frame] : {std::pair{"cat", 30}, {"horse", 40}}) {
        const model::Character& character = test::sample(name);
        const RigidPartsOfSkin parts = rigid_parts_of_skin(character);
        const std::vector<Rigidd> world = walking(character, parts, static_cast<std::size_t>(frame));
        const GapFrame rigid = GapCloser(parts.body, {.softness = 0}).close(world);
        const GapFrame soft = GapCloser(parts.body).close(world);
        expect_closed(soft.mesh);
        EXPECT_GT(crossings(rigid).total(), 50u) << name;
        EXPECT_LT(crossings(soft).total(), crossings(rigid).total() / 2) << name;
    }
}

TEST(SoftSeams, TwistsOfCrowdedJointsStayClosed) {
    // A point that one side loses with a piece that is attached to nothing, and the other keeps, must not be
    // made anew.
    const model::Character& cat = test::sample("cat");
    const RigidPartsOfSkin parts = rigid_parts_of_skin(cat);
    const GapCloser closer(parts.body);
    test::Random random;
    for (int n = 0; n < 18; ++n) {
        const auto palette = random_pose(cat, random, n % 2 == 0 ? 45 : 110);
        if (n >= 14) expect_closed(closer.close(part_transforms(parts, palette)).mesh);
    }
}

TEST(SoftSeams, RecordingsShowTheSameSurface) {
    const model::Character& man = test::sample("man");
    const RigidPartsOfSkin parts = rigid_parts_of_skin(man);
    const GapCloser closer(parts.body);
    PartMotion motion{"walk", 10, {}};
    for (const std::size_t frame : {20, 40, 60}) motion.frames.push_back(walking(man, parts, frame));
    const model::Character character = gap_character(closer, motion);
    model::validate(character, "soft");
    for (std::size_t f = 0; f < motion.frames.size(); ++f) {
        const GapFrame frame = closer.close(motion.frames[f]);
        Mesh seen = character.mesh;
        seen.positions = deform::Deformer(character, {.method = deform::Method::lbs})
                             .at(&character.clips[0], static_cast<double>(f) / 10)
                             .positions;
        std::erase_if(seen.triangles, [&](const geometry::Triangle& t) {
            return seen.positions[t[0]] == seen.positions[t[1]] &&
                   seen.positions[t[1]] == seen.positions[t[2]];
        });
        EXPECT_EQ(seen.triangles.size(), frame.mesh.triangles.size());
        const double expected = geometry::signed_volume(frame.mesh.positions, frame.mesh.triangles);
        EXPECT_NEAR(geometry::signed_volume(seen.positions, seen.triangles), expected, 1e-5 * expected);
    }
}

}  // namespace
}  // namespace sinew::articulated
