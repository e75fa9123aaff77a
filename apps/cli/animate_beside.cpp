#include "animate_beside.h"

#include <cerrno>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sinew/base/error.h"

extern char** environ;

namespace sinew::cli {
namespace {

/// Runs ffmpeg with its complaints on standard error; false when it cannot be started or fails.
bool run_ffmpeg(const std::vector<std::string>& arguments) {
    std::vector<char*> raw;
    for (const std::string& argument : arguments) raw.push_back(const_cast<char*>(argument.c_str()));
    raw.push_back(nullptr);
    pid_t child = 0;
    if (::posix_spawnp(&child, "ffmpeg", nullptr, nullptr, raw.data(), environ) != 0) return false;
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

void add_beside_options(CLI::App& verb, BesideOptions& options) {
    verb.add_option("--beside", options.video, "Video of the trial, to stand beside the character in a film")
        ->type_name("VIDEO");
    verb.add_option("--beside-start", options.start, "Second of that video at which the motion begins")
        ->check(CLI::NonNegativeNumber);
}

void set_beside(Run& run, const BesideOptions& options, int height, const std::filesystem::path& film) {
    if (!std::filesystem::is_regular_file(options.video)) fail(options.video.string(), "is no video file");
    const StageTimer timer(run.report, "beside");
    std::filesystem::path both = film;
    both.replace_filename("." + film.stem().string() + ".beside" + film.extension().string());
    const int even = height + height % 2;
    const std::string filter = fmt::format(
        "[0:v]setpts=PTS-STARTPTS[a];[1:v]setpts=PTS-STARTPTS,scale=-2:{}[b];[a][b]hstack=inputs=2:shortest="
        "1,"
        "format=yuv420p",
        even);
    const bool done = run_ffmpeg({"ffmpeg",
                                  "-hide_banner",
                                  "-loglevel",
                                  "error",
                                  "-nostdin",
                                  "-y",
                                  "-i",
                                  film.string(),
                                  "-ss",
                                  fmt::format("{}", options.start),
                                  "-i",
                                  options.video.string(),
                                  "-filter_complex",
                                  filter,
                                  "-an",
                                  "-map_metadata",
                                  "-1",
                                  "-fflags",
                                  "+bitexact",
                                  "-threads",
                                  "2",
                                  both.string()});
    std::error_code ignored;
    if (!done) {
        std::filesystem::remove(both, ignored);
        fail(options.video.string(),
             "ffmpeg could not set it beside the film (a film is mp4, mov, mkv or webm)");
    }
    std::filesystem::rename(both, film);
    warn(run.monitor, "beside-person", "the film shows the video beside the character: it is not anonymous");
    run.report.extra["beside"] = {{"start", options.start}};
}

}  // namespace sinew::cli
