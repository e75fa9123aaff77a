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

GraphInside inside_of(const PartGraph& graph, const geometry::Mesh& mesh) {
    const geometry::PartSurface surface = whole_surface(mesh);
    GraphInside result;
    for (const PartNode& node : graph.nodes)
        if (geometry::winding_number(surface, node.position) >= 0.5) ++result.nodes;
    result.nodes /= static_cast<double>(graph.nodes.size());
    double length = 0;
    for (const auto& [a, b] : graph.edges) {
        const Vec3d& from = graph.nodes[static_cast<std::size_t>(a)].position;
        const Vec3d& to = graph.nodes[static_cast<std::size_t>(b)].position;
        length += (to - from).norm();
        result.length += (to - from).norm() * inside_part(surface, from, to);
    }
    result.length = length > 0 ? result.length / length : 1;
    return result;
}

PartSkeletonQuality part_skeleton_quality(const PartSkeleton& skeleton, const geometry::Mesh& mesh,
                                          Monitor& monitor) {
    PartSkeletonQuality quality;
    const double diagonal = static_cast<double>(geometry::bounds(mesh.positions).diagonal());
    quality.curve = skeleton_quality(curve_of(skeleton.skeleton, diagonal / 200), mesh, {}, monitor);
    quality.inside = inside_of(skeleton.graph, mesh);
    quality.symmetry_percent = symmetry_error(skeleton, mesh, diagonal);
    return quality;
}

}  // namespace sinew::rig
