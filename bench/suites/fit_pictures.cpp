// SPDX-License-Identifier: MIT
#include "fit_tables.h"

#include "sinew/render/figures.h"
#include "sinew/render/renderer.h"

namespace sinew::bench {
namespace {

render::Plot log_plot(std::string title, std::string x, std::string y) {
    render::Plot plot;
    plot.title = std::move(title);
    plot.x.label = std::move(x);
    plot.y.label = std::move(y);
    plot.y.scale = render::AxisScale::logarithmic;
    return plot;
}

std::vector<math::Vec3f> singles(const std::vector<math::Vec3d>& points) {
    std::vector<math::Vec3f> result;
    for (const math::Vec3d& p : points) result.push_back(p.cast<float>());
    return result;
}

/// Draws one mesh in one place, again and again.
class FitPainter {
  public:
    FitPainter(const model::MeshSequence& sequence, std::size_t frame)
        : mesh_(renderer_, sequence.rest),
          camera_(render::fit(render::axes_of(0.6f, 0.35f), sequence.frames[frame], 1.2f)) {
        geometry::Box box;
        for (const auto& p : sequence.frames[frame]) box.include(p);
        ground_ = box.low.y() - 0.01f;
    }
    render::Picture draw(const std::vector<math::Vec3f>& positions, std::span<const math::Vec4f> colors,
                         std::string_view caption, const render::Overlay& overlay = {}) {
        render::Scene scene;
        render::Drawable& drawable = scene.drawables.emplace_back();
        drawable.mesh = mesh_.id();
        drawable.positions = positions;
        drawable.colors = colors;
        drawable.surface = colors.empty() ? render::Surface::plain : render::Surface::colors;
        scene.overlays.push_back(overlay);
        scene.ground.height = ground_;
        return render::with_caption(renderer_.render(scene, camera_, {480, 400, 4}), std::string(caption));
    }

  private:
    render::Renderer renderer_;
    render::MeshHold mesh_;
    render::Camera camera_;
    float ground_ = 0;
};

std::vector<math::Vec4f> heat(const fit::SequenceError& error, float hottest) {
    std::vector<float> values;
    for (const double v : error.vertex_rms) values.push_back(static_cast<float>(v));
    return render::scalar_colors(values, {0, hottest});
}

}  // namespace

void plot_corrections(const std::filesystem::path& folder, const model::MeshSequence& sequence,
                      const fit::FitResult& fit) {
    render::Plot plot =
        log_plot("Error over corrections", "corrections", "% error, singular value in model units");
    render::Series error, values;
    error.name = "error, %";
    values.name = "singular value";
    for (std::size_t f = 0; f <= fit.corrections.count(); ++f) {
        const double percent = fit::fit_error(sequence, fit, static_cast<int>(f)).error_percent;
        error.points.push_back({static_cast<double>(f), percent});
        if (f < fit.corrections.count())
            values.points.push_back({static_cast<double>(f + 1), fit.corrections.singular_values[f]});
    }
    plot.series = {error, values};
    render::save_plot(folder / "fit_corrections.svg", plot);
    render::Plot frames = log_plot("Error over time", "frame", "rms distance, model units");
    for (const int count : {0, 1, 5}) {
        render::Series& series = frames.series.emplace_back();
        series.name = fmt::format("{} corrections", count);
        const std::vector<double> rms = fit::fit_error(sequence, fit, count).frame_rms;
        for (std::size_t f = 0; f < rms.size(); ++f)
            series.points.push_back({static_cast<double>(f), rms[f]});
    }
    render::save_plot(folder / "fit_frames.svg", frames);
}

void draw_fit(const std::filesystem::path& folder, const model::MeshSequence& sequence,
              const fit::FitResult& fit) {
    const fit::SequenceError plain = fit::fit_error(sequence, fit, 0),
                             corrected = fit::fit_error(sequence, fit);
    const std::size_t frame = plain.worst_frame;
    FitPainter painter(sequence, frame);
    const auto hottest =
        static_cast<float>(*std::max_element(plain.vertex_rms.begin(), plain.vertex_rms.end()));
    const auto fitted = singles(fit::deformed(fit, frame, 0)), better = singles(fit::deformed(fit, frame));
    render::Overlay joints;
    joints.layer = render::Layer::top;
    for (std::size_t j = 0; j < fit.bone_count(); ++j) {
        const math::Vec3d center = fit::to_matrix(fit.frames[frame].duals[j]) * fit.centers[j].homogeneous();
        joints.spheres.push_back({center.cast<float>(), 0.012f, render::joint_color(j)});
    }
    const auto influences = render::weight_colors(fit::to_skin(fit.weights, fit.centers));
    const std::vector<render::Picture> pictures = {
        painter.draw(sequence.frames[frame], {}, "original"),
        painter.draw(fitted, {}, fmt::format("fitted, {:.3f} %", plain.error_percent)),
        painter.draw(better, {}, fmt::format("corrected, {:.3f} %", corrected.error_percent)),
        painter.draw(fitted, influences, "joints and influences", joints),
        painter.draw(fitted, heat(plain, hottest), fmt::format("error up to {:.2g}", hottest)),
        painter.draw(better, heat(corrected, hottest), "error left by corrections")};
    render::save_png(folder / "fit_views.png", render::contact_sheet(pictures, {.columns = 3}));
}

}  // namespace sinew::bench
