// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/deform/deformer.h"
#include "sinew/render/figures.h"

namespace sinew::render {

DifferencePicture render_difference(Renderer& renderer, const model::Character& character,
                                    const model::Clip* clip, double time, deform::Method a, deform::Method b,
                                    const RenderOptions& options, Monitor& monitor) {
    if (!character.has_skin()) fail(character.name, "has no skin to deform");
    deform::Deformer first(character, {.method = a}), second(character, {.method = b});
    const float diagonal = std::max(1e-30f, geometry::bounds(character.mesh.positions).diagonal());
    RenderOptions settings = options;
    settings.coloring = Coloring::values;
    settings.values =
        deform::vertex_distances(first.at(clip, time).positions, second.at(clip, time).positions);
    double sum = 0;
    for (float& value : settings.values) {
        value *= 100 / diagonal;
        sum += double(value) * value;
    }
    settings.method = b;
    settings.range = ValueRange{0, std::max(1e-6f, value_range(settings.values).high)};
    DifferencePicture result;
    result.max_percent = value_range(settings.values).high;
    result.rms_percent =
        std::sqrt(sum / static_cast<double>(std::max<std::size_t>(1, settings.values.size())));
    const Picture picture = render_character(renderer, character, clip, time, settings, monitor);
    result.picture =
        with_color_bar(with_caption(picture, fmt::format("{} - {}", deform::name(b), deform::name(a))),
                       *settings.range, "distance, percent of the diagonal");
    return result;
}

}  // namespace sinew::render
