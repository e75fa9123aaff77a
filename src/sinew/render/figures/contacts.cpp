// SPDX-License-Identifier: MIT
#include <cmath>

#include <fmt/format.h>

#include "sinew/collide/query.h"
#include "sinew/render/figures.h"

namespace sinew::render {

using collide::Body;
using geometry::Mesh;
using math::Vec3d;

namespace {

const Vec4f touching_color(0.80f, 0.03f, 0.02f, 1), refitted_color(0.08f, 0.20f, 0.75f, 1),
    untouched_color(0.75f, 0.12f, 0.08f, 1);
const Vec4f body_colors[]{Vec4f(0.45f, 0.46f, 0.48f, 1), Vec4f(0.30f, 0.40f, 0.45f, 1)};

void add_triangle(Mesh& mesh, const Vec3f& a, const Vec3f& b, const Vec3f& c, const Vec4f& color) {
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (const Vec3f& p : {a, b, c}) {
        mesh.positions.push_back(p);
        mesh.colors.push_back(color);
    }
    mesh.triangles.push_back({first, first + 1, first + 2});
}

void add_body(Mesh& mesh, Body& body, const std::vector<std::uint32_t>& touching, const Vec4f& color) {
    const std::vector<collide::Corners> triangles = collide::posed_triangles(body);
    std::vector<bool> marked(triangles.size(), false);
    for (const std::uint32_t t : touching) marked[t] = true;
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        const collide::Corners& c = triangles[t];
        add_triangle(mesh, c[0].cast<float>(), c[1].cast<float>(), c[2].cast<float>(),
                     marked[t] ? touching_color : color);
    }
}

/// A sphere made of lines of longitude and latitude.
void add_sphere(Mesh& mesh, const collide::Sphere& sphere, const Vec4f& color) {
    constexpr int around = 20, along = 10;
    const auto at = [&](int i, int k) {
        const double a = 2 * math::pi * i / around, b = math::pi * k / along;
        const Vec3d d(std::sin(b) * std::cos(a), std::cos(b), std::sin(b) * std::sin(a));
        return Vec3f((sphere.center + sphere.radius * d).cast<float>());
    };
    for (int i = 0; i < around; ++i) {
        for (int k = 0; k < along; ++k) {
            if (k > 0) add_triangle(mesh, at(i, k), at(i + 1, k), at(i + 1, k + 1), color);
            if (k + 1 < along) add_triangle(mesh, at(i, k), at(i + 1, k + 1), at(i, k + 1), color);
            if (k == 0) add_triangle(mesh, at(i, 0), at(i + 1, 1), at(i, 1), color);
        }
    }
}

Mesh spheres_of(std::span<Body* const> bodies, int level) {
    Mesh mesh;
    for (Body* body : bodies) {
        for (const collide::PosedSphere& posed : collide::spheres_of_level(*body, level))
            add_sphere(mesh, posed.sphere, posed.refitted ? refitted_color : untouched_color);
    }
    return mesh;
}

/// The options, with those that contacts determine replaced, and a camera that shows a box.
RenderOptions settings_for(const Box& box, RenderOptions settings) {
    settings.coloring = Coloring::material;
    settings.shading = Shading::flat;
    settings.skeleton = SkeletonView::none;
    const float aspect = static_cast<float>(settings.width) / static_cast<float>(settings.height);
    if (!settings.camera) settings.camera = fit(settings.view, box, aspect, settings.fit);
    if (!settings.ground_height) settings.ground_height = box.low.y();
    return settings;
}

Picture drawn(Renderer& renderer, Mesh mesh, const RenderOptions& settings) {
    model::Character shown;
    shown.mesh = std::move(mesh);
    return render_character(renderer, shown, nullptr, 0, settings);
}

Picture sheet_of(const std::vector<Picture>& pictures) {
    ContactSheetOptions sheet;
    sheet.columns = 2;
    return contact_sheet(pictures, sheet);
}

}  // namespace

ContactScene contact_scene(Body& a, Body* b, std::span<const collide::Contact> contacts) {
    ContactScene scene{{&a}, {}};
    if (b != nullptr) scene.bodies.push_back(b);
    scene.touching.resize(scene.bodies.size());
    for (const collide::Contact& c : contacts) {
        scene.touching.front().push_back(c.a);
        scene.touching.back().push_back(c.b);
    }
    return scene;
}

Box contact_bounds(const ContactScene& scene) {
    Box box;
    for (Body* body : scene.bodies) {
        for (const collide::Corners& corners : collide::posed_triangles(*body)) {
            for (const Vec3d& corner : corners) box.include(corner.cast<float>());
        }
    }
    return box;
}

Picture contact_picture(Renderer& renderer, const ContactScene& scene, const ContactPictureOptions& options) {
    Mesh spheres, shown;
    if (options.level) spheres = spheres_of(scene.bodies, *options.level);
    for (std::size_t i = 0; i < scene.bodies.size(); ++i)
        add_body(shown, *scene.bodies[i], scene.touching[i], body_colors[i % 2]);
    const RenderOptions settings = settings_for(geometry::bounds(shown.positions), options.render);
    const Picture bodies = drawn(renderer, std::move(shown), settings);
    if (!options.level) return bodies;
    std::vector<Picture> pictures{with_caption(bodies, "touching triangles in red")};
    if (!spheres.empty()) {
        const std::string caption =
            fmt::format("spheres of level {}: refitted blue, untouched red", *options.level);
        pictures.push_back(with_caption(drawn(renderer, std::move(spheres), settings), caption));
    }
    return sheet_of(pictures);
}

Picture sphere_sheet(Renderer& renderer, std::span<const SpherePanel> panels,
                     const ContactPictureOptions& options) {
    std::vector<Picture> pictures;
    std::optional<RenderOptions> settings;
    for (const SpherePanel& panel : panels) {
        Mesh spheres = spheres_of(panel.bodies, options.level.value_or(0));
        if (spheres.empty()) continue;
        if (!settings) settings = settings_for(geometry::bounds(spheres.positions), options.render);
        pictures.push_back(with_caption(drawn(renderer, std::move(spheres), *settings), panel.caption));
    }
    return sheet_of(pictures);
}

}  // namespace sinew::render
