// SPDX-License-Identifier: MIT
// Curves beyond their keys, and angles within limits.

#include "actions.h"
#include "clip_keys.h"
#include "extend_keys.h"
#include "headless_studio.h"
#include "joint_limits.h"
#include "motion_layer.h"
#include "project.h"
#include "support/data.h"
#include "support/samples.h"
#include "ui.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/math/quaternion.h"

namespace sinew::studio {
namespace curves_test {

using sinew::test::sample;
using test::HeadlessStudio;
using test::studio;

/// Three keys of a joint from 1 to 2 s: x goes 0, 0.25, 1; the rotation about z 0, 10, 40 degrees.
model::Clip three_keys(model::Interpolation mode) {
    model::Clip clip;
    model::Track track;
    track.joint = 0;
    track.translation.times = track.rotation.times = model::KeyTimes::listed({1, 1.5f, 2});
    track.translation.values = {{0, 0, 0}, {0.25f, 0, 0}, {1, 0, 0}};
    for (const double angle : {0.0, 10.0, 40.0})
        track.rotation.values.push_back(
            math::axis_angle<double>(Vec3d::UnitZ(), math::radians(angle)).cast<float>());
    clip.tracks.push_back(track);
    set_interpolation(clip, 0, KeyProperty::position, mode);
    set_interpolation(clip, 0, KeyProperty::rotation, mode);
    return clip;
}

double x_at(const model::Clip& clip, double time) {
    return model::sample(clip.tracks[0].translation, time).x();
}

double turn_at(const model::Clip& clip, double time) {
    return math::degrees(
        math::rotation_vector<double>(model::sample(clip.tracks[0].rotation, time).normalized()).z());
}

TEST(ExtendKeys, EachRuleGoesOnAsItsNameSays) {
    const model::Clip clip = three_keys(model::Interpolation::linear);
    const auto made = [&](Beyond rule) { return extended(clip, 0, {rule, rule, 0, 4}, 40); };
    EXPECT_NEAR(x_at(made(Beyond::constant), 3.5), 1, 1e-5);
    EXPECT_NEAR(x_at(made(Beyond::constant), 0.3), 0, 1e-5);
    EXPECT_NEAR(x_at(made(Beyond::linear), 3), 1 + 1.5, 1e-3);
    EXPECT_NEAR(x_at(made(Beyond::linear), 0), -0.5, 1e-3);
    EXPECT_NEAR(x_at(made(Beyond::repeat), 2.5), 0.25, 1e-4);
    EXPECT_NEAR(x_at(made(Beyond::repeat), 0.75), 0.625, 1e-4);
    EXPECT_NEAR(x_at(made(Beyond::repeat_offset), 3.5), 2.25, 1e-4);
    EXPECT_NEAR(x_at(made(Beyond::repeat_offset), 0.5), -0.75, 1e-4);
    EXPECT_NEAR(x_at(made(Beyond::mirror), 2.25), 0.625, 1e-4);
    EXPECT_NEAR(x_at(made(Beyond::mirror), 0.75), 0.125, 1e-4);
    EXPECT_NEAR(turn_at(made(Beyond::linear), 3), 40 + 60, 0.1);
    EXPECT_NEAR(turn_at(made(Beyond::repeat_offset), 3.5), 90, 0.05);
    EXPECT_NEAR(turn_at(made(Beyond::mirror), 2.5), 10, 0.05);
    for (const Beyond rule :
         {Beyond::constant, Beyond::linear, Beyond::repeat, Beyond::repeat_offset, Beyond::mirror}) {
        const model::Clip longer = made(rule);
        EXPECT_NO_THROW(model::validate(longer, 1, 0, "extended"));
        EXPECT_NEAR(model::time_range(longer).end, 4, 1e-5);
        EXPECT_NEAR(model::time_range(longer).start, 0, 1e-5);
    }
    EXPECT_THROW(extended(clip, 0, {Beyond::constant, Beyond::constant, 3, 3}, 30), Error);
}

TEST(ExtendKeys, WhatLiesBetweenTheKeysStays) {
    for (const auto mode :
         {model::Interpolation::step, model::Interpolation::linear, model::Interpolation::cubic}) {
        const model::Clip clip = three_keys(mode);
        for (const Beyond rule : {Beyond::linear, Beyond::repeat, Beyond::mirror}) {
            const model::Clip longer = extended(clip, 0, {rule, rule, 0.2, 3.1}, 30);
            for (double time = 1; time <= 2; time += 0.0625) {
                EXPECT_NEAR(x_at(longer, time), x_at(clip, time), 1e-5);
                EXPECT_NEAR(turn_at(longer, time), turn_at(clip, time), 1e-3);
            }
            for (double time = 0.2; time <= 3.1; time += 0.01)
                EXPECT_LT(std::abs(x_at(longer, time)), 3) << "tangents at seams do not run away";
        }
    }
}

/// The page Motion with the clip of the man, and this joint.
HeadlessStudio& moving(const char* joint) {
    test::close_studio();
    HeadlessStudio& s = studio();
    s.open(sample("man"));
    choose_clip(s.state(), 0);
    show_page(s.state(), Page::motion);
    s.state().selection = {SelectionKind::joint, s.state().character().skeleton.find(joint)};
    s.frame();
    return s;
}

TEST(StudioMotion, KeysAreBakedOverARangeAndUndone) {
    HeadlessStudio& s = moving("LeftLowerArm");
    const model::Clip before = *s.state().playing_clip();
    const model::TimeRange range = model::time_range(before);
    const int arm = selected_joint(s.state()), other = s.state().character().skeleton.find("RightLowerArm");
    for (const char* section : {"Clip", "Layers", "Extrapolation"}) s.click(section);
    s.state().motion_tool.curves = true;
    s.click("After");
    s.click("mirror");
    s.state().motion_tool.from = range.start;
    s.state().motion_tool.to = range.end + 0.5;
    s.frame();
    s.click("Bake range");
    const model::Skeleton& skeleton = s.state().character().skeleton;
    const auto angle = [&](const model::Clip& clip, int joint, double time) {
        return key_values(clip, skeleton, joint, KeyProperty::rotation, time)[0];
    };
    const model::Clip after = *s.state().playing_clip();
    EXPECT_NEAR(model::time_range(after).end, range.end + 0.5, 1e-4);
    EXPECT_NEAR(angle(after, arm, range.end + 0.25), angle(before, arm, range.end - 0.25), 0.5);
    EXPECT_NEAR(angle(after, other, range.end + 0.25), angle(before, other, range.end), 0.01)
        << "the selected joint alone";
    const auto& messages = s.state().messages.list();
    ASSERT_FALSE(messages.empty());
    EXPECT_NE(messages.back().text.find("baked"), std::string::npos) << "it says what it did";
    undo(s.state());
    EXPECT_NEAR(model::time_range(*s.state().playing_clip()).end, range.end, 1e-9);
    // Before 0 there is no time: everything begins later.
    s.click("All joints");
    s.script.add_line("extend repeat constant -0.25 0.1");
    s.run();
    EXPECT_NEAR(model::time_range(*s.state().playing_clip()).start, 0, 1e-5);
    EXPECT_NEAR(angle(*s.state().playing_clip(), other, 0.75), angle(before, other, 0.5), 0.05);
    EXPECT_NEAR(angle(*s.state().playing_clip(), arm, 0.1), angle(before, arm, range.end - 0.15), 0.5);
    // A layer has no time of its own.
    undo(s.state());
    s.state().motion_tool.layer = true;
    const int errors = s.state().messages.count(Severity::error);
    s.script.add_line("extend constant constant 0 99");
    s.run();
    EXPECT_EQ(s.state().messages.count(Severity::error), errors + 1);
    UiScript script;
    script.add_line("extend dance constant 0 1");
    EXPECT_THROW(script.advance(s.state()), Error);
    test::close_studio();
}

TEST(JointLimits, AnglesComeBackInTheFrameOfTheLimits) {
    model::Skeleton skeleton;
    skeleton.joints.resize(1);
    skeleton.joints[0].rest.rotation = math::axis_angle<double>(Vec3d(1, 2, 3).normalized(), 0.8);
    auto& limits = skeleton.joints[0].limits;
    limits.emplace();
    limits->frame = math::axis_angle<double>(Vec3d(-2, 1, 1).normalized(), 1.9);
    limits->low = Vec3d(-0.1, -0.2, 2.0);
    limits->high = Vec3d(0.3, 0.2, 4.0);
    const AngleFrame frame = angle_frame(skeleton, 0);
    EXPECT_TRUE(to_degrees(frame, skeleton.joints[0].rest.rotation).head<2>().isZero(1e-9));
    const Vec3d degrees(10, -5, 200);  // beyond half a circle: the limits say which turn is meant
    EXPECT_TRUE(to_degrees(frame, to_rotation(frame, degrees)).isApprox(degrees, 1e-6));
    const auto held = within_limits(skeleton, 0, {90, -90, 200});
    EXPECT_NEAR(held[0], math::degrees(0.3), 1e-9);
    EXPECT_NEAR(held[1], math::degrees(-0.2), 1e-9);
    EXPECT_NEAR(held[2], 200, 1e-9);
}

/// Least and largest angle of a clip about an axis.
std::pair<double, double> span_of(const State& state, const model::Clip& clip, int joint, std::size_t axis) {
    double low = 1e9, high = -1e9;
    const model::TimeRange range = model::time_range(clip);
    for (double time = range.start; time <= range.end; time += 0.004) {
        const double now =
            key_values(clip, state.character().skeleton, joint, KeyProperty::rotation, time)[axis];
        low = std::min(low, now);
        high = std::max(high, now);
    }
    return {low, high};
}

TEST(StudioMotion, AClipIsBroughtWithinLimits) {
    HeadlessStudio& s = moving("LeftLowerArm");
    const int arm = selected_joint(s.state());
    for (const char* section : {"Clip", "Layers", "Joint limits"}) s.click(section);
    s.state().motion_tool.curves = true;
    s.click("Limit clip");
    EXPECT_EQ(s.state().messages.count(Severity::error), 1) << "there are no limits yet, and it says so";
    s.click("Limit this joint");
    ASSERT_TRUE(s.state().character().skeleton.joints[static_cast<std::size_t>(arm)].limits);
    s.frame();
    EXPECT_TRUE(ui::find("curve/limits")) << "bands";
    std::size_t axis = 0;
    std::pair<double, double> widest = {0, 0};
    for (std::size_t a = 0; a < 3; ++a)
        if (const auto span = span_of(s.state(), *s.state().playing_clip(), arm, a);
            span.second - span.first > widest.second - widest.first) {
            widest = span;
            axis = a;
        }
    const double low = std::ceil(widest.first + 0.2 * (widest.second - widest.first));
    const double high = std::floor(widest.second - 0.2 * (widest.second - widest.first));
    ASSERT_GT(high, low);
    s.script.add_line(fmt::format("limit {} {} {}", "xyz"[axis], low, high));
    s.run();
    const model::Clip before = *s.state().playing_clip();
    const std::size_t steps = s.state().undo.size();
    s.click("Limit clip");
    EXPECT_EQ(s.state().undo.size(), steps + 1);
    const auto now = span_of(s.state(), *s.state().playing_clip(), arm, axis);
    EXPECT_NEAR(now.first, low, 0.3);
    EXPECT_NEAR(now.second, high, 0.3);
    const int other = s.state().character().skeleton.find("RightLowerArm");
    EXPECT_EQ(span_of(s.state(), *s.state().playing_clip(), other, axis),
              span_of(s.state(), before, other, axis));
    undo(s.state());
    EXPECT_GT(span_of(s.state(), *s.state().playing_clip(), arm, axis).second, high + 1);
    // A key that is dragged stays within them, too.
    s.state().motion_tool.key = 3;
    s.frame();
    s.script.pull(fmt::format("curve/3/{}", axis), 0, -400);
    s.run();
    const double time = key_times(*s.state().playing_clip(), arm, KeyProperty::rotation)[3];
    EXPECT_NEAR(key_values(*s.state().playing_clip(), s.state().character().skeleton, arm,
                           KeyProperty::rotation, time)[axis],
                high, 0.01);
    // A project keeps them; the .glb beside it cannot.
    const sinew::test::TemporaryFolder folder;
    save_project(project_of(s.state()), folder / "limited.sinew", silent());
    const Project again = load_project(folder / "limited.sinew", silent(), false);
    const auto& kept = again.document.character->skeleton.joints[static_cast<std::size_t>(arm)].limits;
    ASSERT_TRUE(kept);
    EXPECT_NEAR(math::degrees(kept->high[static_cast<Eigen::Index>(axis)]), high, 1e-6);
    test::close_studio();
}

TEST(JointLimits, CurvesBetweenKeysStayWithinThem) {
    model::Skeleton skeleton;
    skeleton.joints.resize(1);
    skeleton.joints[0].limits.emplace();
    skeleton.joints[0].limits->high = Vec3d::Constant(math::radians(40));
    skeleton.joints[0].limits->low = Vec3d::Constant(math::radians(-40));
    model::Clip clip = three_keys(model::Interpolation::cubic);
    set_slope(clip, 0, KeyProperty::rotation, 1, KeySide::both, {0, 0, 400}, angle_frame(skeleton, 0));
    State state;
    model::Character character;
    character.skeleton = skeleton;
    state.document = Document(character);
    ASSERT_GT(span_of(state, clip, 0, 2).second, 45) << "no key is beyond the limit, the curve is";
    const LimitedClip made = limited(clip, skeleton);
    EXPECT_EQ(made.keys, 0u);
    EXPECT_EQ(made.dense, 1u);
    EXPECT_LT(span_of(state, made.clip, 0, 2).second, 40.2);
}

}  // namespace curves_test
}  // namespace sinew::studio
