// How good a skeleton of parts is: measures that all skeletons share, and where its nodes lie.

#include <algorithm>
#include <cmath>

#include "sinew/rig/parts/part_skeleton.h"
#include "sinew/rig/symmetry.h"

namespace sinew::rig {
namespace {

/// The whole welded surface as one part.
geometry::PartSurface whole_surface(const geometry::Mesh& mesh) {
    return std::move(geometry::part_surfaces(
                         geometry::cut_mesh(mesh, std::vector<int>(mesh.triangles.size(), 0), {"body"})))
        .front();
}

double symmetry_error(const PartSkeleton& skeleton, const geometry::Mesh& mesh, double diagonal) {
    const auto plane = mirror_plane(mesh);
    if (!plane) return -1;
    double sum = 0;
    for (const PartNode& node : skeleton.graph.nodes) {
        const Vec3d image = plane->reflect(node.position);
        double nearest = (image - node.position).norm();
        for (const PartNode& other : skeleton.graph.nodes)
            nearest = std::min(nearest, (image - other.position).norm());
        sum += nearest;
    }
    return 100 * sum / static_cast<double>(skeleton.graph.nodes.size()) / diagonal;
}

}  // namespace

PartSkeletonQuality part_skeleton_quality(const PartSkeleton& skeleton, const geometry::Mesh& mesh,
                                          Monitor& monitor) {
    PartSkeletonQuality quality;
    const double diagonal = static_cast<double>(geometry::bounds(mesh.positions).diagonal());
    quality.curve = skeleton_quality(curve_of(skeleton.skeleton, diagonal / 200), mesh, {}, monitor);
    const geometry::PartSurface surface = whole_surface(mesh);
    std::size_t inside = 0;
    for (const PartNode& node : skeleton.graph.nodes)
        if (geometry::winding_number(surface, node.position) >= 0.5) ++inside;
    quality.nodes_inside = static_cast<double>(inside) / static_cast<double>(skeleton.graph.nodes.size());
    double length = 0, length_inside = 0;
    for (const auto& [a, b] : skeleton.graph.edges) {
        const Vec3d& from = skeleton.graph.nodes[static_cast<std::size_t>(a)].position;
        const Vec3d& to = skeleton.graph.nodes[static_cast<std::size_t>(b)].position;
        length += (to - from).norm();
        length_inside += (to - from).norm() * inside_part(surface, from, to);
    }
    quality.length_inside = length > 0 ? length_inside / length : 1;
    quality.symmetry_percent = symmetry_error(skeleton, mesh, diagonal);
    return quality;
}

}  // namespace sinew::rig
