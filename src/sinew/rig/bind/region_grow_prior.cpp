#include "sinew/rig/bind/region_grow_prior.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/parallel.h"

namespace sinew::rig {

std::vector<BoneSegment> linked_bones(const Linkage& linkage) {
    std::vector<BoneSegment> bones;
    for (const int j : linkage.order) {
        const LinkedJoint& joint = linkage.joints[static_cast<std::size_t>(j)];
        for (const Vec3d& end : joint.ends) bones.push_back({j, joint.position, end});
        if (joint.ends.empty()) bones.push_back({j, joint.position, joint.position});
    }
    return bones;
}

NearestBones nearest_bones(const RegionSurface& surface, std::span<const BoneSegment> bones) {
    NearestBones nearest{std::vector<int>(surface.positions.size(), -1),
                         std::vector<char>(surface.positions.size(), 0)};
    parallel_for(surface.positions.size(), 512, [&](std::size_t v) {
        double least = INFINITY;
        for (const BoneSegment& bone : bones) {
            const double d = distance(bone, surface.positions[v]);
            if (nearest.joint[v] >= 0 && d >= least * (1 - 1e-9)) {
                if (d <= least * (1 + 1e-9) && bone.joint != nearest.joint[v]) nearest.contested[v] = 1;
                continue;
            }
            least = d;
            nearest.joint[v] = bone.joint;
            nearest.contested[v] = 0;
        }
    });
    return nearest;
}

std::vector<double> vertex_areas(const RegionSurface& surface) {
    std::vector<double> areas(surface.positions.size(), 0);
    for (const geometry::Triangle& t : surface.triangles) {
        const Vec3d a = surface.positions[t[0]];
        const double area = (surface.positions[t[1]] - a).cross(surface.positions[t[2]] - a).norm() / 6;
        for (const std::uint32_t v : t) areas[v] += area;
    }
    return areas;
}

std::vector<char> shells_on(const RegionSurface& surface, std::uint32_t body, std::span<const double> areas,
                            double reach) {
    std::vector<char> on(surface.shells, 0);
    if (surface.shells < 2) return on;
    std::vector<math::Vec3f> positions;
    for (const Vec3d& p : surface.positions) positions.emplace_back(p.cast<float>());
    std::vector<geometry::Triangle> triangles;
    for (const geometry::Triangle& t : surface.triangles)
        if (surface.shell_of[t[0]] == body) triangles.push_back(t);
    const geometry::SurfaceQueries skin(positions, triangles);
    std::vector<char> near(positions.size(), 0);
    parallel_for(positions.size(), 256, [&](std::size_t v) {
        if (surface.shell_of[v] != RegionSurface::none && surface.shell_of[v] != body)
            near[v] = skin.nearest(positions[v], static_cast<float>(reach)) ? 1 : 0;
    });
    std::vector<double> balance(surface.shells, 0);
    for (std::size_t v = 0; v < positions.size(); ++v)
        if (surface.shell_of[v] != RegionSurface::none)
            balance[surface.shell_of[v]] += near[v] != 0 ? areas[v] : -areas[v];
    for (std::size_t s = 0; s < on.size(); ++s) on[s] = balance[s] > 0 ? 1 : 0;
    return on;
}

}  // namespace sinew::rig
