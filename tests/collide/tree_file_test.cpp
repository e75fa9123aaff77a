#include "sinew/collide/tree_file.h"

#include "scenes.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/collide/subdivide.h"
#include "sinew/collide/query.h"

namespace sinew::collide {
namespace {

TEST(TreeFile, LoadedTreeFindsTheSameContacts) {
    const Actor horse("horse", 1000);
    const auto bytes = save_tree(horse.tree);
    const SphereTree loaded = load_tree(bytes, horse.tree.content_hash, "horse.tree");
    EXPECT_EQ(save_tree(loaded), bytes);
    QueryScratch room;
    std::vector<Contact> expected, found;
    for (const SphereTree* tree : {&horse.tree, &loaded}) {
        Body a(*tree, deform::Method::dqs), b(*tree, deform::Method::dqs);
        a.set_pose(horse.pose(0.1));
        b.set_pose(horse.pose(0.6, moved(0.2, 0, 0.1, 1)));
        find_contacts(a, b, tree == &loaded ? found : expected, room);
    }
    EXPECT_FALSE(expected.empty());
    EXPECT_EQ(found, expected);
}

TEST(TreeFile, OtherContentAndDamageAreErrors) {
    const Actor tube("tube", 0);
    auto bytes = save_tree(tube.tree);
    const auto hash = tube.tree.content_hash;
    EXPECT_THROW(load_tree(bytes, hash + 1, "t"), Error);
    for (const std::size_t size : {std::size_t{0}, std::size_t{7}, std::size_t{23}, std::size_t{24},
                                   bytes.size() / 2, bytes.size() - 1}) {
        EXPECT_THROW(load_tree(std::span(bytes).first(size), hash, "t"), Error) << size;
    }
    for (std::size_t at = 0; at < bytes.size(); at += 997) {
        bytes[at] ^= std::byte{1};
        EXPECT_THROW(load_tree(bytes, hash, "t"), Error) << at;
        bytes[at] ^= std::byte{1};
    }
    EXPECT_NO_THROW(load_tree(bytes, hash, "t"));
}

TEST(Tightness, OnDemandIsNearTheBestBelowTheTop) {
    const Actor horse("horse", 1000);
    const auto finer = subdivided(horse.character);
    const SphereTree tree = build_tree(finer, {.max_leaf_triangles = 4});
    for (const deform::Method method : {deform::Method::lbs, deform::Method::sbs, deform::Method::dqs}) {
        const auto rows = level_radii(tree, horse.pose(0.3), method);
        ASSERT_GE(rows.size(), 5u);
        EXPECT_LE(rows[0].ratio(), method == deform::Method::lbs ? 1.2 : 1.5);
        for (std::size_t level = 0; level < rows.size(); ++level) {
            EXPECT_EQ(rows[level].unbounded, 0u);
            EXPECT_GE(rows[level].on_demand, 0.999 * rows[level].best);
            if (level >= 2) {
                EXPECT_LE(rows[level].ratio(), 1.10) << deform::name(method) << " " << level;
            }
        }
    }
}

TEST(Subdivide, QuartersEveryTriangleAndKeepsTheShapeAtRest) {
    const auto horse = test::sample("horse", 1000);
    const auto finer = subdivided(horse);
    EXPECT_EQ(finer.mesh.triangles.size(), 4 * horse.mesh.triangles.size());
    EXPECT_NEAR(geometry::signed_volume(finer.mesh.positions, finer.mesh.triangles),
                geometry::signed_volume(horse.mesh.positions, horse.mesh.triangles), 1e-6);
    EXPECT_NO_THROW(model::validate(finer, "finer"));
    for (std::size_t v = horse.mesh.positions.size(); v < finer.mesh.positions.size(); ++v)
        ASSERT_LE(finer.skin.of(v).size(), 4u);
    const auto all = subdivided(horse, 0);
    std::size_t more = 0;
    for (std::size_t v = 0; v < all.mesh.positions.size(); ++v) more += all.skin.of(v).size() > 4;
    EXPECT_GT(more, 0u);
}

}  // namespace
}  // namespace sinew::collide
