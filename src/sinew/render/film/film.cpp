// SPDX-License-Identifier: MIT
#include "sinew/render/film.h"

#include <array>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <sstream>

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/text.h"

extern char** environ;

namespace sinew::render {
namespace {

/// The program on the search path, or nothing.
std::optional<std::string> find_ffmpeg() {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin");
    for (std::string folder; std::getline(folders, folder, ':');) {
        const std::filesystem::path program = std::filesystem::path(folder.empty() ? "." : folder) / "ffmpeg";
        std::error_code ignored;
        if (std::filesystem::is_regular_file(program, ignored) && ::access(program.c_str(), X_OK) == 0)
            return program.string();
    }
    return std::nullopt;
}

/// How to encode by suffix. H.264 and VP9 take half as many colour samples each way, so odd sides get one
/// more row or column; colours are converted and tagged as BT.709, which is what players assume.
std::vector<std::string> encoder_arguments(const std::filesystem::path& path, int quality) {
    const std::string kind = suffix(path);
    const std::string even =
        "pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p";
    const std::string crf = std::to_string(quality);
    const std::vector<std::string> tags = {"-colorspace", "bt709",      "-color_primaries",
                                           "bt709",       "-color_trc", "bt709"};
    std::vector<std::string> arguments;
    if (kind == "mp4" || kind == "mov" || kind == "mkv") {
        arguments = {"-vf", even, "-c:v", "libx264", "-preset", "medium", "-crf", crf};
        if (kind != "mkv") arguments.insert(arguments.end(), {"-movflags", "+faststart"});
    } else if (kind == "webm") {
        arguments = {"-vf", even, "-c:v", "libvpx-vp9", "-b:v", "0", "-crf", crf, "-row-mt", "1"};
    } else if (kind == "gif") {
        // One palette for the whole film, made from the film.
        return {"-filter_complex",
                "split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=bayer:bayer_scale=4",
                "-loop", "0"};
    } else {
        fail(path.string(), "a film cannot be written as \"{}\": use mp4, mov, mkv, webm or gif", kind);
    }
    arguments.insert(arguments.end(), tags.begin(), tags.end());
    return arguments;
}

std::vector<std::string> all_arguments(const std::filesystem::path& target,
                                       const std::filesystem::path& written, int width, int height,
                                       const FilmOptions& options) {
    // A fixed thread count and bit-exact headers: the same frames give the same file.
    std::vector<std::string> arguments = {"ffmpeg",     "-hide_banner",
                                          "-loglevel",  "error",
                                          "-nostdin",   "-y",
                                          "-f",         "rawvideo",
                                          "-pix_fmt",   "rgba",
                                          "-s",         fmt::format("{}x{}", width, height),
                                          "-framerate", fmt::format("{}", options.rate),
                                          "-i",         "pipe:0"};
    const std::vector<std::string> encoder = encoder_arguments(target, options.quality);
    arguments.insert(arguments.end(), encoder.begin(), encoder.end());
    arguments.insert(arguments.end(), {"-threads", "2", "-fflags", "+bitexact", "-flags:v", "+bitexact",
                                       "-map_metadata", "-1", std::filesystem::absolute(written).string()});
    return arguments;
}

void close_descriptor(int& fd) {
    if (fd >= 0) ::close(fd);
    fd = -1;
}

/// Starts a program with the given standard input and error; 0 when it cannot.
pid_t start(const std::string& program, const std::vector<std::string>& arguments, int input, int errors) {
    std::vector<char*> raw;
    for (const std::string& argument : arguments) raw.push_back(const_cast<char*>(argument.c_str()));
    raw.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, errors, 2);
    pid_t child = 0;
    const int code = ::posix_spawn(&child, program.c_str(), &actions, nullptr, raw.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    return code == 0 ? child : 0;
}

}  // namespace

struct FilmWriter::State {
    std::filesystem::path path;
    PendingFile pending;
    int width;
    int height;
    pid_t child = 0;
    int frames_out = -1;  ///< our end of the pipe
    std::FILE* messages = nullptr;
    std::size_t count = 0;

    State(std::filesystem::path target, int width_, int height_)
        : path(target), pending(std::move(target)), width(width_), height(height_) {}
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
        close_descriptor(frames_out);
        wait();
        if (messages != nullptr) std::fclose(messages);
    }

    /// Waits for the program to end; true when it did well.
    bool wait() {
        if (child == 0) return false;
        int status = 0;
        while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
        }
        child = 0;
        return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }

    [[noreturn]] void give_up() {
        close_descriptor(frames_out);
        wait();
        std::string text(2000, '\0');
        std::rewind(messages);
        text.resize(std::fread(text.data(), 1, text.size(), messages));
        const std::string_view reason = trim(text);
        fail(path.string(), "ffmpeg could not write the film: {}",
             reason.empty() ? "it gave no reason" : reason);
    }
};

FilmWriter::FilmWriter(std::filesystem::path path, int width, int height, const FilmOptions& options) {
    check_size(width, height);
    const std::string location = path.string();
    if (!(options.rate > 0 && options.rate <= 1000))
        fail(location, "a film cannot have {} frames per second", options.rate);
    if (options.quality < 0 || options.quality > 51)
        fail(location, "a quality of {} is out of range: it ranges from 0 (best) to 51", options.quality);
    const std::optional<std::string> program = find_ffmpeg();
    if (!program)
        fail(location,
             "films need the program ffmpeg, which is not installed; on Debian: apt-get install ffmpeg");
    if (std::filesystem::is_directory(path)) fail(location, "cannot write: is a folder");
    const std::filesystem::path folder = path.parent_path();
    if (!folder.empty() && !std::filesystem::is_directory(folder))
        fail(location, "cannot write: no such folder");
    state_ = std::make_unique<State>(std::move(path), width, height);
    const std::vector<std::string> arguments =
        all_arguments(state_->path, state_->pending.path(), width, height, options);
    // A socket instead of a pipe: writing to one that was closed is an error here, not a signal to the whole
    // program.
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        fail(location, "cannot talk to ffmpeg: {}", std::strerror(errno));
    state_->frames_out = ends[0];
    state_->messages = std::tmpfile();
    if (state_->messages != nullptr)
        state_->child = start(*program, arguments, ends[1], ::fileno(state_->messages));
    close_descriptor(ends[1]);
    if (state_->child == 0) fail(location, "cannot start {}", *program);
}

FilmWriter::~FilmWriter() = default;

void FilmWriter::add(const Picture& frame) {
    State& state = *state_;
    if (frame.width != state.width || frame.height != state.height)
        fail(state.path.string(), "frame {} has {} x {} pixels, the film {} x {}", state.count, frame.width,
             frame.height, state.width, state.height);
    Bytes bytes = std::as_bytes(std::span(frame.pixels));
    while (!bytes.empty()) {
        const ssize_t sent = ::send(state.frames_out, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) state.give_up();
        bytes = bytes.subspan(static_cast<std::size_t>(sent));
    }
    ++state.count;
}

void FilmWriter::finish() {
    State& state = *state_;
    if (state.count == 0) fail(state.path.string(), "a film needs at least one frame");
    close_descriptor(state.frames_out);
    if (!state.wait()) state.give_up();
    state.pending.commit();
}

bool has_ffmpeg() {
    return find_ffmpeg().has_value();
}

void render_film(const std::filesystem::path& path, std::size_t count, const FilmOptions& options,
                 const std::function<Picture(std::size_t)>& frame, Monitor& monitor) {
    if (count == 0) fail(path.string(), "a film needs at least one frame");
    std::optional<FilmWriter> writer;
    for (std::size_t i = 0; i < count; ++i) {
        step(monitor, "film", static_cast<double>(i) / static_cast<double>(count));
        const Picture picture = frame(i);
        if (!writer) writer.emplace(path, picture.width, picture.height, options);
        writer->add(picture);
    }
    writer->finish();
    step(monitor, "film", 1);
}

}  // namespace sinew::render
