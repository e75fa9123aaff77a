#include "sinew/rig/bind/inscribed.h"

#include <algorithm>

#include "sinew/geometry/topology.h"

namespace sinew::rig {
namespace {

/// Depth below the surface anywhere; half a cell above it where there is no cell.
double depth_at(const BindSolid& solid, const Vec3d& point) {
    const CellCorners corners = solid.graph.around(point);
    const double outside = -0.5 * solid.graph.cell();
    double depth = outside;
    for (std::uint32_t i = 0; i < corners.count; ++i)
        depth += static_cast<double>(corners.part[i]) *
                 (static_cast<double>(solid.depth[corners.cell[i]]) - outside);
    return depth;
}

/// How far the centre of a ball can go from a point in a direction while the ball still touches the point:
/// the depth at the centre is its radius. A tenth is forgiven, and what a cell is too coarse to show.
double farthest_center(const BindSolid& solid, const Vec3d& point, const Vec3d& direction) {
    const double stride = 0.5 * solid.graph.cell();
    const auto spare = [&](double way) {
        return depth_at(solid, point + way * direction) - 0.9 * way + stride;
    };
    double before = spare(0);
    if (!(before > 0)) return 0;
    for (double way = stride;; way += stride) {
        const double here = spare(way);
        if (here <= 0) return way - stride * here / (here - before);
        before = here;
    }
}

InscribedBall ball_at(const BindSolid& solid, const Vec3d& point, const Vec3d& normal) {
    // Against the normal, and along it because shells may be inside out.
    const double inward = farthest_center(solid, point, -normal);
    const double outward = farthest_center(solid, point, normal);
    const double way = std::max(inward, outward);
    return {(outward > inward ? way : -way) * normal, way};
}

}  // namespace

std::vector<InscribedBall> inscribed_balls(const BindInput& input, const BindSolid& solid, int passes) {
    const geometry::Mesh mesh = mesh_of(input);
    const auto normals = geometry::vertex_normals(mesh.positions, mesh.triangles);
    std::vector<InscribedBall> balls(input.points.size()), next(balls.size());
    parallel_for(balls.size(), 256, [&](std::size_t p) {
        balls[p] = ball_at(solid, input.points[p], normals[p].cast<double>());
    });
    const geometry::Rows neighbors = geometry::vertex_neighbors(input.points.size(), input.triangles);
    for (int pass = 0; pass < passes; ++pass) {
        parallel_for(balls.size(), 1024, [&](std::size_t p) {
            InscribedBall mean;
            for (const std::uint32_t n : neighbors[p]) {
                mean.offset += balls[n].offset;
                mean.radius += balls[n].radius;
            }
            const double count = std::max<double>(1, static_cast<double>(neighbors[p].size()));
            const double share = neighbors[p].empty() ? 0 : 0.5;
            next[p] = {(1 - share) * balls[p].offset + share / count * mean.offset,
                       (1 - share) * balls[p].radius + share / count * mean.radius};
        });
        balls.swap(next);
    }
    return balls;
}

}  // namespace sinew::rig
