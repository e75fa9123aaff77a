// SPDX-License-Identifier: MIT
// The program itself, without a display.

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "support/data.h"
#include "support/samples.h"
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sinew/io/io.h"
#include "sinew/render/renderer.h"

namespace sinew::studio {
namespace {

using sinew::test::TemporaryFolder;

struct Ran {
    int code = -1;
    std::string text;
};

/// With nothing of a desktop in the environment.
Ran run(const std::string& program, const std::string& arguments, const TemporaryFolder& folder) {
    const std::string out = (folder / "out").string();
    const int status =
        std::system(("env -u DISPLAY -u WAYLAND_DISPLAY -u XDG_RUNTIME_DIR HOME=" + folder.path().string() +
                     " '" + program + "' " + arguments + " >'" + out + "' 2>&1 </dev/null")
                        .c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), sinew::test::read_text(out)};
}

TEST(StudioProgram, TakesAPictureOfItsWindowWithoutADisplay) {
    const TemporaryFolder folder;
    io::write(folder / "tube.glb", sinew::test::sample("tube"));
    const std::string shot = (folder / "shot.png").string();
    const Ran ran = run(SINEW_STUDIO,
                        "'" + (folder / "tube.glb").string() + "' --frame 10 --width 900 --height 600 " +
                            "--screenshot '" + shot + "'",
                        folder);
    ASSERT_EQ(ran.code, 0) << ran.text;
    const render::Picture picture = render::load_picture(shot);
    EXPECT_EQ(picture.width, 900);
    EXPECT_EQ(picture.height, 600);
    int light = 0;
    for (int y = 150; y < 450; ++y)
        for (int x = 310; x < 600; ++x) light += picture.at(x, y)[1] > 110;
    EXPECT_GT(light, 1500) << "the tube is in the middle of it";
}

TEST(StudioProgram, AScriptDoesWhatAPersonWould) {
    const TemporaryFolder folder;
    io::write(folder / "tube.glb", sinew::test::sample("tube"));
    sinew::test::write_text(folder / "steps",
                            "open " + (folder / "tube.glb").string() +
                                "\njoint Upper\nclick +Z\nclick Mesh/Wire\nseek 5\nexport " +
                                (folder / "out.glb").string() + "\n");
    const Ran ran =
        run(SINEW_STUDIO, "--script '" + (folder / "steps").string() + "' --width 900 --height 600", folder);
    ASSERT_EQ(ran.code, 0) << ran.text;
    EXPECT_TRUE(io::read(folder / "out.glb").character.has_skin());
    const Ran bad = run(SINEW_STUDIO, "'" + (folder / "absent.glb").string() + "' --frames 2", folder);
    EXPECT_EQ(bad.code, 1);
    EXPECT_NE(bad.text.find("absent.glb"), std::string::npos) << bad.text;
}

/// Starts a program in the background and returns its number.
pid_t start(const std::string& program, const std::vector<std::string>& words,
            const TemporaryFolder& folder) {
    const pid_t child = ::fork();
    if (child != 0) return child;
    ::unsetenv("DISPLAY");
    ::setenv("HOME", folder.path().c_str(), 1);
    std::vector<char*> arguments = {const_cast<char*>(program.c_str())};
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    ::execv(program.c_str(), arguments.data());
    ::_exit(127);
}

TEST(StudioProgram, AKillWhilePaintingCostsNothing) {
    const TemporaryFolder folder;
    const std::filesystem::path kept = folder / "kept";
    sinew::test::write_text(folder / "steps",
                            "sample tube\npage weights\njoint Upper\nclick Brush/Erase\n"
                            "drag 0.5 0.4 0.5 0.45\nframes 100000\n");
    const pid_t child = start(SINEW_STUDIO,
                              {"--script", (folder / "steps").string(), "--recovery", kept.string(),
                               "--width", "900", "--height", "600"},
                              folder);
    ASSERT_GT(child, 0);
    const std::filesystem::path project = kept / (std::to_string(child) + ".sinew");
    for (int i = 0; i < 3000 && !std::filesystem::exists(project); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << "it painted until it was killed";
    ASSERT_TRUE(std::filesystem::exists(project));
    sinew::test::write_text(folder / "next", "frames 3\nclick Recover\nframes 3\nexport " +
                                                 (folder / "back.glb").string() + "\n");
    const Ran ran = run(SINEW_STUDIO,
                        "--script '" + (folder / "next").string() + "' --recovery '" + kept.string() +
                            "' --width 900 --height 600",
                        folder);
    ASSERT_EQ(ran.code, 0) << ran.text;
    const model::Character back = io::read(folder / "back.glb").character;
    const model::Character& given = sinew::test::sample("tube");
    ASSERT_EQ(back.skin.vertex_count(), given.skin.vertex_count());
    const auto weight = [](const model::Character& c) {
        double sum = 0;
        for (const model::Influence& influence : c.skin.influences)
            if (c.skeleton.joints[static_cast<std::size_t>(c.skin.joints[influence.joint].joint)].name ==
                "Upper")
                sum += static_cast<double>(influence.weight);
        return sum;
    };
    EXPECT_LT(weight(back), weight(given) - 0.5) << "the stroke is there";
    EXPECT_TRUE(std::filesystem::is_empty(kept)) << "and nothing is left behind";
}

TEST(StudioProgram, TheInterfaceIsMeasuredAndEveryEventAnswered) {
    const TemporaryFolder folder;
    for (const char* kind : {"", " strokes"}) {
        sinew::test::write_text(folder / "steps", std::string("sample tube\npace 0.5") + kind + "\n");
        const Ran ran = run(
            SINEW_STUDIO, "--script '" + (folder / "steps").string() + "' --width 900 --height 600", folder);
        ASSERT_EQ(ran.code, 0) << ran.text;
        for (const char* word : {"interface", "processor", "frame", "answer", "median"})
            EXPECT_NE(ran.text.find(word), std::string::npos) << ran.text;
        int frames = 0, answered = 0, events = 0;
        ASSERT_EQ(
            std::sscanf(ran.text.c_str(), "%d frames, %d of %d events answered", &frames, &answered, &events),
            3)
            << ran.text;
        EXPECT_GT(events, 0);
        EXPECT_EQ(answered, events);
    }
}

TEST(StudioProgram, HelpTeachesAndAMissingDisplayIsSaid) {
    const TemporaryFolder folder;
    const Ran help = run(SINEW_STUDIO, "--help", folder);
    EXPECT_EQ(help.code, 0);
    for (const char* word : {"--skeleton-method", "--screenshot", "walk.bvh", "click NAME"})
        EXPECT_NE(help.text.find(word), std::string::npos) << word;
    EXPECT_EQ(run(SINEW_STUDIO, "--nonsense", folder).code, 2);
    const Ran alone = run(SINEW_STUDIO, "--sample tube", folder);
    EXPECT_EQ(alone.code, 1);
    EXPECT_NE(alone.text.find("display"), std::string::npos) << alone.text;
}

}  // namespace
}  // namespace sinew::studio
