// SPDX-License-Identifier: MIT
#include <algorithm>

#include "sinew/articulated/gaps.h"
#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/render/figures/steps.h"

namespace sinew::render {
namespace {

using articulated::GapFrame;
using articulated::GapView;
using math::Rigidd;
using math::Vec3d;

using step_colors::blue;
using step_colors::red;
using step_colors::yellow;

const Vec4f orange(0.85f, 0.22f, 0.0f, 1), purple(0.40f, 0.04f, 0.60f, 1), deep_green(0.0f, 0.30f, 0.03f, 1),
    parent_green(0.22f, 0.46f, 0.22f, 1), child_green(0.36f, 0.58f, 0.26f, 1), grey(0.45f, 0.45f, 0.45f, 1),
    pink(0.80f, 0.32f, 0.45f, 1);

/// Facets near a position, each with its own colour.
class Facets {
  public:
    Facets(const Vec3d& near, double reach) : near_(near), reach_(reach) {}

    void add(const Vec3d (&corners)[3], const Vec3f (&normals)[3], const Vec4f& color) {
        for (const Vec3d& corner : corners)
            if ((corner - near_).norm() > reach_) return;
        const auto first = static_cast<std::uint32_t>(mesh.positions.size());
        for (int k = 0; k < 3; ++k) {
            mesh.positions.push_back(corners[k].cast<float>());
            mesh.normals.push_back(normals[k]);
            colors.push_back(color);
        }
        mesh.triangles.push_back({first, first + 1, first + 2});
    }

    geometry::Mesh mesh;
    std::vector<Vec4f> colors;

  private:
    Vec3d near_;
    double reach_;
};

/// Data that the steps of one gap share.
struct GapScene {
    const articulated::GapCloser& closer;
    const GapView& gap;
    const GapFrame& frame;
    std::vector<Vec3f> rest_normals;
    Rigidd world[2];

    Vec3d point(int s, std::uint32_t p) const { return world[s] * closer.body().cut.points[p]; }
};

/// Facets of both parts, moved by given transforms; removed ones grey or omitted.
void add_parts(Facets& facets, const GapScene& scene, const Rigidd (&world)[2], bool removal,
               bool show_removed) {
    const geometry::Mesh& mesh = scene.closer.body().mesh;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const int part = scene.closer.body().cut.part_of[t];
        if (part != scene.gap.parent && part != scene.gap.child) continue;
        const int s = part == scene.gap.parent ? 0 : 1;
        const bool gone = removal && scene.gap.removed_triangles[t] != 0;
        if (gone && !show_removed) continue;
        Vec3d corners[3];
        Vec3f normals[3];
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t v = mesh.triangles[t][k];
            corners[k] = world[s] * mesh.positions[v].cast<double>();
            normals[k] = Vec3d(world[s].rotation * scene.rest_normals[v].cast<double>()).cast<float>();
        }
        facets.add(corners, normals, gone ? grey : s == 0 ? parent_green : child_green);
    }
}

/// The patch of this gap alone; patches come last in the mesh of a frame, in the order of their gaps.
void add_patch(Facets& facets, const GapScene& scene) {
    const geometry::Mesh& mesh = scene.frame.mesh;
    const std::size_t first = scene.gap.first_triangle;
    for (std::size_t t = first; t < first + scene.gap.triangle_count; ++t) {
        Vec3d corners[3];
        Vec3f normals[3];
        for (std::size_t k = 0; k < 3; ++k) {
            corners[k] = mesh.positions[mesh.triangles[t][k]].cast<double>();
            normals[k] = mesh.normals[mesh.triangles[t][k]];
        }
        facets.add(corners, normals, pink);
    }
}

void add_dots(Overlay& overlay, const GapScene& scene, int s, const std::vector<std::uint32_t>& points,
              const Vec4f& color) {
    for (const std::uint32_t p : points)
        overlay.points.push_back({scene.point(s, p).cast<float>(), color, 3.5f});
}

/// A square in the plane of the opening, moved with a part.
void add_plane(Overlay& overlay, const GapScene& scene, const Rigidd& world) {
    const Vec3d x = scene.gap.normal.unitOrthogonal(), y = scene.gap.normal.cross(x);
    const double size = 1.5 * scene.gap.radius;
    const auto corner = [&](int i) {
        const double a = i == 0 || i == 3 ? -size : size, b = i < 2 ? -size : size;
        return Vec3d(world * Vec3d(scene.gap.centre + a * x + b * y));
    };
    for (int i = 0; i < 4; ++i) overlay.segments.push_back(step_line(corner(i), corner((i + 1) % 4), red, 2));
}

Overlay end_overlay(const GapScene& scene, const Vec4f& neighbours) {
    Overlay overlay;
    for (int s = 0; s < 2; ++s) {
        add_dots(overlay, scene, s, scene.gap.neighbours[s], neighbours);
        add_dots(overlay, scene, s, scene.gap.circle[s], orange);
        add_dots(overlay, scene, s, scene.gap.bezier[s], red);
    }
    return overlay;
}

}  // namespace

std::vector<StepPicture> draw_gap_steps(Renderer& renderer, const articulated::GapCloser& closer,
                                        std::span<const Rigidd> world, const GapStepOptions& options) {
    const GapFrame frame = closer.close(world);
    const GapView gap = articulated::view_gap(closer, frame, options.gap);
    const geometry::Mesh& mesh = closer.body().mesh;
    GapScene scene{
        closer,
        gap,
        frame,
        mesh.normals.empty() ? geometry::vertex_normals(mesh.positions, mesh.triangles) : mesh.normals,
        {world[at(gap.parent)], world[at(gap.child)]}};
    const Rigidd& carrier = scene.world[0];
    const Rigidd still[2] = {carrier, carrier};
    const Vec3d axis = carrier.rotation * gap.axis;
    const Vec3d up = carrier.rotation * gap.normal;
    const ViewAxes view = {Vec3d(axis + 0.25 * up).normalized().cast<float>(), up.cast<float>()};
    const auto picture = [&](const auto& fill, Overlay overlay) {
        Facets facets(carrier * gap.centre, 3.5 * gap.radius);
        fill(facets);
        for (PointShape& dot : overlay.points)  // in front of the facets that they lie on
            dot.center += Vec3f(view.backward * static_cast<float>(0.02 * gap.radius));
        StepPainter painter(renderer, facets.mesh, options.size);
        return painter.colored(view, facets.colors, std::move(overlay));
    };
    Overlay rest;
    GapScene at_rest = scene;
    at_rest.world[1] = carrier;
    add_dots(rest, at_rest, 0, gap.opening, yellow);
    add_plane(rest, scene, carrier);
    Overlay moved;
    for (int s = 0; s < 2; ++s) add_dots(moved, scene, s, gap.opening, yellow);
    add_plane(moved, scene, scene.world[0]);
    add_plane(moved, scene, scene.world[1]);
    Overlay points = end_overlay(scene, deep_green);
    for (const Vec3d& p : gap.added) points.points.push_back({Vec3d(carrier * p).cast<float>(), blue, 3.5f});
    return {
        {"rest", "the opening yellow, its plane red",
         picture([&](Facets& f) { add_parts(f, scene, still, false, true); }, rest)},
        {"moved", "each part follows its joint",
         picture([&](Facets& f) { add_parts(f, scene, scene.world, false, true); }, moved)},
        {"removed", "inside the other part grey; ends orange and red",
         picture([&](Facets& f) { add_parts(f, scene, scene.world, true, true); },
                 end_overlay(scene, purple))},
        {"points", "new points blue, ends, extra points green",
         picture([&](Facets& f) { add_parts(f, scene, scene.world, true, false); }, points)},
        {"closed", "the patch pink",
         picture(
             [&](Facets& f) {
                 add_parts(f, scene, scene.world, true, false);
                 add_patch(f, scene);
             },
             {})},
    };
}

}  // namespace sinew::render
