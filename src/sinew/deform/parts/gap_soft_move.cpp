// Soft skin of a frame: see gap_soft.h.

#include <algorithm>

#include "sinew/base/array.h"
#include "sinew/deform/parts/gap_output.h"

namespace sinew::deform {

std::vector<SoftPoint> soft_vertices(const PartBody& body, const SplitVertices& split,
                                     const SoftSeams& soft) {
    std::vector<SoftPoint> found;
    for (std::uint32_t v = 0; v < split.source.size(); ++v) {
        const std::uint32_t point = body.cut.point_of[split.source[v]];
        if (split.part[v] >= 0 && soft.soft(point)) found.push_back({v, soft.shares(split.part[v], point)});
    }
    return found;
}

std::vector<SoftPoint> soft_points(const GapSide& side, const SoftSeams& soft) {
    std::vector<SoftPoint> found;
    for (std::uint32_t i = 0; i < side.points.size(); ++i)
        if (soft.soft(side.points[i])) found.push_back({i, soft.shares(side.part, side.points[i])});
    return found;
}

void move_soft(const PartBody& body, const SplitVertices& split, const std::vector<SoftPoint>& vertices,
               const std::vector<geometry::Vec3f>& rest_normals, std::span<const math::Rigidd> world,
               geometry::Mesh& mesh) {
    for (const SoftPoint& vertex : vertices) {
        const BlendedPlace place = blend(vertex.shares, world);
        const std::uint32_t from = split.source[vertex.index];
        mesh.positions[vertex.index] = Vec3d(place * body.mesh.positions[from].cast<double>()).cast<float>();
        const Vec3d normal = place.turn * rest_normals[from].cast<double>();
        if (normal.norm() > 0) mesh.normals[vertex.index] = normal.normalized().cast<float>();
    }
}

std::vector<Vec3d> bent_points(const PartBody& body, const GapSide& side, const std::vector<SoftPoint>& soft,
                               std::span<const math::Rigidd> world) {
    std::vector<Vec3d> bent;
    if (soft.empty()) return bent;
    for (const std::uint32_t point : side.points) bent.push_back(body.cut.points[point]);
    const math::Rigidd back = world[at(side.part)].inverse();
    for (const SoftPoint& point : soft)
        bent[point.index] = back * (blend(point.shares, world) * bent[point.index]);
    return bent;
}

}  // namespace sinew::deform
