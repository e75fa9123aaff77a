// SPDX-License-Identifier: MIT
#include "sinew/render/film.h"

#include <cstdio>
#include <cstdlib>

#include "support/data.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"

namespace sinew::render {
namespace {

/// Sets a variable of the environment for as long as it lives.
class WithPath {
  public:
    explicit WithPath(const std::string& value) : old_(std::getenv("PATH")) {
        ::setenv("PATH", value.c_str(), 1);
    }
    ~WithPath() { ::setenv("PATH", old_.c_str(), 1); }
    WithPath(const WithPath&) = delete;
    WithPath& operator=(const WithPath&) = delete;

  private:
    std::string old_;
};

std::string output_of(const std::string& command) {
    std::string text;
    if (std::FILE* pipe = ::popen(command.c_str(), "r")) {
        for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
        ::pclose(pipe);
    }
    return text;
}

Picture frame(std::size_t i, int width = 64, int height = 48) {
    return Picture(width, height, {static_cast<std::uint8_t>(20 * i), 100, 200, 255});
}

std::size_t files_in(const std::filesystem::path& folder) {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator()));
}

#define NEEDS_FFMPEG() \
    if (!has_ffmpeg()) GTEST_SKIP() << "ffmpeg is not installed"

TEST(Film, HasAllItsFrames) {
    NEEDS_FFMPEG();
    const sinew::test::TemporaryFolder folder;
    const std::filesystem::path path = folder / "film.mp4";
    render_film(path, 11, {.rate = 25}, [](std::size_t i) { return frame(i, 65, 47); });
    const std::string facts = output_of(
        "ffprobe -v error -count_frames -show_entries "
        "stream=nb_read_frames,width,height,r_frame_rate,codec_name -of csv=p=0 '" +
        path.string() + "'");
    EXPECT_EQ(facts, "h264,66,48,25/1,11\n") << "odd sides are made even";
    EXPECT_EQ(files_in(folder.path()), 1u);
}

TEST(Film, SameFramesSameBytes) {
    NEEDS_FFMPEG();
    const sinew::test::TemporaryFolder folder;
    for (const char* name : {"a.mp4", "b.mp4"})
        render_film(folder / name, 5, {}, [](std::size_t i) { return frame(i); });
    const std::string a = sinew::test::read_text(folder / "a.mp4");
    EXPECT_GT(a.size(), 500u);
    EXPECT_EQ(a, sinew::test::read_text(folder / "b.mp4"));
}

TEST(Film, GifAndWebm) {
    NEEDS_FFMPEG();
    const sinew::test::TemporaryFolder folder;
    for (const char* name : {"a.gif", "a.webm"}) {
        render_film(folder / name, 4, {}, [](std::size_t i) { return frame(i); });
        EXPECT_EQ(
            output_of("ffprobe -v error -count_frames -show_entries stream=nb_read_frames -of csv=p=0 '" +
                      (folder / name).string() + "'"),
            "4\n")
            << name;
    }
}

TEST(Film, WithoutFfmpegSaysWhatToInstall) {
    const sinew::test::TemporaryFolder folder;
    const WithPath path(folder.path().string());
    EXPECT_FALSE(has_ffmpeg());
    try {
        FilmWriter writer(folder / "film.mp4", 64, 48);
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(error.reason().find("apt-get install ffmpeg"), std::string::npos) << error.what();
    }
    EXPECT_EQ(files_in(folder.path()), 0u);
}

TEST(Film, AnAbandonedFilmLeavesNothing) {
    NEEDS_FFMPEG();
    const sinew::test::TemporaryFolder folder;
    {
        FilmWriter writer(folder / "film.mp4", 64, 48);
        writer.add(frame(0));
        EXPECT_THROW(writer.add(frame(1, 32, 32)), Error);
    }
    EXPECT_THROW(
        render_film(folder / "film.mp4", 3, {},
                    [](std::size_t i) -> Picture { return i < 2 ? frame(i) : throw Error("", "broken"); }),
        Error);
    EXPECT_EQ(files_in(folder.path()), 0u);
}

TEST(Film, AProgramThatFailsIsAnErrorWithItsWords) {
    const sinew::test::TemporaryFolder folder;
    const std::filesystem::path fake = folder / "ffmpeg";
    sinew::test::write_text(fake, "#!/bin/sh\necho no encoder today >&2\nexit 1\n");
    std::filesystem::permissions(fake, std::filesystem::perms::owner_all);
    const WithPath path(folder.path().string() + ":/bin:/usr/bin");
    try {
        // More than a socket's buffer holds, so that the broken connection is met while writing.
        render_film(folder / "film.mp4", 50, {}, [](std::size_t i) { return frame(i, 256, 256); });
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(error.reason().find("no encoder today"), std::string::npos) << error.what();
    }
    EXPECT_EQ(files_in(folder.path()), 1u) << "the fake program alone";
}

TEST(Film, BadRequestsAreErrors) {
    const sinew::test::TemporaryFolder folder;
    const auto never = [](std::size_t) { return frame(0); };
    EXPECT_THROW(render_film(folder / "film.mp4", 0, {}, never), Error);
    EXPECT_THROW(render_film(folder / "film.mp4", 1, {.rate = 0}, never), Error);
    EXPECT_THROW(render_film(folder / "film.mp4", 1, {.rate = 30, .quality = 99}, never), Error);
    EXPECT_THROW(render_film(folder / "film.xyz", 1, {}, never), Error);
    EXPECT_THROW(render_film(folder / "none/film.mp4", 1, {}, never), Error);
    EXPECT_EQ(files_in(folder.path()), 0u);
}

}  // namespace
}  // namespace sinew::render
