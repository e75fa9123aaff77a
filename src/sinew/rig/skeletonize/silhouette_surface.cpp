#include "sinew/rig/skeletonize/silhouette_surface.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"

namespace sinew::rig {
namespace {

/// Of the ball around the centre of area: of a box its diagonal, and the same however a body is turned.
double diameter(const WeldedSurface& surface) {
    Vec3d sum = Vec3d::Zero();
    double total = 0;
    for (const Triangle& t : surface.triangles) {
        const Vec3d &a = surface.positions[t[0]], &b = surface.positions[t[1]], &c = surface.positions[t[2]];
        const double area = (b - a).cross(c - a).norm();
        sum += area * (a + b + c) / 3;
        total += area;
    }
    const Vec3d middle = sum / total;
    double most = 0;
    for (const Triangle& t : surface.triangles) {
        for (const std::uint32_t v : t) most = std::max(most, (surface.positions[v] - middle).squaredNorm());
    }
    return 2 * std::sqrt(most);
}

bool balanced(const WeldedSurface& surface) {
    const auto runs_along = [&](std::uint32_t t, const geometry::Edge& edge) {
        const Triangle& c = surface.triangles[t];
        return (c[0] == edge.a && c[1] == edge.b) || (c[1] == edge.a && c[2] == edge.b) ||
               (c[2] == edge.a && c[0] == edge.b);
    };
    for (const geometry::Edge& edge : surface.edges.edges) {
        int sum = 0;
        for (const std::uint32_t t : surface.edges.around(edge)) sum += runs_along(t, edge) ? 1 : -1;
        if (sum != 0) return false;
    }
    return true;
}

void finish(WeldedSurface& surface) {
    surface.edges = geometry::edge_table(surface.triangles);
    surface.diagonal = diameter(surface);
    surface.closed = balanced(surface);
}

}  // namespace

WeldedSurface welded_surface(const geometry::Mesh& mesh) {
    geometry::validate(mesh, mesh.name);
    WeldedSurface surface;
    surface.weld = geometry::weld_map(mesh.positions);
    surface.positions.reserve(mesh.positions.size());
    for (const auto& p : mesh.positions) surface.positions.push_back(p.cast<double>());
    bool flat = true;
    for (const Triangle& t : geometry::welded(mesh.triangles, surface.weld)) {
        if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) continue;
        surface.triangles.push_back(t);
        const Vec3d& a = surface.positions[t[0]];
        flat = flat && !((surface.positions[t[1]] - a).cross(surface.positions[t[2]] - a).norm() > 0);
    }
    if (flat) fail(mesh.name, "a skeleton needs a mesh with at least one triangle that has an area");
    finish(surface);
    return surface;
}

WeldedSurface part_of(const WeldedSurface& surface, const std::vector<std::uint32_t>& triangles) {
    constexpr std::uint32_t unused = 0xffffffff;
    WeldedSurface part;
    std::vector<std::uint32_t> number(surface.positions.size(), unused);
    for (const std::uint32_t t : triangles) {
        Triangle made{};
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t v = surface.triangles[t][k];
            if (number[v] == unused) {
                number[v] = static_cast<std::uint32_t>(part.positions.size());
                part.positions.push_back(surface.positions[v]);
                part.weld.push_back(number[v]);
            }
            made[k] = number[v];
        }
        part.triangles.push_back(made);
    }
    finish(part);
    return part;
}

Projection project(const WeldedSurface& surface, const ViewFrame& frame) {
    Projection out{frame, {}, {}};
    const std::size_t count = surface.positions.size();
    out.xy.resize(count);
    out.z.resize(count);
    parallel_for(count, 4096, [&](std::size_t v) {
        const Vec3d at = frame.to_view(surface.positions[v]);
        out.xy[v] = at.head<2>();
        out.z[v] = at.z();
    });
    return out;
}

}  // namespace sinew::rig
