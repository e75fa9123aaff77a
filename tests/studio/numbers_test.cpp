// SPDX-License-Identifier: MIT
// Joints by numbers, joints chosen on the skin, and what edits leave alone.

#include "actions.h"
#include "export.h"
#include "headless_studio.h"
#include "joint_limits.h"
#include "rig_edit.h"
#include "support/samples.h"
#include "ui.h"
#include <gtest/gtest.h>

#include "sinew/render/view.h"

namespace sinew::studio {
namespace numbers_test {

using test::HeadlessStudio;
using test::studio;

int joint(const State& state, const char* name) {
    return state.character().skeleton.find(name);
}

Vec3d rest(const State& state, const char* name) {
    const auto index = static_cast<std::size_t>(joint(state, name));
    return model::rest_world_matrices(state.character().skeleton)[index].topRightCorner<3, 1>();
}

/// The man at rest, from the front, on a page.
HeadlessStudio& man_on(const char* page) {
    HeadlessStudio& s = studio();
    s.open(sinew::test::sample("man"));
    choose_clip(s.state(), -1);
    s.script.add_line(std::string("page ") + page);
    s.state().camera.heading = s.state().camera.pitch = 0;
    look_at_all(s.state());
    s.run();
    s.frame();
    return s;
}

Vec2f seen(const State& state, const Vec3d& point) {
    const render::PictureArea area{state.area.width, state.area.height};
    const Vec2f pixel = *render::to_pixel(to_camera(state.camera), point.cast<float>(), area);
    return {pixel.x() / area.width, pixel.y() / area.height};
}

TEST(StudioNumbers, ARotationIsTypedAndUndoneByItsKey) {
    HeadlessStudio& s = man_on("body");
    s.state().selection = {SelectionKind::joint, joint(s.state(), "LeftLowerArm")};
    s.frame();
    const auto angles = [&] {
        const auto index = static_cast<std::size_t>(selected_joint(s.state()));
        return to_degrees(angle_frame(s.state().character().skeleton, selected_joint(s.state())),
                          pose_now(s.state())[index].rotation);
    };
    const Vec3d before = angles();
    s.script.add_line("set Rotation 30");  // the middle one of three
    s.run();
    EXPECT_NEAR(angles().y(), 30, 0.01);
    EXPECT_NEAR(angles().x(), before.x(), 0.1);
    ASSERT_EQ(s.state().undo.size(), 1u);
    s.script.add_line("key Ctrl+Z");
    s.run();
    EXPECT_NEAR(angles().y(), before.y(), 1e-6);
}

TEST(StudioNumbers, APressOnTheScaleIsOneStepBack) {
    HeadlessStudio& s = man_on("body");
    s.state().selection = {SelectionKind::joint, joint(s.state(), "Head")};
    s.frame();
    s.click("Scale");
    ASSERT_FALSE(s.state().pose.empty()) << "a press on a slider changes it";
    undo(s.state());
    EXPECT_TRUE(s.state().pose.empty());
}

TEST(StudioNumbers, AJointIsPlacedByTyping) {
    HeadlessStudio& s = man_on("joints");
    s.state().selection = {SelectionKind::joint, joint(s.state(), "LeftLowerArm")};
    s.frame();
    const Vec3d left = rest(s.state(), "LeftLowerArm"), right = rest(s.state(), "RightLowerArm");
    s.script.add_line(fmt::format("set Position {:.4f}", left.y() + 0.05));
    s.run();
    EXPECT_NEAR(rest(s.state(), "LeftLowerArm").y(), left.y() + 0.05, 1e-3);
    EXPECT_NEAR(rest(s.state(), "RightLowerArm").y(), right.y() + 0.05, 5e-3) << "with symmetry";
    ASSERT_EQ(s.state().undo.size(), 1u);
    undo(s.state());
    EXPECT_NEAR(rest(s.state(), "LeftLowerArm").y(), left.y(), 1e-9);
}

TEST(StudioWeights, TheFirstClickChoosesTheJointUnderIt) {
    HeadlessStudio& s = man_on("weights");
    s.state().selection = {};
    s.frame();
    const Vec2f thigh =
        seen(s.state(), (rest(s.state(), "LeftUpperLeg") + rest(s.state(), "LeftLowerLeg")) / 2);
    const render::OrbitCamera camera = s.state().camera;
    s.script.click_view(thigh.x(), thigh.y());
    s.run();
    EXPECT_EQ(selected_joint(s.state()), joint(s.state(), "LeftUpperLeg"));
    EXPECT_TRUE(s.state().undo.empty()) << "nothing is painted by it";
    // Two quick dabs are no double click: the camera stays.
    for (int i = 0; i < 2; ++i) s.script.click_view(thigh.x(), thigh.y());
    s.run();
    EXPECT_EQ(s.state().undo.size(), 2u);
    EXPECT_FALSE(s.state().frame_wanted);
    EXPECT_EQ(s.state().camera.distance, camera.distance);
}

TEST(StudioDocument, EditsOfWeightsKeepWhatIsKnownOfTheMesh) {
    const Document before(sinew::test::sample("tube"));
    model::Character painted = *before.character;
    painted.skin = rig::limit_influences(painted, 1).skin;
    EXPECT_EQ(before.with(painted).surface, before.surface);
    model::Character moved = *before.character;
    moved.mesh.positions[0].x() += 0.1f;
    EXPECT_NE(before.with(moved).surface, before.surface) << "another mesh is uploaded and described anew";
}

TEST(StudioJoints, TheOneUnderTheMouseIsNamed) {
    HeadlessStudio& s = man_on("joints");
    const Vec2f knee = seen(s.state(), rest(s.state(), "LeftLowerLeg"));
    s.script.click_view(knee.x(), knee.y());
    s.run();
    EXPECT_EQ(ui::value_of("Joint under the mouse"), "LeftLowerLeg");
}

TEST(StudioWork, WhatAFilmNeedsIsSaid) {
    HeadlessStudio& s = studio();
    s.open(sinew::test::sample("tube"));
    choose_clip(s.state(), -1);
    bool listed = false;
    for (const ExportFormat& format : export_formats(s.state()))
        if (format.suffix == "gif") {
            listed = true;
            EXPECT_FALSE(format.possible);
            EXPECT_NE(format.what.find("clip"), std::string::npos) << format.what;
        }
    EXPECT_TRUE(listed);
    EXPECT_EQ(export_formats(s.state()).front().suffix, "glb") << "the usual ones first";
}

}  // namespace numbers_test
}  // namespace sinew::studio
