// SPDX-License-Identifier: MIT
// A skeleton from clicks on chin, groin, wrists, elbows and knees.

#include "marks.h"

#include "actions.h"
#include "headless_studio.h"
#include "keys.h"
#include "support/samples.h"
#include "ui.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/model/roles.h"

namespace sinew::studio {
namespace marks_test {

using test::HeadlessStudio;
using test::studio;

const model::Character& man() {
    return sinew::test::sample("man");
}

model::Character bare() {
    model::Character mesh;
    mesh.name = "scan";
    mesh.mesh = man().mesh;
    return mesh;
}

Vec3d rest(const model::Skeleton& skeleton, const std::string& name) {
    const int joint = skeleton.find(name);
    EXPECT_GE(joint, 0) << name;
    return model::rest_world_matrices(skeleton)[static_cast<std::size_t>(joint)].topRightCorner<3, 1>();
}

/// Where a person would click on the man.
Vec3d truth(Mark mark) {
    constexpr std::array<const char*, mark_count> joints = {"Head",          "Hips",         "LeftHand",
                                                            "LeftLowerArm",  "LeftLowerLeg", "RightHand",
                                                            "RightLowerArm", "RightLowerLeg"};
    Vec3d at = rest(man().skeleton, joints[static_cast<std::size_t>(mark)]);
    if (mark == Mark::groin) at.y() -= 0.06;
    return at;
}

Marks all_marks() {
    Marks marks;
    for (int i = 0; i < mark_count; ++i) marks.at[static_cast<std::size_t>(i)] = truth(static_cast<Mark>(i));
    return marks;
}

void click_at(HeadlessStudio& s, const Vec3d& point) {
    const ViewArea& area = s.state().area;
    const auto pixel = render::to_pixel(to_camera(s.state().camera), point.cast<float>(),
                                        render::PictureArea{area.width, area.height});
    ASSERT_TRUE(pixel);
    s.script.click_view(pixel->x() / area.width, pixel->y() / area.height);
    s.run();
}

TEST(StudioMarks, FiveClicksGiveARig) {
    HeadlessStudio& s = studio();
    s.open(bare());
    look_from(s.state(), render::View::front);
    s.frame();
    s.click("Page/Joints");
    s.click("Place marks");
    ASSERT_EQ(s.state().joint_tool.mark, 0);
    s.frame();
    EXPECT_EQ(ui::value_of("Next mark"), "the chin");
    // The other side follows by symmetry, whichever is clicked.
    for (const Mark mark : {Mark::chin, Mark::groin, Mark::right_wrist, Mark::left_elbow, Mark::left_knee})
        click_at(s, truth(mark));
    ASSERT_TRUE(s.state().document.marks && s.state().document.marks->complete());
    EXPECT_EQ(s.state().joint_tool.mark, -1) << "nothing more to click";
    EXPECT_LT((*s.state().document.marks->of(Mark::left_wrist) - truth(Mark::left_wrist)).norm(), 0.05)
        << "left is left";
    s.script.click("Skeleton from marks");
    s.script.wait_for_job();
    s.run();
    ASSERT_TRUE(s.state().character().has_skin())
        << (s.state().messages.list().empty() ? "" : s.state().messages.list().back().text);
    const model::Skeleton& made = s.state().character().skeleton;
    for (const char* name : {"LeftHand", "RightHand", "LeftLowerArm", "RightLowerLeg"})
        EXPECT_LT((rest(made, name) - rest(man().skeleton, name)).norm(), 0.05) << name;
    for (const char* name : {"Hips", "LeftUpperLeg", "RightUpperArm", "LeftFoot"})
        EXPECT_LT((rest(made, name) - rest(man().skeleton, name)).norm(), 0.12) << name;
    undo(s.state());
    EXPECT_FALSE(s.state().character().has_skeleton());
    ASSERT_TRUE(s.state().document.marks) << "the marks are still there";
    undo(s.state());
    EXPECT_FALSE(s.state().document.marks->complete()) << "a mark less";
}

TEST(StudioMarks, AMarkIsDragged) {
    HeadlessStudio& s = studio();
    s.open(bare());
    show_page(s.state(), Page::joints);
    s.state().joint_tool.symmetry = false;
    set_mark(s.state(), Mark::left_elbow, truth(Mark::left_elbow));
    look_from(s.state(), render::View::front);
    s.frame();
    s.frame();
    const Vec3d before = *s.state().document.marks->of(Mark::left_elbow);
    const std::size_t steps = s.state().undo.size();
    s.script.pull("mark/left elbow", 12, 0);
    s.run();
    const Vec3d after = *s.state().document.marks->of(Mark::left_elbow);
    EXPECT_GT(after.x(), before.x() + 0.005);
    EXPECT_FALSE(s.state().document.marks->of(Mark::right_elbow)) << "alone, without symmetry";
    EXPECT_EQ(s.state().undo.size(), steps + 1);
    undo(s.state());
    EXPECT_NEAR((*s.state().document.marks->of(Mark::left_elbow) - before).norm(), 0, 1e-9);
    s.click("Clear marks");
    EXPECT_FALSE(s.state().document.marks);
}

TEST(StudioMarks, MarkedJointsAreWhereTheMarksAre) {
    const Marks marks = all_marks();
    const model::Skeleton made = skeleton_from_marks(man().mesh, marks);
    for (const auto& [name, mark] :
         {std::pair("LeftHand", Mark::left_wrist), {"RightLowerLeg", Mark::right_knee}})
        EXPECT_NEAR((rest(made, name) - *marks.of(mark)).norm(), 0, 1e-6) << name;
    EXPECT_GT(rest(made, "LeftHand").x(), rest(made, "RightHand").x());
    // A body that looks the other way, twice as large, gets the same skeleton, turned and twice as large.
    geometry::Mesh turned = man().mesh;
    for (Vec3f& p : turned.positions) p = 2 * Vec3f(-p.x(), p.y(), -p.z());
    Marks other = marks;
    for (auto& at : other.at) at = Vec3d(2 * Vec3d(-at->x(), at->y(), -at->z()));
    other.facing = -Vec3d::UnitZ();
    const model::Skeleton large = skeleton_from_marks(turned, other);
    for (const char* name : {"Hips", "LeftUpperArm", "RightFoot", "LeftToes", "Neck"}) {
        const Vec3d a = rest(made, name), b = rest(large, name);
        EXPECT_NEAR((b - 2 * Vec3d(-a.x(), a.y(), -a.z())).norm(), 0, 1e-3) << name;
    }
    // Fingers go along with the forearm.
    const model::Skeleton hands = skeleton_from_marks(man().mesh, marks, "biped-hands");
    const Vec3d forearm = (rest(hands, "LeftHand") - rest(hands, "LeftLowerArm")).normalized();
    const Vec3d finger = (rest(hands, "LeftMiddleProximal") - rest(hands, "LeftHand")).normalized();
    EXPECT_GT(forearm.dot(finger), 0.95);
}

TEST(StudioMarks, WhatIsMissingIsSaid) {
    Marks marks = all_marks();
    marks.at[static_cast<std::size_t>(Mark::left_knee)].reset();
    try {
        skeleton_from_marks(man().mesh, marks);
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("left knee"), std::string::npos) << error.what();
    }
    marks = all_marks();
    std::swap(marks.at[0], marks.at[1]);
    EXPECT_THROW(skeleton_from_marks(man().mesh, marks), Error);
}

}  // namespace marks_test
}  // namespace sinew::studio
