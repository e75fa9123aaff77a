#include <cmath>

#include "sinew/base/parallel.h"
#include "sinew/rig/skeletonize/contraction_flow.h"

namespace sinew::rig {
namespace {

std::vector<Vec3d> normals_of(const ContractionMesh& mesh) {
    std::vector<Vec3d> normals(mesh.vertex_slots(), Vec3d::Zero());
    for (const auto& face : mesh.faces()) {
        if (face[0] < 0) continue;
        const Vec3d& a = mesh.position[static_cast<std::size_t>(face[0])];
        const Vec3d& b = mesh.position[static_cast<std::size_t>(face[1])];
        const Vec3d& c = mesh.position[static_cast<std::size_t>(face[2])];
        for (const int v : face) normals[static_cast<std::size_t>(v)] += (b - a).cross(c - a);
    }
    for (Vec3d& normal : normals) normal.normalize();
    return normals;
}

geometry::SurfaceQueries queries_of(const ContractionMesh& mesh) {
    std::vector<geometry::Vec3f> positions;
    for (const Vec3d& p : mesh.position) positions.emplace_back(p.cast<float>());
    std::vector<geometry::Triangle> triangles;
    for (const auto& f : mesh.faces()) {
        if (f[0] < 0) continue;
        triangles.push_back({static_cast<std::uint32_t>(f[0]), static_cast<std::uint32_t>(f[1]),
                             static_cast<std::uint32_t>(f[2])});
    }
    return {positions, triangles};
}

/// Starts with the ball between the point and the opposite wall, and shrinks it to the nearest wall until
/// nothing is inside. A wall seen under a small angle from the centre is a neighbour on the same wall, and
/// roughness there must not count.
double ball_radius(const geometry::SurfaceQueries& surface, const Vec3d& point, const Vec3d& inward) {
    const Vec3d start = point + 1e-4 * inward;
    const auto hit = surface.first_hit(start.cast<float>(), inward.cast<float>());
    if (!hit) return 0;
    double radius = static_cast<double>(hit->distance) / 2;
    for (int i = 0; i < 12; ++i) {
        const Vec3d center = point + radius * inward;
        const auto near = surface.nearest(center.cast<float>(), static_cast<float>(radius));
        if (!near || static_cast<double>(near->distance) > 0.99 * radius) break;
        const Vec3d wall = near->position.cast<double>();
        const double angle =
            std::acos(std::clamp((wall - center).normalized().dot((point - center).normalized()), -1.0, 1.0));
        if (angle < math::radians(60)) break;
        const Vec3d across = wall - point;
        const double along = across.dot(inward);
        if (!(along > 0)) break;
        radius = std::min(radius, across.squaredNorm() / (2 * along));
    }
    return radius;
}

}  // namespace

void find_poles(ContractionMesh& mesh) {
    const std::vector<Vec3d> normals = normals_of(mesh);
    const geometry::SurfaceQueries surface = queries_of(mesh);
    parallel_for(mesh.vertex_slots(), 64, [&](std::size_t v) {
        mesh.pole[v] = mesh.position[v];
        if (!mesh.has_vertex(static_cast<int>(v))) return;
        mesh.pole[v] -= ball_radius(surface, mesh.position[v], -normals[v]) * normals[v];
    });
}

}  // namespace sinew::rig
