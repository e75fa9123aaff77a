// SPDX-License-Identifier: MIT
#include "support/random.h"
#include "support/shapes.h"
#include <gtest/gtest.h>

#include "sinew/render/view.h"

namespace sinew::render {
namespace {

constexpr PictureArea area{800, 500};

Camera some_camera(bool orthographic = false) {
    Camera camera;
    camera.eye = {2, 1.5f, 4};
    camera.target = {0.2f, 0.4f, -0.3f};
    camera.orthographic = orthographic;
    camera.height = 3;
    return camera;
}

TEST(Picking, RaysGoThroughTheirPixels) {
    test::Random random(2);
    for (const bool orthographic : {false, true}) {
        const Camera camera = some_camera(orthographic);
        for (int i = 0; i < 100; ++i) {
            const Vec2f pixel(static_cast<float>(random.uniform(0, 800)),
                              static_cast<float>(random.uniform(0, 500)));
            const Ray ray = pixel_ray(camera, pixel, area);
            EXPECT_NEAR(ray.direction.norm(), 1, 1e-5);
            const auto back = to_pixel(camera, ray.origin + 3 * ray.direction, area);
            ASSERT_TRUE(back);
            EXPECT_LT((*back - pixel).norm(), 0.01f);
        }
    }
}

TEST(Picking, PixelsAgreeWithTheProjectionOfPictures) {
    const Camera camera = some_camera();
    const Vec3f point(0.3f, -0.2f, 0.5f);
    const math::Vec4f clip = projection_matrix(camera, area.aspect(), 0.1f, 100) * view_matrix(camera) *
                             math::Vec4f(point.x(), point.y(), point.z(), 1);
    const Vec2f expected((clip.x() / clip.w() + 1) / 2 * area.width,
                         (1 - clip.y() / clip.w()) / 2 * area.height);
    EXPECT_LT((*to_pixel(camera, point, area) - expected).norm(), 0.01f);
    EXPECT_FALSE(to_pixel(camera, camera.eye + camera.backward(), area)) << "behind the eye";
}

TEST(Picking, TheFrontOfACubeIsHitFromOutsideAndTheBackFromInside) {
    const geometry::Mesh cube = test::cube();
    Camera camera;
    camera.eye = {0, 0, 5};
    const auto hit = pick_triangle(cube.positions, cube.triangles, pixel_ray(camera, {410, 260}, area));
    ASSERT_TRUE(hit);
    for (const std::uint32_t v : cube.triangles[hit->triangle]) EXPECT_GT(cube.positions[v].z(), 0);
    camera.eye = {0, 0, 0.1f};
    camera.target = {0, 0, -1};
    const auto inside = pick_triangle(cube.positions, cube.triangles, pixel_ray(camera, {410, 260}, area));
    ASSERT_TRUE(inside);
    for (const std::uint32_t v : cube.triangles[inside->triangle]) EXPECT_LT(cube.positions[v].z(), 0);
    EXPECT_FALSE(pick_triangle(cube.positions, cube.triangles, pixel_ray(some_camera(), {2, 2}, area)));
}

model::Skeleton two_bones() {
    model::Skeleton skeleton;
    for (int i = 0; i < 2; ++i) {
        model::Joint joint;
        joint.name = i == 0 ? "root" : "upper";
        joint.parent = i - 1;
        joint.rest.translation = {0, i == 0 ? 0.0 : 1.0, 0};
        skeleton.joints.push_back(joint);
    }
    skeleton.joints[1].tip = math::Vec3d(0, 1, 0);
    return skeleton;
}

TEST(Picking, JointsComeBeforeBonesWithinTheTolerance) {
    const model::Skeleton skeleton = two_bones();
    const auto world = model::rest_world_matrices(skeleton);
    Camera camera;
    camera.eye = {0, 1, 6};
    camera.target = {0, 1, 0};
    const auto at = [&](const Vec3f& point, float dx) {
        return pick_skeleton(skeleton, world, camera, *to_pixel(camera, point, area) + Vec2f(dx, 0), area);
    };
    ASSERT_TRUE(at({0, 1, 0}, 5));
    EXPECT_EQ(at({0, 1, 0}, 5)->joint, 1);
    ASSERT_TRUE(at({0, 0.5f, 0}, 5));
    EXPECT_EQ(at({0, 0.5f, 0}, 5)->bone, 0);
    EXPECT_EQ(at({0, 1.6f, 0}, -6)->bone, 1);
    EXPECT_FALSE(at({0, 0.5f, 0}, 12));
}

TEST(Picking, DragsAlongAnAxisFollowTheMouse) {
    const Camera camera = some_camera();
    const Vec3f joint(0.2f, 0.3f, 0.1f);
    for (int axis = 0; axis < 3; ++axis) {
        const Vec3f to = joint + 0.4f * Vec3f::Unit(axis);
        const auto moved = along_axis(pixel_ray(camera, *to_pixel(camera, to, area), area), joint,
                                      Vec3f::Unit(axis), Vec3f::Unit((axis + 1) % 3));
        ASSERT_TRUE(moved);
        EXPECT_NEAR(*moved, 0.4f, 1e-3) << axis;
    }
}

TEST(Picking, ParallelPlanesAndAxesAreRefused) {
    const Ray ray{Vec3f(0, 0, 5), -Vec3f::UnitZ()};
    EXPECT_FALSE(plane_hit(ray, Vec3f::Zero(), Vec3f::UnitX()));
    EXPECT_FALSE(plane_hit(ray, Vec3f(0, 0, 9), Vec3f::UnitZ())) << "behind";
    EXPECT_TRUE(plane_hit(ray, Vec3f::Zero(), Vec3f::UnitZ())->isZero());
    EXPECT_FALSE(along_axis(ray, Vec3f::Zero(), Vec3f::UnitZ(), Vec3f::UnitX())) << "along the view";
}

}  // namespace
}  // namespace sinew::render
