// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/deform/deformer.h"
#include "sinew/sample/samples.h"

namespace sinew::deform {
namespace joint_space_test {

// The vertices of one bone jump to the origin: a limb of the bone's length lies along the bone.
TEST(JointSpace, ABoneAndItsSkinStandAtTheOrigin) {
    const model::Character man = sample::make("man");
    const int joint = man.skeleton.find("LeftLowerArm");
    ASSERT_GE(joint, 0);
    const JointSpace space = joint_space(man, joint);
    const geometry::Mesh& mesh = space.character.mesh;
    ASSERT_EQ(space.weights.size(), mesh.vertex_count());
    ASSERT_EQ(space.character.skeleton.size(), 1u);
    const math::Vec3d tip = space.character.skeleton.joints[0].tip.value();
    const math::Vec3f along = tip.normalized().cast<float>();
    EXPECT_LT(mesh.vertex_count(), man.mesh.vertex_count() / 4);
    double sum = 0, far = 0;
    for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
        EXPECT_GT(space.weights[v], 0);
        EXPECT_LE(space.weights[v], 1.00001f);
        const float height = mesh.positions[v].dot(along);
        far = std::max(far, double((mesh.positions[v] - height * along).norm()));
        sum += height;
    }
    EXPECT_LT(far, tip.norm()) << "no further from the bone than it is long";
    EXPECT_NEAR(sum / double(mesh.vertex_count()), tip.norm() / 2, tip.norm() / 3);
}

TEST(JointSpace, RefusesWhatHasNoSkin) {
    model::Character bare = sample::make("tube");
    model::Character idle = bare;
    bare.skin = {};
    EXPECT_THROW(joint_space(bare, 0), Error);
    idle.skeleton.joints.push_back({"idle", 0, {}, {}});
    EXPECT_THROW(joint_space(idle, 2), Error);
}

}  // namespace joint_space_test
}  // namespace sinew::deform
