// SPDX-License-Identifier: MIT
// Projects, and maps of joints that go with them.

#include "project.h"

#include "actions.h"
#include "headless_studio.h"
#include "motion_import.h"
#include "preferences.h"
#include "support/data.h"
#include "support/samples.h"
#include "ui.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/base/file.h"

namespace sinew::studio {
namespace {

using sinew::test::TemporaryFolder;

/// The man without clips, and his walk in a file.
Document standing(const TemporaryFolder& folder) {
    const model::Character& man = sinew::test::sample("man");
    io::write(folder / "walk.bvh", man);
    model::Character still = man;
    still.clips.clear();
    return Document(still);
}

void open_and_wait(State& state, const std::filesystem::path& path) {
    open_file(state, path);
    state.job.finish(state);
}

TEST(StudioProject, ComesBackAsItWas) {
    const TemporaryFolder folder;
    State state;
    show(state, standing(folder));
    open_and_wait(state, folder / "walk.bvh");
    ASSERT_TRUE(state.document.motion);
    state.view.mode = RenderMode::wire;
    state.view.transparent = true;
    state.skin.method = deform::Method::lbs;
    state.camera.heading = 1.25f;
    state.read.up = "y";
    const int arm = state.character().skeleton.find("LeftUpperArm");
    state.selection = {SelectionKind::joint, arm};
    rotate_selected(state, 2, 30);
    seek(state.timeline, 0.5);
    save_project(project_of(state), folder / "work.sinew");

    State again;
    open_and_wait(again, folder / "work.sinew");
    EXPECT_EQ(again.messages.count(Severity::error), 0);
    EXPECT_EQ(again.view.mode, RenderMode::wire);
    EXPECT_TRUE(again.view.transparent);
    EXPECT_EQ(again.skin.method, deform::Method::lbs);
    EXPECT_FLOAT_EQ(again.camera.heading, 1.25f);
    EXPECT_EQ(again.read.up, "y");
    EXPECT_NEAR(again.timeline.time, 0.5, 1e-9);
    ASSERT_NE(again.playing_clip(), nullptr);
    EXPECT_EQ(again.playing_clip()->name, state.playing_clip()->name);
    EXPECT_TRUE(again.character().has_skin());
    const auto before =
        model::joint_positions(model::world_matrices(state.character().skeleton, pose_now(state)));
    const auto after =
        model::joint_positions(model::world_matrices(again.character().skeleton, pose_now(again)));
    ASSERT_EQ(before.size(), after.size());
    for (std::size_t j = 0; j < before.size(); ++j) EXPECT_LT((before[j] - after[j]).norm(), 1e-4);
    ASSERT_TRUE(again.document.motion);
    EXPECT_EQ(again.document.motion->map, state.document.motion->map);
    EXPECT_EQ(again.document.motion->first_clip, 0u);
}

TEST(StudioProject, AFileOfTheUserIsNotWrittenOver) {
    const TemporaryFolder folder;
    io::write(folder / "tube.glb", sinew::test::sample("tube"));
    const std::string original(FileView(folder / "tube.glb").text());
    State state;
    open_and_wait(state, folder / "tube.glb");
    ask_for_project(state);
    EXPECT_EQ(state.export_path, (folder / "tube.sinew").string());
    write_what_is_open(state, state.export_path);
    EXPECT_EQ(state.messages.count(Severity::error), 0);
    EXPECT_EQ(std::string(FileView(folder / "tube.glb").text()), original);
    EXPECT_TRUE(std::filesystem::exists(folder / "tube.sinew.glb"));
}

TEST(StudioProject, WhatIsWrongIsSaidWithItsPlace) {
    const TemporaryFolder folder;
    State state;
    EXPECT_THROW(save_project(project_of(state), folder / "nothing.sinew"), Error);
    show(state, Document(sinew::test::sample("tube")));
    save_project(project_of(state), folder / "good.sinew");
    const std::string good(FileView(folder / "good.sinew").text());
    const auto error_of = [&](const std::string& from, const std::string& to) -> std::string {
        std::string text = good;
        text.replace(text.find(from), from.size(), to);
        write_file(folder / "bad.sinew", text);
        try {
            load_project(folder / "bad.sinew");
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(error_of("\"loop\": true", "\"loop\": false"), "");
    EXPECT_NE(error_of("{", "[").find("not a JSON object"), std::string::npos);
    EXPECT_NE(error_of("sinew-project", "project").find("is missing"), std::string::npos);
    EXPECT_NE(error_of("\"sinew-project\": 1", "\"sinew-project\": 7").find("version 7"), std::string::npos);
    EXPECT_NE(error_of("\"solid\"", "\"sold\"").find("/view/show"), std::string::npos);
    EXPECT_NE(error_of("\"pose\": {}", "\"pose\": {\"Elbow\": {}}").find("Elbow"), std::string::npos);
    EXPECT_NE(error_of("good.sinew.glb", "gone.glb").find("gone.glb"), std::string::npos);
}

/// The text cut, with single bits turned, and with every value replaced by others.
std::vector<std::string> damaged(const std::string& good) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < 40; ++i) all.push_back(good.substr(0, good.size() * i / 40));
    for (std::size_t i = 0; i < 120; ++i) {
        std::string text = good;
        char& c = text[good.size() * i / 120];
        c = static_cast<char>(c ^ (1 << (i % 8)));
        all.push_back(text);
    }
    const Json json = Json::parse(good), flat = json.flatten();
    const std::vector<Json> values = {nullptr, -1, 1e308, "x", true, Json::array(), Json::object()};
    for (const auto& [pointer, old] : flat.items()) {
        for (const Json& value : values) {
            Json changed = json;
            changed[Json::json_pointer(pointer)] = value;
            all.push_back(changed.dump());
        }
    }
    return all;
}

TEST(StudioProject, AnyCutAnyBitAndAnyValueIsReadOrRefused) {
    const TemporaryFolder folder;
    State state;
    show(state, Document(sinew::test::sample("tube")));
    state.selection = {SelectionKind::joint, 1};
    rotate_selected(state, 2, 30);
    state.views.push_back({"side", state.camera});
    save_project(project_of(state), folder / "good.sinew");
    int read = 0, refused = 0;
    for (const std::string& text : damaged(std::string(FileView(folder / "good.sinew").text()))) {
        write_file(folder / "bad.sinew", text);
        try {
            const Project project = load_project(folder / "bad.sinew");
            model::validate(*project.document.character, "bad.sinew");
            const render::Camera camera = render::to_camera(project.camera);
            EXPECT_TRUE(camera.eye.allFinite() && project.camera.distance > 0) << text;
            ++read;
        } catch (const Error& error) {
            EXPECT_FALSE(error.reason().empty());
            ++refused;
        }
    }
    EXPECT_GT(read, 20);
    EXPECT_GT(refused, 100);
}

TEST(StudioPreferences, AnyDamageLeavesUsualValues) {
    const TemporaryFolder folder;
    Preferences liked;
    liked.scale = 1.5f;
    liked.light = true;
    save_preferences(liked, folder / "good.json");
    for (const std::string& text : damaged(std::string(FileView(folder / "good.json").text()))) {
        write_file(folder / "bad.json", text);
        const Preferences found = load_preferences(folder / "bad.json");
        EXPECT_TRUE(found.scale >= 0.25f && found.scale <= 8) << text;
        EXPECT_TRUE(found.autosave > 0 && found.autosave < 1e6) << text;
        EXPECT_TRUE(found.frame_rate > 0 && found.frame_rate <= 1000) << text;
    }
}

TEST(StudioProject, AMotionThatIsGoneCostsOnlyItsMap) {
    const TemporaryFolder folder;
    State state;
    show(state, standing(folder));
    open_and_wait(state, folder / "walk.bvh");
    save_project(project_of(state), folder / "work.sinew");
    std::filesystem::remove(folder / "walk.bvh");
    Collector collector;
    const Project project = load_project(folder / "work.sinew", collector);
    EXPECT_FALSE(project.document.motion);
    EXPECT_EQ(project.document.character->clips.size(), 1u);
    ASSERT_EQ(collector.warnings().size(), 1u);
    EXPECT_EQ(collector.warnings()[0].code, "motion-missing");
}

TEST(StudioProject, FilesOutsideItsFolderNeedLeave) {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder / "projects");
    State state;
    show(state, standing(folder));
    open_and_wait(state, folder / "walk.bvh");
    Collector saving;
    save_project(project_of(state), folder / "projects/work.sinew", saving);
    EXPECT_TRUE(saving.has("outside-folder")) << "it opens only with leave, which is said at once";
    Collector collector;
    EXPECT_FALSE(load_project(folder / "projects/work.sinew", collector).document.motion);
    EXPECT_TRUE(collector.has("outside-folder"));
    EXPECT_TRUE(load_project(folder / "projects/work.sinew", silent(), true).document.motion);
    std::string text(FileView(folder / "projects/work.sinew").text());
    text.replace(text.find("work.sinew.glb"), 14, "../secret.glb");
    write_file(folder / "projects/bad.sinew", text);
    std::filesystem::copy_file(folder / "projects/work.sinew.glb", folder / "secret.glb");
    EXPECT_THROW(load_project(folder / "projects/bad.sinew"), Error);
    EXPECT_FALSE(load_project(folder / "projects/bad.sinew", silent(), true).document.empty());
}

TEST(StudioJointMap, JointsFollowTheOnesThatAreChosen) {
    const TemporaryFolder folder;
    State state;
    show(state, standing(folder));
    open_and_wait(state, folder / "walk.bvh");
    const model::Skeleton& skeleton = state.character().skeleton;
    const auto left = static_cast<std::size_t>(skeleton.find("LeftUpperLeg")),
               right = static_cast<std::size_t>(skeleton.find("RightUpperLeg"));
    motion::JointMap map = state.document.motion->map;
    std::swap(map[left], map[right]);
    const auto turn = [&](std::size_t joint) {
        return math::angle_between<double>(pose_now(state)[joint].rotation,
                                           skeleton.joints[joint].rest.rotation);
    };
    seek(state.timeline, 0.4);
    const double before = turn(left), other = turn(right);
    ASSERT_GT(std::abs(before - other), 0.02) << "in mid-step the legs differ";
    use_joint_map(state, map);
    EXPECT_EQ(state.messages.count(Severity::error), 0);
    EXPECT_NEAR(turn(left), other, std::abs(before - other) / 2);
    EXPECT_EQ(state.character().clips.size(), 1u) << "in place of the clip that was there";
    export_file(state, folder / "swapped.map");
    undo(state);
    EXPECT_NEAR(turn(left), before, 1e-9);
    open_and_wait(state, folder / "swapped.map");
    EXPECT_EQ(state.document.motion->map, map);
    use_joint_map(state, motion::JointMap(skeleton.size(), -1));
    EXPECT_EQ(state.messages.count(Severity::error), 1) << "nothing is mapped";
}

TEST(StudioJointMap, IsChosenInADialog) {
    const TemporaryFolder folder;
    test::HeadlessStudio& s = test::studio();
    s.open(*standing(folder).character);
    s.script.then([&](State& state) { open_file(state, folder / "walk.bvh"); });
    s.script.wait_for_job();
    s.run();
    ASSERT_TRUE(s.state().document.motion);
    s.click("Edit");
    s.click("Joint map ...");
    s.click("map/Hips");
    s.click("(none)");
    s.click("Apply");
    EXPECT_EQ(s.state().document.motion->map[0], -1);
    s.click("By name and role");
    s.click("Apply");
    EXPECT_GE(s.state().document.motion->map[0], 0);
    s.click("Close");
    EXPECT_EQ(s.state().dialog, Dialog::none);
    s.click("File");
    s.click("Save project ...");
    s.script.then([&](State& state) { state.export_path = (folder / "dialog.sinew").string(); });
    s.click("Write");
    EXPECT_TRUE(std::filesystem::exists(folder / "dialog.sinew"));
}

}  // namespace
}  // namespace sinew::studio
