// SPDX-License-Identifier: MIT
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/render/film.h"
#include "sinew/render/gl/gpu_skinner.h"

namespace sinew::render {
namespace {

/// Palettes of all frames of a clip, concatenated.
std::vector<deform::Mat34f> clip_palettes(const model::Character& character, const model::Clip& clip,
                                          const FilmRange& range) {
    std::vector<deform::Mat34f> all;
    for (std::size_t f = 0; f < range.frames; ++f) {
        const auto frame = deform::to_mat34(
            model::palette(character.skin, model::world_matrices(character, &clip, range.time(f))));
        all.insert(all.end(), frame.begin(), frame.end());
    }
    return all;
}

/// Rows that are about as wide as deep, each character at another time of the clip.
std::vector<CrowdMember> crowd_members(const Box& one, std::size_t count, std::size_t frames) {
    const auto columns = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(count))));
    const float apart = 1.2f * std::max(one.high.x() - one.low.x(), one.high.z() - one.low.z());
    std::vector<CrowdMember> members(count);
    for (std::size_t i = 0; i < count; ++i) {
        members[i].frame = static_cast<std::int32_t>(7 * i % frames);
        members[i].placement.topRightCorner<3, 1>() =
            apart * Vec3f(static_cast<float>(i % columns), 0, -static_cast<float>(i / columns));
    }
    return members;
}

}  // namespace

Picture render_crowd(Renderer& renderer, const model::Character& character, const model::Clip& clip,
                     std::size_t count, const RenderOptions& options) {
    if (!character.has_skin()) fail(character.name, "has no skin: a crowd is skinned on the graphics card");
    if (count == 0) fail(character.name, "a crowd has at least one member");
    check_size(options.width, options.height);
    GpuSkinner skinner(renderer, character.mesh, character.skin, &character.skeleton);
    const FilmRange range = film_range(clip);
    skinner.set_palettes(clip_palettes(character, clip, range), options.method);
    const CrowdMember first;
    const std::vector<CrowdMember> members =
        crowd_members(skinner.bounds({&first, 1}), count, skinner.frame_count());
    const Box box = skinner.bounds(members);
    Scene scene;
    scene.crowds.push_back({&skinner, members});
    scene.ground.visible = options.ground;
    scene.ground.height = options.ground_height.value_or(box.low.y());
    scene.background = options.background;
    scene.lighting = options.lighting;
    const float aspect = static_cast<float>(options.width) / static_cast<float>(options.height);
    const Camera camera = options.camera.value_or(fit(options.view, box, aspect, options.fit));
    return renderer.render(scene, camera, {options.width, options.height, options.samples});
}

}  // namespace sinew::render
