// SPDX-License-Identifier: MIT
#include "render/scenes.h"

#include <cmath>

#include "sinew/math/quaternion.h"

namespace sinew::render::test {

Renderer& renderer() {
    static Renderer shared;
    return shared;
}

geometry::Mesh quad(float left, float bottom, float right, float top, float z) {
    geometry::Mesh mesh;
    mesh.positions = {{left, bottom, z}, {right, bottom, z}, {right, top, z}, {left, top, z}};
    mesh.uvs[0] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
    return mesh;
}

Camera square_camera() {
    Camera camera;
    camera.eye = {0, 0, 5};
    camera.orthographic = true;
    camera.height = 2;
    return camera;
}

Scene bare_scene() {
    Scene scene;
    scene.ground.visible = false;
    scene.background.center = scene.background.edge = Vec3f::Zero();
    scene.lighting.shadows = false;
    return scene;
}

Drawable unlit(MeshId mesh, const math::Vec4f& color) {
    Drawable drawable;
    drawable.mesh = mesh;
    drawable.surface = Surface::plain;
    drawable.shading = Shading::unlit;
    drawable.color = color;
    return drawable;
}

namespace {

constexpr std::uint32_t around = 24;
constexpr std::uint32_t rings = 41;

void add_tube_surface(geometry::Mesh& mesh) {
    for (std::uint32_t r = 0; r < rings; ++r)
        for (std::uint32_t a = 0; a < around; ++a) {
            const float angle = 2 * static_cast<float>(math::pi) * static_cast<float>(a) / around;
            mesh.positions.emplace_back(0.2f * std::sin(angle), 2.0f * static_cast<float>(r) / (rings - 1),
                                        0.2f * std::cos(angle));
        }
    const auto at = [](std::uint32_t r, std::uint32_t a) { return r * around + a % around; };
    for (std::uint32_t r = 0; r + 1 < rings; ++r)
        for (std::uint32_t a = 0; a < around; ++a) {
            mesh.triangles.push_back({at(r, a), at(r, a + 1), at(r + 1, a + 1)});
            mesh.triangles.push_back({at(r, a), at(r + 1, a + 1), at(r + 1, a)});
        }
    const auto bottom = static_cast<std::uint32_t>(mesh.positions.size());
    mesh.positions.emplace_back(0.0f, 0.0f, 0.0f);
    mesh.positions.emplace_back(0.0f, 2.0f, 0.0f);
    for (std::uint32_t a = 0; a < around; ++a) {
        mesh.triangles.push_back({bottom, at(0, a + 1), at(0, a)});
        mesh.triangles.push_back({bottom + 1, at(rings - 1, a), at(rings - 1, a + 1)});
    }
}

}  // namespace

model::Character bent_tube() {
    model::Character character;
    character.name = "tube";
    add_tube_surface(character.mesh);
    model::Joint root;
    root.name = "root";
    model::Joint upper;
    upper.name = "upper";
    upper.parent = 0;
    upper.rest.translation = {0, 1, 0};
    upper.tip = math::Vec3d(0, 1, 0);
    character.skeleton.joints = {root, upper};
    character.skin.joints = model::bind_at_rest(character.skeleton);
    for (const auto& p : character.mesh.positions) {
        const float t = std::clamp((p.y() - 0.6f) / 0.8f, 0.0f, 1.0f);
        const float weight = t * t * (3 - 2 * t);
        const std::array<model::Influence, 2> list = {{{0, 1 - weight}, {1, weight}}};
        character.skin.push_vertex(list);
    }
    model::clean(character.skin);
    model::Clip clip;
    clip.name = "bend";
    model::Track move;
    move.translation = {model::KeyTimes::even(0, 1, 2), {{0, 0, 0}, {1, 0, 0}}, model::Interpolation::linear};
    model::Track turn;
    turn.joint = 1;
    turn.rotation = {
        model::KeyTimes::even(0, 1, 2),
        {math::Quatf::Identity(), math::axis_angle<double>(math::Vec3d(0, 0, 1), math::pi / 2).cast<float>()},
        model::Interpolation::linear};
    clip.tracks = {move, turn};
    character.clips.push_back(clip);
    return character;
}

}  // namespace sinew::render::test
