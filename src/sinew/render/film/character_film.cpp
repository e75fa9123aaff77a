// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/render/film.h"

namespace sinew::render {
namespace {

/// Bounding boxes of a motion: of the whole motion, and of each frame.
struct MotionBoxes {
    Box whole;
    std::vector<Box> frames;
};

MotionBoxes motion_boxes(CharacterRenderer& drawer, const model::Clip& clip, const FilmRange& range,
                         Monitor& monitor) {
    MotionBoxes boxes;
    for (std::size_t i = 0; i < range.frames; ++i) {
        step(monitor, "measure", static_cast<double>(i) / static_cast<double>(range.frames));
        drawer.pose(&clip, range.time(i));
        const Box box = drawer.bounds();
        boxes.frames.push_back(box);
        if (box.empty()) continue;
        boxes.whole.include(box.low);
        boxes.whole.include(box.high);
    }
    return boxes;
}

/// Centres of the frames on the ground, smoothed by a Gaussian of `sigma` frames so that steps do not shake
/// the picture.
std::vector<Vec3f> smooth_path(const std::vector<Box>& frames, double sigma) {
    const auto count = static_cast<std::ptrdiff_t>(frames.size());
    const auto reach = static_cast<std::ptrdiff_t>(std::ceil(3 * sigma));
    std::vector<Vec3f> path;
    for (std::ptrdiff_t i = 0; i < count; ++i) {
        math::Vec3d sum = math::Vec3d::Zero();
        double weights = 0;
        for (std::ptrdiff_t k = -reach; k <= reach; ++k) {
            const Box& box =
                frames[static_cast<std::size_t>(std::clamp(i + k, std::ptrdiff_t{0}, count - 1))];
            const double x = static_cast<double>(k) / sigma;
            const double weight = std::exp(-0.5 * x * x);
            sum += weight * box.center().cast<double>();
            weights += weight;
        }
        path.emplace_back((sum / weights).cast<float>());
    }
    return path;
}

/// A box that contains every frame when it moves along the path.
Box box_along(const std::vector<Box>& frames, const std::vector<Vec3f>& path) {
    Box box;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        if (frames[i].empty()) continue;
        box.include(frames[i].low - path[i]);
        box.include(frames[i].high - path[i]);
    }
    return box;
}

Camera moved(Camera camera, const Vec3f& by) {
    camera.eye += by;
    camera.target += by;
    return camera;
}

}  // namespace

FilmRange film_range(const model::Clip& clip, double rate) {
    const model::TimeRange times = model::time_range(clip);
    const double frames = std::floor(times.duration() * rate + 1e-6) + 1;
    if (!(rate > 0) || !(frames >= 1 && frames <= 1e7))
        fail(clip.name, "a film of {} s at {} frames per second is out of range", times.duration(), rate);
    return {times.start, rate, static_cast<std::size_t>(frames)};
}

std::size_t render_character_film(Renderer& renderer, const std::filesystem::path& path,
                                  const model::Character& character, const model::Clip& clip,
                                  const RenderOptions& options, const FilmOptions& film, Monitor& monitor) {
    // First, so that a missing ffmpeg is reported before any work is done.
    FilmWriter writer(path, options.width, options.height, film);
    const FilmRange range = film_range(clip, film.rate);
    CharacterRenderer drawer(renderer, character, options, monitor);
    const MotionBoxes boxes = motion_boxes(drawer, clip, range, monitor);
    const bool follow = options.film_camera == FilmCamera::follow;
    const std::vector<Vec3f> centers =
        follow ? smooth_path(boxes.frames, 0.4 * film.rate) : std::vector<Vec3f>(range.frames, Vec3f::Zero());
    const float aspect = static_cast<float>(options.width) / static_cast<float>(options.height);
    const Camera camera =
        options.camera
            ? *options.camera
            : fit(options.view, follow ? box_along(boxes.frames, centers) : boxes.whole, aspect, options.fit);
    drawer.set_ground(boxes.whole);
    // The same grid and fading in every frame.
    const float size = boxes.frames.front().diagonal();
    drawer.scene().ground.spacing = std::pow(10.0f, std::floor(std::log10(std::max(size, 1e-20f))));
    drawer.scene().ground.reach = 4 * std::max(size, follow ? 0.0f : 0.6f * boxes.whole.diagonal());
    for (std::size_t i = 0; i < range.frames; ++i) {
        step(monitor, "film", static_cast<double>(i) / static_cast<double>(range.frames));
        drawer.pose(&clip, range.time(i));
        writer.add(drawer.picture(moved(camera, centers[i])));
    }
    writer.finish();
    step(monitor, "film", 1);
    return range.frames;
}

}  // namespace sinew::render
