// SPDX-License-Identifier: MIT
// A skeleton of another file: is it where the mesh is?

#include "support/samples.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/base/monitor.h"
#include "sinew/rig/bind.h"

namespace sinew::rig {
namespace {

model::Skeleton moved(const model::Skeleton& skeleton, double scale, const Vec3d& by) {
    model::Character character;
    character.skeleton = skeleton;
    model::apply(character, {.scale = scale, .translation = by});
    return character.skeleton;
}

TEST(SkeletonToMesh, WhereItLiesInsideItStays) {
    for (const char* name : {"man", "horse", "hand"}) {
        const model::Character& truth =
            test::sample(name, std::string_view(name) == "man" ? 0 : test::few_faces);
        Collector heard;
        const model::Similarity to = skeleton_to_mesh(truth.mesh, truth.skeleton, heard);
        EXPECT_EQ(to.scale, 1) << name;
        EXPECT_TRUE(to.translation.isZero()) << name;
        EXPECT_TRUE(heard.warnings().empty()) << name;
    }
}

TEST(SkeletonToMesh, OtherUnitsAndPositionsAreUndoneAndTold) {
    const model::Character& man = test::sample("man");
    Collector units;
    EXPECT_DOUBLE_EQ(skeleton_to_mesh(man.mesh, moved(man.skeleton, 100, Vec3d::Zero()), units).scale, 0.01);
    EXPECT_TRUE(units.has("skeleton-moved"));
    Collector position;
    const model::Similarity to =
        skeleton_to_mesh(man.mesh, moved(man.skeleton, 1, Vec3d(3, 1, -2)), position);
    EXPECT_NEAR(to.scale, 1, 0.15);
    EXPECT_LT((to * Vec3d(3, 1, -2)).norm(),
              0.1 * static_cast<double>(geometry::bounds(man.mesh.positions).diagonal()));
    EXPECT_TRUE(position.has("skeleton-moved"));
}

TEST(SkeletonToMesh, AnotherBodyIsRefusedWithBothSizes) {
    const model::Character& man = test::sample("man");
    const model::Character& horse = test::sample("horse", test::few_faces);
    try {
        skeleton_to_mesh(man.mesh, moved(horse.skeleton, 1, Vec3d(0.5, 0, 0)));
        FAIL() << "a horse in a man";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("across and the skeleton"), std::string::npos)
            << error.what();
    }
}

TEST(Bind, JointsWithoutSkinAreTold) {
    const model::Character& man = test::sample("man");
    model::Skeleton skeleton = man.skeleton;
    // A second joint where the first already is: nothing is left for it.
    model::Joint twin = skeleton.joints[static_cast<std::size_t>(skeleton.find("LeftLowerLeg"))];
    twin.name = "Twin";
    twin.tip = skeleton.joints[static_cast<std::size_t>(skeleton.find("LeftFoot"))].rest.translation;
    skeleton.joints.push_back(twin);
    Collector heard;
    bind(man.mesh, skeleton, {.method = BindMethod::rigid}, heard);
    ASSERT_TRUE(heard.has("joints-without-skin"));
}

}  // namespace
}  // namespace sinew::rig
