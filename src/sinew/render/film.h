#pragma once
/// \file
/// Films: raw frames piped to the program ffmpeg.

#include <filesystem>
#include <functional>
#include <memory>

#include "sinew/base/monitor.h"
#include "sinew/render/renderer.h"

namespace sinew::render {

struct FilmOptions {
    double rate = 30;  ///< frames a second
    int quality = 18;  ///< constant rate factor of the encoder: lower is better and larger, 0 .. 51
};

/// Writes a film frame by frame. The suffix chooses the kind: mp4, mov, mkv (H.264), webm (VP9), gif. The
/// file appears when `finish` succeeds; before that, and after a failure, there is none.
class FilmWriter {
  public:
    /// \throws Error when ffmpeg is not installed (and what to install), or the suffix, size or rate is no
    /// good.
    FilmWriter(std::filesystem::path path, int width, int height, const FilmOptions& options = {});
    FilmWriter(const FilmWriter&) = delete;
    FilmWriter& operator=(const FilmWriter&) = delete;
    ~FilmWriter();

    /// \throws Error when the size differs from the film's or ffmpeg has given up.
    void add(const Picture& frame);
    /// \throws Error with ffmpeg's own words when it failed.
    void finish();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// True when films can be written here.
bool has_ffmpeg();

/// Writes `count` frames; `frame(i)` gives each. All must have the size of the first.
void render_film(const std::filesystem::path& path, std::size_t count, const FilmOptions& options,
                 const std::function<Picture(std::size_t)>& frame, Monitor& monitor = silent());

}  // namespace sinew::render
