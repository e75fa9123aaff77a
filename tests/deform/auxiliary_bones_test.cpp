#include "sinew/deform/auxiliary_bones.h"

#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/deform/reference.h"
#include "sinew/sample/samples.h"

namespace sinew::deform {
namespace {

using math::Mat4d;
using math::Vec3d;

/// A fine twisted tube: the upper joint turns by `degrees` about its bone.
struct Twisted {
    model::Character tube;
    std::vector<Mat4d> palette;

    explicit Twisted(double degrees) {
        sample::TubeOptions options;
        options.rings = 961;
        options.segments = 4;
        options.blend = 0.8;
        tube = sample::make_tube(options);
        const Vec3d pivot(0, 0.5, 0);
        palette = {Mat4d::Identity(),
                   math::rotation_about<double>(pivot, Vec3d::UnitY(), math::radians(degrees)).matrix()};
    }
};

double smallest_radius(const model::Character& tube, const model::Skin& skin,
                       const std::vector<Mat4d>& palette) {
    const auto sets = model::group_by_influences(skin, nullptr);
    const auto posed = deform<double>(tube.mesh, skin, sets, palette, Method::lbs).positions;
    double smallest = 1e30;
    for (std::size_t v = 0; v < posed.size(); ++v) {
        const float y = tube.mesh.positions[v].y();
        if (y > -1e-6f && y < 1 + 1e-6f)
            smallest = std::min(smallest, std::hypot(posed[v].x(), posed[v].z()) / 0.1);
    }
    return smallest;
}

// Skinning T30.
TEST(AuxiliaryBones, LeaveMoreOfTheRadiusOfAHalfTurn) {
    const Twisted scene(180);
    EXPECT_LT(smallest_radius(scene.tube, scene.tube.skin, scene.palette), 1e-4);
    const double expected[] = {0.707107, 0.866025, 0.923880, 0.951057};
    for (int m = 1; m <= 4; ++m) {
        const AuxiliaryBones bones = add_auxiliary_bones(scene.tube.skin, scene.tube.skeleton, {m});
        ASSERT_EQ(bones.skin.joints.size(), 2u + static_cast<unsigned>(m));
        const double radius = smallest_radius(scene.tube, bones.skin, bones.palette(scene.palette));
        EXPECT_NEAR(radius, expected[m - 1], 2e-4) << m;
        EXPECT_NEAR(radius, std::cos(math::pi / (2 * (m + 1))), 2e-4) << m;
    }
}

TEST(AuxiliaryBones, KeepTheRestPoseTheJointAndTheEnds) {
    const Twisted scene(140);
    const AuxiliaryBones bones = add_auxiliary_bones(scene.tube.skin, scene.tube.skeleton, {3});
    model::validate(bones.skin, scene.tube.mesh.vertex_count(), scene.tube.skeleton.size(), "tube");
    for (const Mat4d& m : bones.palette(std::vector<Mat4d>(2, Mat4d::Identity())))
        EXPECT_LT((m - Mat4d::Identity()).cwiseAbs().maxCoeff(), 1e-12);
    for (const Mat4d& m : bones.palette(scene.palette))
        EXPECT_LT((math::transform_point(m, Vec3d(0, 0.5, 0)) - Vec3d(0, 0.5, 0)).norm(), 1e-12);
    // A vertex of one joint keeps it; one that follows both alike goes to the bone in the middle.
    for (std::size_t v = 0; v < scene.tube.mesh.vertex_count(); ++v) {
        const auto before = scene.tube.skin.of(v), after = bones.skin.of(v);
        if (before.size() == 1) {
            ASSERT_EQ(after.size(), 1u);
            EXPECT_EQ(after[0].joint, before[0].joint);
        } else if (std::abs(before[0].weight - 0.5f) < 1e-6f) {
            EXPECT_EQ(after[0].joint, 3u);
            EXPECT_GT(after[0].weight, 0.999f);
        }
    }
}

TEST(AuxiliaryBones, OtherInfluencesStayAndUnrelatedJointsGetNone) {
    model::Skeleton skeleton;
    skeleton.joints = {{"root", -1, {}, {}}, {"arm", 0, {}, {}}, {"other", -1, {}, {}}};
    model::Skin skin;
    skin.joints = model::bind_at_rest(skeleton);
    skin.push_vertex(std::vector<model::Influence>{{0, 0.3f}, {1, 0.3f}, {2, 0.4f}});
    skin.push_vertex(std::vector<model::Influence>{{1, 0.5f}, {2, 0.5f}});
    const AuxiliaryBones bones = add_auxiliary_bones(skin, skeleton);
    ASSERT_EQ(bones.pairs.size(), 1u);
    ASSERT_EQ(bones.skin.of(0).size(), 2u);
    EXPECT_EQ(bones.skin.of(0)[0].joint, 2u);
    EXPECT_NEAR(bones.skin.of(0)[0].weight, 0.4, 1e-6);
    EXPECT_EQ(bones.skin.of(0)[1].joint, 3u);
    EXPECT_NEAR(bones.skin.of(0)[1].weight, 0.6, 1e-6);
    EXPECT_EQ(bones.skin.of(1).size(), 2u);
}

TEST(AuxiliaryBones, BadRequestsAreErrors) {
    const Twisted scene(10);
    EXPECT_THROW(add_auxiliary_bones(scene.tube.skin, scene.tube.skeleton, {0}), Error);
    EXPECT_THROW(add_auxiliary_bones(scene.tube.skin, {}, {1}), Error);
    EXPECT_THROW(add_auxiliary_bones(scene.tube.skin, scene.tube.skeleton).palette({}), Error);
}

}  // namespace
}  // namespace sinew::deform
