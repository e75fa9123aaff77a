// SPDX-License-Identifier: MIT
#include "sinew/render/film.h"

#include <optional>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/system.h"
#include "sinew/base/text.h"

namespace sinew::render {
namespace {

/// Encoder options by suffix. H.264 and VP9 store half as many colour samples per direction, so odd sides get
/// one more row or column; colours are converted and tagged as BT.709, which players assume.
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
        // One palette for the whole film, computed from the film.
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

}  // namespace

struct FilmWriter::State {
    std::filesystem::path path;
    PendingFile pending;
    int width;
    int height;
    std::optional<FedProgram> ffmpeg;
    std::size_t count = 0;

    State(std::filesystem::path target, int width_, int height_)
        : path(target), pending(std::move(target)), width(width_), height(height_) {}

    [[noreturn]] void give_up() {
        ffmpeg->finish();
        const std::string text = ffmpeg->errors().substr(0, 2000);
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
    const std::optional<std::filesystem::path> program = find_program("ffmpeg");
    if (!program)
        fail(location,
             "films need the program ffmpeg, which is not installed; on Debian: apt-get install ffmpeg");
    if (std::filesystem::is_directory(path)) fail(location, "cannot write: is a folder");
    const std::filesystem::path folder = path.parent_path();
    if (!folder.empty() && !std::filesystem::is_directory(folder))
        fail(location, "cannot write: no such folder");
    state_ = std::make_unique<State>(std::move(path), width, height);
    std::vector<std::string> arguments =
        all_arguments(state_->path, state_->pending.path(), width, height, options);
    arguments[0] = program->string();
    state_->ffmpeg.emplace(arguments);
}

FilmWriter::~FilmWriter() = default;

void FilmWriter::add(const Picture& frame) {
    State& state = *state_;
    if (frame.width != state.width || frame.height != state.height)
        fail(state.path.string(), "frame {} has {} x {} pixels, the film {} x {}", state.count, frame.width,
             frame.height, state.width, state.height);
    if (!state.ffmpeg->feed(std::as_bytes(std::span(frame.pixels)))) state.give_up();
    ++state.count;
}

void FilmWriter::finish() {
    State& state = *state_;
    if (state.count == 0) fail(state.path.string(), "a film needs at least one frame");
    if (!state.ffmpeg->finish()) state.give_up();
    state.pending.commit();
}

bool has_ffmpeg() {
    return find_program("ffmpeg").has_value();
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
