// SPDX-License-Identifier: MIT
// The picture: axes, floor, modes, picking, the camera by mouse and keys.

#include "actions.h"
#include "headless_studio.h"
#include "keys.h"
#include "support/cut_shapes.h"
#include "support/samples.h"
#include "ui.h"
#include <SDL_scancode.h>
#include <gtest/gtest.h>

#include "sinew/pipeline/publish.h"

namespace sinew::studio {
namespace {

using render::Picture;
using render::Pixel;
using test::count_pixels;
using test::HeadlessStudio;
using test::studio;

bool is_red(const Pixel& p) {
    return p[0] > 170 && p[1] < 110 && p[2] < 110;
}
bool is_green(const Pixel& p) {
    return p[1] > 150 && p[0] < 120 && p[2] < 120;
}
bool is_blue(const Pixel& p) {
    return p[2] > 200 && p[0] < 110 && p[1] < 170;
}
bool is_orange(const Pixel& p) {
    return p[0] > 190 && p[1] > 110 && p[1] < 200 && p[2] < 100;
}
/// Much lighter than the background and the floor.
bool is_body(const Pixel& p) {
    return p[0] > 125 && p[1] > 125 && p[2] > 125;
}

/// Three parts on each other along y, standing on the floor.
model::Character tower() {
    model::Character character;
    character.name = "tower";
    character.mesh = sinew::test::three_cylinders();
    for (Vec3f& p : character.mesh.positions) p = {p.x(), p.z(), -p.y()};
    return character;
}

TEST(StudioView, AxesAreRedGreenAndBlueOnAGridFloor) {
    HeadlessStudio& s = studio();
    s.open({});
    s.state().view.floor = true;
    s.state().camera.heading = 0.6f;
    s.state().camera.pitch = -0.4f;
    s.frame();
    const Picture with = s.viewport().picture();
    EXPECT_GT(count_pixels(with, is_red), 60);
    EXPECT_GT(count_pixels(with, is_green), 60);
    EXPECT_GT(count_pixels(with, is_blue), 60);
    s.click("Axes");
    EXPECT_FALSE(s.state().view.axes);
    EXPECT_EQ(count_pixels(s.viewport().picture(), is_green), 0);
    const Picture grid = s.viewport().picture();
    s.click("Floor");
    EXPECT_GT(render::mean_difference(grid, s.viewport().picture()), 0.5) << "the lines are gone";
}

TEST(StudioView, TheModelStandsOnTheFloor) {
    HeadlessStudio& s = studio();
    model::Character high = tower();
    for (Vec3f& p : high.mesh.positions) p.y() += 20;
    s.open(high);
    s.state().view.axes = false;
    s.state().view.floor = true;
    s.frame();
    EXPECT_NEAR(s.viewport().scene().ground.height, 20, 1e-5) << "where its lowest point is";
    const Picture floor = s.viewport().picture();
    s.state().view.floor = false;
    s.frame();
    const Picture bare = s.viewport().picture();
    int beside = 0;
    for (int x = 0; x < 40; ++x)
        for (int y = floor.height / 2; y < floor.height; ++y) beside += floor.at(x, y) != bare.at(x, y);
    EXPECT_GT(beside, 50) << "lines beside its feet";
    s.open(tower());
    EXPECT_EQ(s.viewport().scene().ground.height, 0);
}

TEST(StudioView, ModesArePointsWireAndSolidWithTheSkeletonOverThem) {
    HeadlessStudio& s = studio();
    s.open(sinew::test::sample("tube"));
    s.click("Colour");
    s.click("Clay");
    const auto body = [&] { return count_pixels(s.viewport().picture(), is_body); };
    const int solid = body();
    EXPECT_GT(solid, 2000);
    s.click("Mesh/Points");
    EXPECT_EQ(s.state().view.mode, RenderMode::points);
    const int points = body();
    EXPECT_GT(points, 50);
    EXPECT_LT(points, solid * 2 / 3);
    s.click("Mesh/Wire");
    EXPECT_EQ(s.state().view.mode, RenderMode::wire);
    EXPECT_LT(body(), solid);
    s.click("Mesh/Solid");
    EXPECT_NEAR(body(), solid, 5);
    const Picture without = s.viewport().picture();
    s.click("Skeleton/Over");
    EXPECT_EQ(s.state().view.skeleton, SkeletonMode::over);
    EXPECT_GT(render::mean_difference(without, s.viewport().picture()), 0.2);
    s.script.key(SDL_SCANCODE_M);
    s.run();
    EXPECT_EQ(s.state().view.mode, RenderMode::solid_wire);
    s.script.key(SDL_SCANCODE_K);
    s.run();
    EXPECT_EQ(s.state().view.skeleton, SkeletonMode::inside);
}

TEST(StudioView, AClickedPartLightsUpWithItsBoxAndItsNumbers) {
    HeadlessStudio& s = studio();
    s.open(tower());
    const Picture before = s.viewport().picture();
    s.script.click_view(0.5f, 0.5f);
    s.run();
    ASSERT_EQ(s.state().selection.kind, SelectionKind::part);
    EXPECT_EQ(s.state().selection.index, 1);
    EXPECT_EQ(ui::value_of("Part"), "part_1");
    EXPECT_EQ(ui::value_of("Vertices"), "112");
    EXPECT_EQ(ui::value_of("Faces"), "192");
    EXPECT_EQ(ui::value_of("Box")->substr(0, 5), "3.000");
    const Picture after = s.viewport().picture();
    EXPECT_EQ(count_pixels(before, is_orange), 0);
    EXPECT_GT(count_pixels(after, is_orange), 300);
    s.script.click_view(0.02f, 0.3f);
    s.run();
    EXPECT_FALSE(s.state().selection) << "beside the body";
    EXPECT_EQ(count_pixels(s.viewport().picture(), is_orange), 0);
    s.click("All boxes");
    EXPECT_GT(render::mean_difference(before, s.viewport().picture()), 0.1);
}

TEST(StudioView, JointsAndBonesArePickedWhenTheyAreShown) {
    HeadlessStudio& s = studio();
    s.open(sinew::test::sample("tube"));
    choose_clip(s.state(), -1);
    s.state().camera.heading = s.state().camera.pitch = 0;
    s.click("Skeleton/Over");
    const render::PictureArea area{s.state().area.width, s.state().area.height};
    const auto click_at = [&](const Vec3f& place) {
        const auto pixel = *render::to_pixel(to_camera(s.state().camera), place, area);
        s.script.click_view(pixel.x() / area.width, pixel.y() / area.height);
        s.run();
        return s.state().selection;
    };
    EXPECT_EQ(click_at({0, 0.5f, 0}), (Selection{SelectionKind::joint, 1}));
    EXPECT_EQ(ui::value_of("Joint"), "Upper");
    EXPECT_GT(count_pixels(s.viewport().picture(), is_orange), 5);
    s.script.key(SDL_SCANCODE_ESCAPE);
    s.run();
    EXPECT_FALSE(s.state().selection);
    EXPECT_EQ(click_at({0, 0.25f, 0}), (Selection{SelectionKind::bone, 0}));
    s.script.key(SDL_SCANCODE_ESCAPE);
    s.click("Pick/Surface");
    EXPECT_EQ(click_at({0, 0.25f, 0}).kind, SelectionKind::part) << "the same place, the surface asked for";
}

TEST(StudioView, TheMouseOrbitsPansAndZooms) {
    HeadlessStudio& s = studio();
    s.open(tower());
    const render::OrbitCamera start = s.state().camera;
    s.script.drag_view(0.3f, 0.5f, 0.6f, 0.5f);
    s.run();
    EXPECT_LT(s.state().camera.heading, start.heading - 0.2f);
    EXPECT_EQ(s.state().camera.target, start.target);
    EXPECT_FALSE(s.state().selection) << "a drag is not a click";
    s.script.drag_view(0.5f, 0.5f, 0.7f, 0.5f, 1);
    s.run();
    // What was in the middle is now where the mouse went.
    const auto moved = render::to_pixel(to_camera(s.state().camera), start.target,
                                        {s.state().area.width, s.state().area.height});
    EXPECT_NEAR(moved->x() / s.state().area.width, 0.7, 0.01);
    s.script.wheel_view(2);
    s.run();
    EXPECT_LT(s.state().camera.distance, 0.85f * start.distance);
    s.script.key(SDL_SCANCODE_F);
    s.run();
    EXPECT_NEAR(s.state().camera.distance, start.distance, 0.3f * start.distance);
}

TEST(StudioView, KeysTurnAndMoveTheCamera) {
    HeadlessStudio& s = studio();
    s.open(tower());
    const render::OrbitCamera start = s.state().camera;
    s.script.key(SDL_SCANCODE_RIGHT, false, 10);
    s.run();
    EXPECT_GT(s.state().camera.heading, start.heading + 0.3f);
    EXPECT_EQ(s.state().camera.target, start.target) << "around the target";
    s.script.key(SDL_SCANCODE_UP, false, 5);
    s.run();
    EXPECT_LT(s.state().camera.pitch, start.pitch);
    const render::Camera before = to_camera(s.state().camera);
    s.script.key(SDL_SCANCODE_W, false, 5);
    s.run();
    const Vec3f way = to_camera(s.state().camera).eye - before.eye;
    EXPECT_GT(way.norm(), 0.1f);
    EXPECT_GT(way.normalized().dot(-before.backward()), 0.999f) << "forward along the view";
    s.script.key(SDL_SCANCODE_S, false, 5);
    s.run();
    EXPECT_LT((to_camera(s.state().camera).eye - before.eye).norm(), 1e-3f);
}

TEST(StudioView, InFlyModeTheCameraTurnsOnTheSpotAndKeepsItsSpeed) {
    HeadlessStudio& s = studio();
    s.open(tower());
    s.script.key(SDL_SCANCODE_V);
    s.run();
    ASSERT_TRUE(s.state().camera_mode.fly);
    const render::Camera before = to_camera(s.state().camera);
    s.script.key(SDL_SCANCODE_LEFT, false, 10);
    s.run();
    EXPECT_LT((to_camera(s.state().camera).eye - before.eye).norm(), 1e-3f);
    EXPECT_GT(s.state().camera.heading, 0);
    s.script.key(SDL_SCANCODE_W, false, 10);
    s.run();
    EXPECT_GT(s.state().camera_mode.velocity, 0.2f);
    const Vec3f then = to_camera(s.state().camera).eye;
    s.script.wait(5);
    s.run();
    EXPECT_GT((to_camera(s.state().camera).eye - then).norm(), 0.05f) << "it flies on";
}

TEST(StudioView, PresetsLookFromTheirSides) {
    HeadlessStudio& s = studio();
    s.open(tower());
    s.script.key(SDL_SCANCODE_1);
    s.run();
    EXPECT_NEAR(to_camera(s.state().camera).backward().x(), 0, 1e-3);
    s.script.key(SDL_SCANCODE_3);
    s.run();
    EXPECT_GT(to_camera(s.state().camera).backward().x(), 0.9f);
    s.script.key(SDL_SCANCODE_7);
    s.run();
    EXPECT_GT(to_camera(s.state().camera).backward().y(), 0.99f);
}

TEST(StudioView, TransparencyLetsTheSkeletonShow) {
    HeadlessStudio& s = studio();
    s.open(sinew::test::sample("tube"));
    const Picture opaque = s.viewport().picture();
    s.click("Skeleton/X-ray");
    EXPECT_GT(render::mean_difference(opaque, s.viewport().picture()), 1) << "it is seen in an opaque mesh";
    s.click("Skeleton/Over");
    const Picture solid = s.viewport().picture();
    s.script.key(SDL_SCANCODE_B);
    s.run();
    EXPECT_TRUE(s.state().view.transparent);
    const Picture clear = s.viewport().picture();
    EXPECT_GT(render::mean_difference(solid, clear), 1);
    s.click("Transparent");
    EXPECT_FALSE(s.state().view.transparent);
    EXPECT_EQ(render::mean_difference(solid, s.viewport().picture()), 0);
    s.click("Opacity");
    EXPECT_TRUE(s.state().view.transparent) << "the slider asks for it";
    EXPECT_NEAR(s.state().view.opacity, 0.5, 0.02);
}

TEST(StudioView, TheCameraGoesAlongWithThePelvis) {
    HeadlessStudio& s = studio();
    s.open(sinew::test::sample("man"));
    EXPECT_TRUE(s.state().camera_mode.follow) << "who has a clip is followed";
    s.script.key(SDL_SCANCODE_P);
    s.run();
    EXPECT_FALSE(s.state().camera_mode.follow);
    s.script.key(SDL_SCANCODE_P);
    s.run();
    ASSERT_TRUE(s.state().camera_mode.follow);
    const Vec3f target = s.state().camera.target;
    const int pelvis = pipeline::camera_joint(s.state().character().skeleton);
    const auto place = [&] {
        return Vec3f(s.viewport()
                         .posed()
                         .world[static_cast<std::size_t>(pelvis)]
                         .topRightCorner<3, 1>()
                         .cast<float>());
    };
    const Vec3f before = place();
    seek(s.state().timeline, 1);
    s.frame();
    const Vec3f way = place() - before;
    EXPECT_GT(way.norm(), 0.5f) << "a second of walking";
    EXPECT_LT((s.state().camera.target - target - Vec3f(way.x(), 0, way.z())).norm(), 1e-3f);
}

TEST(StudioView, WhatIsOpenMayChangeAtAnyMoment) {
    HeadlessStudio& s = studio();
    s.open(tower());
    s.state().selection = {SelectionKind::part, 2};
    s.script.click_view(0.5f, 0.5f);
    s.script.then([](State& state) {
        model::Character small;
        small.mesh = sinew::test::cube();
        show(state, Document(small));
    });
    s.script.click_view(0.5f, 0.5f);
    s.script.then([](State& state) { show(state, Document(tower())); });
    s.script.click_view(0.5f, 0.5f);
    s.script.then([](State& state) { show(state, Document()); });
    s.script.click_view(0.5f, 0.5f);
    s.run();
    EXPECT_FALSE(s.state().selection);
    EXPECT_EQ(s.state().messages.count(Severity::error), 0);
}

/// The tube at rest, seen along z, its middle joint selected.
HeadlessStudio& tube_from_the_front() {
    HeadlessStudio& s = studio();
    s.open(sinew::test::sample("tube"));
    choose_clip(s.state(), -1);
    s.state().camera.heading = s.state().camera.pitch = 0;
    s.state().selection = {SelectionKind::joint, 1};
    s.frame();
    return s;
}

TEST(StudioView, RingsTurnTheSelectedJoint) {
    HeadlessStudio& s = tube_from_the_front();
    // Seen along z, the ring about z is a circle around the joint: a drag from its right to its top is a
    // quarter turn.
    const render::PictureArea area{s.state().area.width, s.state().area.height};
    const auto at = [&](const Vec3f& place) {
        const auto pixel = *render::to_pixel(to_camera(s.state().camera), place, area);
        return math::Vec2f(pixel.x() / area.width, pixel.y() / area.height);
    };
    const Vec3f joint(0, 0.5f, 0);
    const render::Camera camera = to_camera(s.state().camera);
    const float radius = 0.22f * camera.distance() * std::tan(camera.fov / 2);
    const float slant = radius * std::sqrt(0.5f);
    const auto from = at(joint + Vec3f(slant, slant, 0)), to = at(joint + Vec3f(-slant, slant, 0));
    s.script.drag_view(from.x(), from.y(), to.x(), to.y());
    s.run();
    ASSERT_EQ(s.state().pose.offsets.size(), 1u);
    const Vec3d turn = math::rotation_vector<double>(s.state().pose.offsets.at(1).rotation);
    EXPECT_NEAR(turn.z(), math::pi / 2, 0.05);
    EXPECT_LT(turn.head<2>().norm(), 1e-6);
    s.script.key(SDL_SCANCODE_Z, true);
    s.run();
    EXPECT_TRUE(s.state().pose.empty()) << "one drag, one step of undo";
}

TEST(StudioView, KeysTurnTheSelectedJointAboutTheChosenAxis) {
    HeadlessStudio& s = studio();
    s.open(sinew::test::sample("tube"));
    choose_clip(s.state(), -1);
    s.state().selection = {SelectionKind::joint, 1};
    s.script.key(SDL_SCANCODE_X);
    s.script.key(SDL_SCANCODE_RIGHTBRACKET);
    s.script.key(SDL_SCANCODE_RIGHTBRACKET);
    s.run();
    const Vec3d turn = math::rotation_vector<double>(s.state().pose.offsets.at(1).rotation);
    EXPECT_NEAR(math::degrees(turn.x()), 10, 1e-6);
    s.script.key(SDL_SCANCODE_G);
    s.run();
    EXPECT_EQ(s.state().edit.space, Space::local);
    s.click("+Y");
    EXPECT_EQ(s.state().undo.size(), 3u);
    s.script.key(SDL_SCANCODE_R);
    s.run();
    EXPECT_TRUE(s.state().pose.empty());
}

TEST(StudioView, AJointIsDraggedAlongTheAxisWhoseKeyIsHeld) {
    HeadlessStudio& s = tube_from_the_front();
    const Vec3f joint(0, 0.5f, 0);
    const render::PictureArea area{s.state().area.width, s.state().area.height};
    const auto from = *render::to_pixel(to_camera(s.state().camera), joint, area);
    const auto to = *render::to_pixel(to_camera(s.state().camera), joint + Vec3f(0.2f, 0.1f, 0), area);
    s.script.hold(SDL_SCANCODE_X, true);
    s.script.drag_view(from.x() / area.width, from.y() / area.height, to.x() / area.width,
                       to.y() / area.height);
    s.script.hold(SDL_SCANCODE_X, false);
    s.run();
    const Vec3d place = s.viewport().posed().world[1].topRightCorner<3, 1>();
    EXPECT_NEAR(place.x(), 0.2, 0.005);
    EXPECT_NEAR(place.y(), 0.5, 1e-6) << "along x alone";
    EXPECT_NEAR(place.z(), 0, 1e-6);
}

}  // namespace
}  // namespace sinew::studio
