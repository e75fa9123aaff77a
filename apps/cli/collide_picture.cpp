#include "collide_picture.h"

#include <optional>

#include "sinew/render/annotate.h"
#include "sinew/render/character.h"
#include "sinew/render/contact_sheet.h"

namespace sinew::cli {
namespace {

using collide::Body;
using geometry::Mesh;
using math::Vec3d;
using math::Vec3f;
using math::Vec4f;

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
    collide::RefitRoom room;
    std::vector<bool> marked(body.tree().mesh_triangles, false);
    for (const std::uint32_t t : touching) marked[t] = true;
    for (std::uint32_t t = 0; t < body.tree().triangles.size(); ++t) {
        const collide::Corners c = body.corners(t, room);
        add_triangle(mesh, c[0].cast<float>(), c[1].cast<float>(), c[2].cast<float>(),
                     marked[body.tree().triangle_ids[t]] ? touching_color : color);
    }
}

/// A sphere of longitudes and latitudes.
void add_ball(Mesh& mesh, const collide::Ball& ball, const Vec4f& color) {
    constexpr int around = 20, along = 10;
    const auto at = [&](int i, int k) {
        const double a = 2 * math::pi * i / around, b = math::pi * k / along;
        const Vec3d d(std::sin(b) * std::cos(a), std::cos(b), std::sin(b) * std::sin(a));
        return Vec3f((ball.center + ball.radius * d).cast<float>());
    };
    for (int i = 0; i < around; ++i) {
        for (int k = 0; k < along; ++k) {
            if (k > 0) add_triangle(mesh, at(i, k), at(i + 1, k), at(i + 1, k + 1), color);
            if (k + 1 < along) add_triangle(mesh, at(i, k), at(i + 1, k + 1), at(i, k + 1), color);
            if (k == 0) add_triangle(mesh, at(i, 0), at(i + 1, 1), at(i, 1), color);
        }
    }
}

void add_balls(Mesh& mesh, Body& body, int level) {
    // Which were refitted must be known before any is asked for here.
    std::vector<bool> refitted;
    for (std::uint32_t n = 0; n < body.tree().nodes.size(); ++n) refitted.push_back(body.refitted(n));
    collide::RefitRoom room;
    for (std::uint32_t n = 0; n < body.tree().nodes.size(); ++n) {
        const collide::Node& node = body.tree().nodes[n];
        if (node.level != level && !(node.leaf() && node.level < level)) continue;
        const collide::Ball ball = body.ball(n, room);
        if (ball.bounded()) add_ball(mesh, ball, refitted[n] ? refitted_color : untouched_color);
    }
}

render::RenderOptions settings_for(const Mesh& framed, render::View view) {
    render::RenderOptions settings;
    settings.width = settings.height = 640;
    settings.shading = render::Shading::flat;
    settings.camera = render::fit(view, geometry::bounds(framed.positions), 1, settings.fit);
    settings.ground = false;
    return settings;
}

render::Picture sheet_of(const std::vector<render::Picture>& pictures) {
    render::ContactSheetOptions sheet;
    sheet.columns = 2;
    return render::contact_sheet(pictures, sheet);
}

}  // namespace

render::Picture contact_picture(std::span<Body* const> bodies,
                                std::span<const std::vector<std::uint32_t>> touching,
                                const ContactPictureOptions& options) {
    model::Character shown, balls;
    for (std::size_t i = 0; i < bodies.size(); ++i) add_balls(balls.mesh, *bodies[i], options.level);
    for (std::size_t i = 0; i < bodies.size(); ++i)
        add_body(shown.mesh, *bodies[i], touching[i], body_colors[i % 2]);
    const render::RenderOptions settings = settings_for(shown.mesh, options.view);
    render::Renderer renderer;
    std::vector<render::Picture> pictures;
    pictures.push_back(render::with_caption(render::render_character(renderer, shown, nullptr, 0, settings),
                                            "touching triangles in red"));
    if (!balls.mesh.empty()) {
        pictures.push_back(render::with_caption(
            render::render_character(renderer, balls, nullptr, 0, settings),
            fmt::format("balls of level {}: refitted blue, untouched red", options.level)));
    }
    return sheet_of(pictures);
}

render::Picture ball_sheet(std::span<const BallPanel> panels, const ContactPictureOptions& options) {
    render::Renderer renderer;
    std::vector<render::Picture> pictures;
    std::optional<render::RenderOptions> settings;
    for (const BallPanel& panel : panels) {
        model::Character balls;
        for (Body* body : panel.bodies) add_balls(balls.mesh, *body, options.level);
        if (balls.mesh.empty()) continue;
        if (!settings) settings = settings_for(balls.mesh, options.view);
        pictures.push_back(render::with_caption(
            render::render_character(renderer, balls, nullptr, 0, *settings), panel.caption));
    }
    return sheet_of(pictures);
}

}  // namespace sinew::cli
