#include "sinew/render/stages.h"

#include "sinew/render/contact_sheet.h"

namespace sinew::render {

Picture step_sheet(const std::vector<StepPicture>& stages, int columns) {
    std::vector<Picture> pictures;
    for (const StepPicture& stage : stages)
        pictures.push_back(with_caption(stage.picture, stage.name + ": " + stage.what));
    return contact_sheet(pictures, {.columns = columns});
}

StepPainter::StepPainter(Renderer& renderer, const geometry::Mesh& mesh, const StepPictureOptions& options)
    : renderer_(renderer), mesh_(mesh), options_(options), held_(renderer, mesh) {}

Picture StepPainter::glass(const ViewAxes& axes, Overlay overlay) {
    Drawable body;
    body.surface = Surface::plain;
    body.color = {0.45f, 0.47f, 0.50f, 1};
    body.opacity = 0.35f;
    overlay.layer = Layer::top;
    return paint(axes, body, std::move(overlay), options_.width);
}

Picture StepPainter::colored(const ViewAxes& axes, const std::vector<Vec4f>& colors, Overlay overlay) {
    Drawable body;
    body.surface = Surface::colors;
    body.colors = colors;
    overlay.layer = Layer::scene;
    return paint(axes, body, std::move(overlay), options_.width);
}

Picture StepPainter::heat(const ViewAxes& axes, const std::vector<float>& values, const ValueRange& range,
                           std::string_view label) {
    const std::vector<Vec4f> colors = scalar_colors(values, range);
    Drawable body;
    body.surface = Surface::colors;
    body.colors = colors;
    const auto bar = [&](const Picture& picture) { return with_color_bar(picture, range, label); };
    // The bar is as wide as its numbers; a dry run tells.
    const int beside = bar(Picture(1, options_.height)).width - 1;
    return bar(paint(axes, body, {}, std::max(options_.width - beside, 1)));
}

Picture StepPainter::paint(const ViewAxes& axes, Drawable body, Overlay overlay, int width) {
    body.mesh = held_.id();
    Scene scene;
    scene.drawables.push_back(body);
    scene.overlays.push_back(std::move(overlay));
    scene.ground.visible = false;
    scene.background.center = scene.background.edge = Vec3f(0.95f, 0.95f, 0.95f);
    const float aspect = static_cast<float>(width) / static_cast<float>(options_.height);
    FitOptions fit_options;
    fit_options.orthographic = true;
    const Camera camera = fit(axes, mesh_.positions, aspect, fit_options);
    return renderer_.render(scene, camera, {width, options_.height});
}

SegmentShape step_line(const math::Vec3d& a, const math::Vec3d& b, const Vec4f& color, float width) {
    return {a.cast<float>(), b.cast<float>(), color, width};
}

}  // namespace sinew::render
